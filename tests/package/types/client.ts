import { predicate, ResourceClient, ResourceError, shareReads } from "resource-edge";
import type {
  Arrays,
  Modification,
  ErrorItem,
  Facet,
  ImportResult,
  Page,
  QueryParams,
  Receipt,
  Resource,
} from "resource-edge";

const hosted = new ResourceClient({
  projectKey: "demo",
  region: "eu",
  cloudProvider: "gcp",
  domain: "example.com",
  token: "t",
});
const client = new ResourceClient({
  projectKey: "demo",
  baseUrl: "https://api.example.com",
  token: async ({ refresh }) => ({ token: refresh ? "new" : "old", expiresIn: 3600 }),
  fetch: async (url, { method, headers, body, signal }) => {
    void [url.length, method.length, headers.Authorization, body?.length, signal];
    return { status: 200, ok: true, headers: { get: () => null }, text: async () => "{}" };
  },
  retry: { retries: 2 },
  timeout: 5000,
  headers: { "X-App": "sample" },
});
new ResourceClient({
  projectKey: "demo",
  baseUrl: "https://api.example.com",
  credentials: { clientId: "a", clientSecret: "b", scope: ["c", "d"] },
});
new ResourceClient({ projectKey: "demo", baseUrl: "https://api.example.com", retry: false });
new ResourceClient({
  projectKey: "demo",
  baseUrl: "https://api.example.com",
  fetch: shareReads(),
  headers: [["X-App", "sample"]],
  onRequest: ({ operation, attempt, method, url }) => `${operation} ${attempt} ${method} ${url}`,
  onResponse: ({ status, milliseconds, headers }) => `${status} ${milliseconds} ${headers.get("ETag")}`,
  onRetry: ({ reason, pause, status, cause }) => (reason === "outdated" ? cause : `${pause} ${status}`),
});

// @ts-expect-error a client needs a project
new ResourceClient({ baseUrl: "https://api.example.com" });
// @ts-expect-error either an address, or a region with provider and domain
new ResourceClient({ projectKey: "demo", baseUrl: "https://api.example.com", region: "eu" });
// @ts-expect-error a region is not enough
new ResourceClient({ projectKey: "demo", region: "eu" });
// @ts-expect-error either a token or credentials
new ResourceClient({
  projectKey: "demo",
  baseUrl: "https://api.example.com",
  token: "t",
  credentials: { clientId: "a", clientSecret: "b" },
});

export async function reads(): Promise<void> {
  const resource: Resource = await client.getById("id", { expand: "a.b" }, { fresh: true, timeout: 100 });
  const version: number = resource.version;
  const numbers: number[] = resource.objectTypeProperty.arrayOfIntExample;
  const maybe = await client.getById("id", {}, { orUndefined: true });
  // @ts-expect-error the resource may be undefined
  maybe.version;
  const unchanged: Resource | undefined = await client.getByKey("key", undefined, {
    ifNoneMatch: '"a.1"',
    headers: new Map([["X-A", "1"]]),
  });
  const sure: Resource = await client.getByKey("key", {}, { orUndefined: false });
  // @ts-expect-error a key may be absent
  const key: string = resource.key;
  const page: Page = await client.querySorted({
    where: ["a", "b"],
    sort: "id asc",
    limit: 5,
    var: { x: 1, y: ["a", new Date()] },
  });
  const total: number | undefined = page.total;
  const queried = await client.query({ stringParameter: "red", objectParameter: { arrayOfIntExample: [1] } });
  const first: number[] = queried.arrayOfIntExample;
  const found = await client.search({
    text: { en: "red", "de-AT": ["rot", "blau"] },
    "filter.query": "key:exists",
    facet: ["key"],
    fuzzy: true,
  });
  const facet: Facet | undefined = found.facets.key;
  if (facet?.type === "terms") facet.terms.map(({ term, count }) => `${term} ${count}`);
  const exists: boolean = await hosted.exists({ where: predicate`key in ${["a", "b"]} and createdAt > ${new Date()}` });
  // @ts-expect-error a misspelled parameter
  await client.querySorted({ limt: 5 });
  // @ts-expect-error a limit is a number
  await client.querySorted({ limit: "5" });
  // @ts-expect-error operation 12 has no parameters of operation 1
  await client.querySorted({ stringParameter: "red" });
  // @ts-expect-error a value that no predicate can have
  predicate`key = ${{}}`;
  for await (const one of client.all({ where: "key is defined", limit: 50 })) one.id.length;
  for await (const one of client.all({ withTotal: true }, { onPage: ({ seen, total }) => `${seen} of ${total}` }))
    one.id.length;
  for await (const one of client.pages({ withTotal: true })) one.results.length + one.seen + (one.total ?? 0);
  // @ts-expect-error pages are in the order of IDs
  client.pages({ sort: "key" });
  const passedOver: QueryParams = { offset: 5 };
  // @ts-expect-error pages have no offset
  client.pages(passedOver);
  void [version, numbers, unchanged, sure, key, total, first, exists];
}

export async function copies(other: ResourceClient): Promise<void> {
  const resources: number = (await client.status({ timeout: 5 })).resources;
  const lines: string[] = [];
  for await (const line of client.exportLines({ after: "position" }, { timeout: 5 })) lines.push(line);
  const copied = await other.importLines(client.exportLines(), {
    onProgress: ({ imported }: ImportResult) => imported,
  });
  const isComplete: boolean = (await other.importLines(lines)).isComplete && copied.isComplete;
  // @ts-expect-error lines are texts
  await other.importLines([{}]);
  new ResourceClient({
    projectKey: "demo",
    baseUrl: "https://api.example.com",
    token: async () => ({ access_token: "a", expires_in: 5 }),
    onRetry: ({ reason }) => reason === "rateLimited",
  });
  void [resources, isComplete];
}

export async function writes(): Promise<void> {
  const made: Resource = await client.createOrUpdate({ key: "k", objectTypeProperty: {} }, { idempotencyKey: "once" });
  await client.overwrite(made);
  await client.createOrOverwrite({ ...made, someProperty: null });
  await client.updateById(made.id, { version: made.version, actions: [{ action: "doSomeThing" }] });
  await client.updateById(made.id, { version: 1, actions: [{ action: "changeSomeProperty", someProperty: "x" }] });
  await client.deleteById(made.id, { version: 2 });
  const arrays: Arrays = await client.updateByPath("one", "two", { custom: "x" }, { queryParameterOne: 1.5 });
  const receipt: Receipt = await client.updateWithUrnLinks({ key: "k" }, undefined, { respondAsync: true });
  const kept: Resource = await client.modify(
    made.id,
    async (current): Promise<Modification> =>
      current.someProperty === "x" ? undefined : [{ action: "changeSomeProperty", someProperty: "x" }],
  );
  await client.modify({ key: "k" }, () => [{ action: "doSomeThing" }], { tries: 2 });
  await client.modify(made.id, (now) => ({ custom: `${now.custom}!`, objectTypeProperty: { arrayOfIntExample: [1] } }));
  await client.modify(made.id, async (now) => ({ ...now, key: "moved" }));
  // @ts-expect-error an unknown field
  await client.modify(made.id, () => ({ titel: "x" }));
  // @ts-expect-error a field of another type
  await client.modify(made.id, () => ({ custom: 5 }));
  // @ts-expect-error an ID or a key
  await client.modify({ id: "k" }, () => undefined);
  using short = new ResourceClient({ projectKey: "demo", baseUrl: "https://api.example.com" });
  short.close();
  // @ts-expect-error a body needs its arrays
  await client.createOrUpdate({ key: "k" });
  // @ts-expect-error an unknown action
  await client.updateById("id", { version: 1, actions: [{ action: "doNothing" }] });
  // @ts-expect-error the action needs its property
  await client.updateById("id", { version: 1, actions: [{ action: "changeSomeProperty" }] });
  // @ts-expect-error the action has no property
  await client.updateById("id", { version: 1, actions: [{ action: "doSomeThing", someProperty: "x" }] });
  // @ts-expect-error only operations 9 and 13 return receipts
  await client.createOrUpdate({ objectTypeProperty: {} }, { respondAsync: true });
  // @ts-expect-error an overwrite names its version
  await client.overwrite({ objectTypeProperty: {} });
  void [arrays, receipt, kept];
}

export function describe(error: unknown): string {
  if (!(error instanceof ResourceError)) return "";
  const items: readonly ErrorItem[] = error.errors;
  if (
    error.isConflict ||
    error.isNotFound ||
    error.isUnauthorized ||
    error.isForbidden ||
    error.isValidation ||
    error.isRateLimited
  )
    return error.message;
  switch (error.kind) {
    case "invalid":
      return error.issues?.map(({ pointer, message }) => `${pointer} ${message}`).join() ?? error.message;
    case "api":
      return error.code === "ConcurrentModification"
        ? `now ${error.currentVersion}`
        : `${error.status} ${items[0]?.path}`;
    case "network":
    case "timeout":
    case "aborted":
    case "unexpected":
      return error.retryable ? "again" : error.message;
  }
}

// @ts-expect-error only the client creates errors
new ResourceError("invalid", "x");
