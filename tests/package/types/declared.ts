// Resources that a deployment declares, with types of their content as `npx resource-edge types` writes them, and as
// libraries of schemas infer them. Compiled, never run.
import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  resource,
  ResourceClient,
  type ActionOf,
  type ChangesOf,
  type ClientOptions,
  type DeclaredResource,
  type DraftOf,
  type Modification,
  type PageOf,
  type RecordOf,
  type Resource,
  type UpdateOf,
} from "resource-edge";
import {
  live,
  watch,
  type FeedChange,
  type LiveChange,
  type LivePageOf,
  type LiveSnapshot,
  type LiveView,
} from "resource-edge/live";
import { and, not } from "resource-edge/predicate";
import { useLive } from "resource-edge/react";
import { loadSyntax } from "resource-edge/syntax";
import { createService } from "resource-edge/testing";

interface Product {
  title: string;
  price: number;
  status?: "draft" | "active";
  tags?: string[];
  open?: boolean;
  grades?: (1 | 2)[];
  size?: { width?: number; height: number; unit?: string };
  variants?: { color: string; stock?: number; codes?: string[] }[];
}

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;

const resources = { resources: { product: { type: "object", properties: {} } }, projects: { "*": "product" } };
const product: DeclaredResource<Product> = resource<Product>(resources, "product");
// @ts-expect-error: the content of resources.json has its resources
resource<Product>({ product: {} }, "product");

const draft: DraftOf<Product> = {
  key: "lamp",
  title: "Lamp",
  price: 5,
  status: null,
  tags: ["a"] as const,
  size: { width: null, height: 5 },
  variants: [{ color: "red", stock: undefined }],
};
// @ts-expect-error: a required field is missing
const incomplete: DraftOf<Product> = { title: "Lamp" };
// @ts-expect-error: a required field is not null
const empty: DraftOf<Product> = { title: null, price: 5 };
// @ts-expect-error: nor is one inside another
const inner: DraftOf<Product> = { title: "Lamp", price: 5, size: { height: null } };
// @ts-expect-error: no such choice
const choice: DraftOf<Product> = { title: "Lamp", price: 5, status: "drafd" };
// @ts-expect-error: no such field
const unknown: DraftOf<Product> = { title: "Lamp", price: 5, custom: "x" };
const changes: ChangesOf<Product> = { price: 6, status: null, key: "desk" };
// @ts-expect-error: a required field cannot be removed
const removed: ChangesOf<Product> = { price: null };
// @ts-expect-error: an inner object is whole
const part: ChangesOf<Product> = { size: { width: 5 } };

const actions: ActionOf<Product>[] = [
  { action: "setTitle", title: "b" },
  { action: "setStatus" },
  { action: "setSize", size: null },
  { action: "addTags", tags: ["a"] },
  { action: "removeGrades", grades: [1] },
];
// @ts-expect-error: it removes a required field
const bare: ActionOf<Product> = { action: "setTitle" };
// @ts-expect-error: the field of another action
const other: ActionOf<Product> = { action: "setTitle", price: 5 };
// @ts-expect-error: only arrays of single values have it
const list: ActionOf<Product> = { action: "addVariants", variants: [] };
// @ts-expect-error: no such action
const none: ActionOf<Product> = { action: "doSomeThing" };

const options: ClientOptions<Product> = { projectKey: "products", baseUrl: "https://api.test", resource: product };
const client = new ResourceClient(options);
const same: ResourceClient<Product> = new ResourceClient({
  projectKey: "products",
  baseUrl: "https://api.test",
  token: "t",
  resource: product,
});
// @ts-expect-error: a client has these types only with the resource
new ResourceClient<Product>({ projectKey: "products", baseUrl: "https://api.test" });
// @ts-expect-error: a resource, not its type
new ResourceClient({ projectKey: "products", baseUrl: "https://api.test", resource: resources });
// @ts-expect-error: the resource of the interface is another one
const interfaces: ResourceClient = client;

export async function calls() {
  const made: RecordOf<Product> = await client.createOrUpdate({ key: "lamp", title: "Lamp", price: 40 });
  const [title, version, width]: [string, number, number | undefined] = [made.title, made.version, made.size?.width];
  // @ts-expect-error: no sample fields
  made.objectTypeProperty;
  // @ts-expect-error: an optional field may be absent
  const status: string = made.status;
  await client.create({ title: "Lamp", price: 40 });
  // @ts-expect-error: a creation has all required fields
  await client.create({ title: "Lamp" });
  await client.createOrUpdate({ id: made.id, version: made.version, price: 41 });
  // @ts-expect-error: without a version the body is whole
  await client.createOrUpdate({ id: made.id, price: 41 });
  await client.overwrite(made);
  await client.createOrOverwrite({ ...made, status: null });
  // @ts-expect-error: it needs the version
  await client.overwrite({ title: "Lamp", price: 40 });
  const body: UpdateOf<Product> = { version: made.version, actions };
  await client.updateById(made.id, body);
  const written = await client.batch([
    { operation: "createOrUpdate", body: { key: "lamp", title: "Lamp", price: 40 } },
    { operation: "updateById", id: made.id, body },
    { operation: "deleteById", id: made.id, version: 2 },
  ]);
  const [first, , third] = written;
  first.status satisfies 200 | 201;
  first.resource.price satisfies number;
  third.resource satisfies RecordOf<Product>;
  // @ts-expect-error: there are three results
  written[3];
  // @ts-expect-error: an update names its resource
  await client.batch([{ operation: "updateById", body }]);
  // @ts-expect-error: no write
  await client.batch([{ operation: "query" }]);
  // @ts-expect-error: without a version the body is whole
  await client.batch([{ operation: "createOrUpdate", body: { price: 41 } }]);
  const placed: RecordOf<Product> = await client.updateByPath("a", "b", { id: made.id, price: 5 });
  const receipt = await client.updateWithUrnLinks({ id: made.id }, undefined, { respondAsync: true });
  receipt.dateOnlyExample satisfies string;
  await client.modify(made.id, ({ price }) => ({ price: price + 1, status: null }));
  await client.modify({ key: "lamp" }, (now) => ({ ...now, key: "desk" }));
  await client.modify(made.id, (now): Modification<Product> => (now.price > 5 ? actions : undefined));
  // @ts-expect-error: a field of another type
  await client.modify(made.id, () => ({ price: "5" }));
  // @ts-expect-error: an unknown field
  await client.modify(made.id, () => ({ prize: 5 }));
  const maybe: RecordOf<Product> | undefined = await client.getByKey("lamp", {}, { orUndefined: true });
  const page: PageOf<Product> = await client.query({ where: product.where(({ price }) => price.gt(3)), limit: 5 });
  page.results.map(({ price }) => price satisfies number);
  // @ts-expect-error: only pages of the interface have arrays
  page.arrayOfIntExample;
  // @ts-expect-error: the interface's parameter names an array of it
  await client.query({ stringParameter: "red" });
  await client.exists({ where: product.where(({ key }) => key.isDefined()) });
  (await client.search({ text: { en: "lamp" } })).results[0]?.title satisfies string | undefined;
  for await (const one of client.all({ limit: 5 }, { onPage: ({ results, seen }) => results.length + seen }))
    one.title.length;
  for await (const { results, seen } of client.pages()) results.map(({ price }) => price + seen);
  (await client.deleteById(made.id)).tags satisfies string[] | undefined;
  return [title, version, width, status, placed, maybe];
}

export const conditions: string[] = [
  product.where((fields) =>
    and(
      fields.key.eq("a"),
      fields.lastModifiedAt.lt(new Date()),
      fields.createdBy.firstName.eq("Ada"),
      fields.title.matchesIgnoreCase("lamp").or(fields.price.gte(5n)),
      fields.status.in(["draft", "active"]),
      fields.open.eq(true),
      fields.tags.containsAny(["a"]),
      fields.tags.isNotEmpty(),
      fields.grades.containsAll([1]),
      fields.size.width.gt(3),
      not(fields.size.isDefined()),
      fields.variants.some(({ color, stock }) => color.eq("red").and(stock.gt(0))),
      fields.variants.codes.eq("x"),
    ),
  ),
];
// @ts-expect-error: no such choice
product.where(({ status }) => status.eq("drafd"));
// @ts-expect-error: a boolean has no order
product.where(({ open }) => open.gt(true));
// @ts-expect-error: a number is not a text
product.where(({ price }) => price.eq("5"));
// @ts-expect-error: no such field
product.where(({ custom }) => custom.eq("5"));
// @ts-expect-error: only arrays of objects have items with fields
product.where(({ tags }) => tags.some(() => tags.eq("a")));

export const schemas: StandardSchemaV1[] = [product.draft, product.overwrite, product.update, product.complex];
type Output<Schema extends StandardSchemaV1> = StandardSchemaV1.InferOutput<Schema>;
const width = product.fieldSchema("draft", "size.width");
const color = product.fieldSchema("overwrite", "variants[0].color");
// @ts-expect-error: no such field
product.fieldSchema("draft", "size.depth");
export const inferred: [
  Same<Output<typeof product.draft>, DraftOf<Product>>,
  Same<Output<typeof product.update>, UpdateOf<Product>>,
  Same<Output<typeof width>, number | null | undefined>,
  Same<Output<typeof color>, string>,
] = [true, true, true, true];
const result = product.validate("draft", "{}");
if (result.valid) result.value.title satisfies string;
// @ts-expect-error: no such kind
product.validate("resourceDraft", {});
export const checks = (await loadSyntax(product)).where("price > 3");

export function views(): LiveView<LivePageOf<Product>> {
  const view = live(client, { where: product.where(({ open }) => open.eq(true)), sort: "price desc" });
  const { items }: LiveSnapshot<LivePageOf<Product>> = view.getSnapshot();
  items.map(({ price }) => price satisfies number);
  // @ts-expect-error: no sample fields
  items[0]?.custom;
  // @ts-expect-error: a parameter of the interface
  live(client, { stringParameter: "red" });
  live(client, {}, { onChange: (change: LiveChange<Product> | undefined) => change?.id });
  const read = live(client, {
    read: async (options) => ({ ...(await client.query({}, options)), more: 1 }),
    concerns: (change) => change.type !== "set" || change.resource.price > 3,
  });
  read.getSnapshot().items.map(({ title }) => title satisfies string);
  (read.getSnapshot().page?.more ?? 0) satisfies number;
  return view;
}

export function Component(): number {
  const { items, page } = useLive(client, { where: "price > 3" });
  return items.reduce((sum, { price }) => sum + price, page?.count ?? 0);
}

export async function follow(found: FeedChange<Product>[]) {
  for await (const change of watch(client)) {
    if (change.type === "set") change.resource.title satisfies string;
    found.push(change);
  }
}

// As libraries of schemas infer a type: with `undefined`, with `null`, and read-only.
type Inferred = {
  readonly title: string;
  readonly price?: number | null | undefined;
  readonly sizes?: readonly { readonly width: number }[] | undefined;
};
const offer = resource<Inferred>(resources, "product");
export const offers: DraftOf<Inferred>[] = [
  { title: "a", price: null },
  { title: "b", sizes: [{ width: 5 }] },
];
offer.where(({ price, sizes }) => price.gt(3).and(sizes.some(({ width }) => width.eq(5))));

// Without a type, each field may be anything.
const untyped = resource(resources, "product");
const open = new ResourceClient({ projectKey: "products", baseUrl: "https://api.test", resource: untyped });
export async function loose() {
  const made = await open.createOrUpdate({ anything: [1, { deep: true }] });
  untyped.where(({ anything }) => anything.gt(1));
  return [made.id satisfies string, made.anything];
}

export async function inMemory(): Promise<ResourceClient<Product>> {
  const service = await createService({ resources });
  return new ResourceClient({ ...service.clientOptions(), resource: product });
}

/** A function for clients of every resource. */
export const countOf = async <Content extends object>(client: ResourceClient<Content>) =>
  (await client.query({ limit: 0 } as object)).count;
export const counts = [
  countOf(client),
  countOf(new ResourceClient({ projectKey: "demo", baseUrl: "https://api.test" })),
];
export const usual: Same<RecordOf, Resource> = true;
export {
  bare,
  changes,
  choice,
  draft,
  empty,
  incomplete,
  inner,
  interfaces,
  list,
  none,
  other,
  part,
  removed,
  same,
  unknown,
};
