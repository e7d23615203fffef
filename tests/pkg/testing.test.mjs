// `resource-edge/testing`: the guarantees for tests of programs. testing-cases.test.mjs checks that its responses are
// the service's own.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mock, test } from "node:test";

import { ResourceClient } from "../../pkg/node.js";
import { createService } from "../../pkg/testing/index.js";
import { launchChromium } from "../support/chromium.mjs";
import { browse, html, packed, project, reports, root, run, tool } from "./support.mjs";

const draft = (changes = {}) => ({ objectTypeProperty: {}, ...changes });
const FIXED = { now: "2026-01-02T03:04:05.678Z", seed: 1 };
const QUICK = { retry: { retries: 2, baseDelay: 1 } };

/** Runs a test with a service and a client of the service. */
function withService(options, body) {
  return async () => {
    const service = await createService(options);
    try {
      await body(service, new ResourceClient({ ...service.clientOptions(), ...QUICK }));
    } finally {
      service.close();
    }
  };
}

/** Returns the outcome of a call: its value, or the members of its error for programs. */
const outcome = (call) =>
  call.catch(({ kind, status, code, currentVersion }) => ({
    kind,
    status,
    code,
    ...(currentVersion && { currentVersion }),
  }));

test(
  "a client writes, queries, and searches as with the deployed service",
  withService({}, async (_service, client) => {
    const made = await client.createOrUpdate(
      draft({ key: "a", someProperty: "Straße", objectTypeProperty: { arrayOfIntExample: [1, 2] } }),
    );
    assert.equal((await client.getByKey("a")).id, made.id);
    assert.equal((await client.query({ where: "arrayOfIntExample contains any (2)" })).total, 1);
    assert.equal((await client.search({ text: { de: "STRASSE" } })).total, 1);
    const changed = await client.modify(made.id, () => [{ action: "changeSomeProperty", someProperty: "b" }]);
    assert.deepEqual([changed.version, changed.someProperty], [2, "b"]);
    await client.deleteById(made.id);
    assert.deepEqual(await outcome(client.getById(made.id)), { kind: "api", status: 404, code: "ResourceNotFound" });
  }),
);

test(
  "the service validates bodies that a client would not send",
  withService({ authenticate: false }, async (service) => {
    const response = await service.fetch("/demo/resource", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"objectTypeProperty":{"arrayOfIntExample":[1.5]}}',
    });
    const { errors } = await response.json();
    assert.deepEqual(
      [response.status, errors.map(({ path }) => path)],
      [400, ["/objectTypeProperty/arrayOfIntExample/0"]],
    );
  }),
);

test("with a fixed clock and a seed all is the same each time, and after a reset", async () => {
  const story = async (service) => {
    const client = new ResourceClient(service.clientOptions());
    const made = await client.createOrUpdate(draft({ key: "a" }));
    await service.advance(60_000);
    const changed = await client.updateById(made.id, { version: 1, actions: [{ action: "doSomeThing" }] });
    return [made, changed];
  };
  const service = await createService(FIXED);
  const first = await story(service);
  assert.equal(first[0].createdAt, "2026-01-02T03:04:05.678Z");
  assert.equal(first[1].lastModifiedAt, "2026-01-02T03:05:05.678Z");
  assert.deepEqual(await story(await createService(FIXED)), first);
  await service.reset();
  assert.deepEqual(await story(service), first);
  const [other] = await story(await createService({ ...FIXED, seed: 2 }));
  assert.notEqual(other.id, first[0].id);
});

test(
  "a reset removes data, requests, and faults, and performs `resources` again",
  withService({ resources: [draft({ key: "a" })] }, async (service, client) => {
    const found = await client.getByKey("a");
    await client.deleteById(found.id);
    await client.createOrUpdate(draft({ key: "b" }));
    service.fail({ status: 503, times: Infinity });
    const { requests } = service;
    assert.equal(requests.length, 3);
    await service.reset();
    assert.equal(requests, service.requests);
    assert.deepEqual(requests, []);
    const { results } = await new ResourceClient(service.clientOptions()).query();
    assert.deepEqual(
      results.map(({ key }) => key),
      ["a"],
    );
  }),
);

test("a resource that the service refuses is an error of the start", async () => {
  await assert.rejects(
    createService({ resources: [draft(), { key: "a" }] }),
    /^TypeError: resources\[1\]: .*'objectTypeProperty'/,
  );
});

test(
  "each status of a fault is the service's own response, and changes nothing",
  withService({}, async (service, client) => {
    const expected = {
      401: "invalid_token",
      403: "insufficient_scope",
      429: "TooManyRequests",
      500: "General",
      502: undefined,
      503: "ServiceUnavailable",
      504: undefined,
    };
    const strict = new ResourceClient({ ...service.clientOptions(), token: await service.token(), retry: false });
    for (const [status, code] of Object.entries(expected)) {
      service.fail({ operation: "createOrUpdate", status: Number(status) });
      const { kind, status: got, code: told } = await outcome(strict.createOrUpdate(draft()));
      assert.deepEqual([kind, got, told], ["api", Number(status), code]);
    }
    assert.equal((await client.query()).total, 0);
  }),
);

test(
  "a client goes on after 401, 429, 502, 503, 504, and lost connections",
  withService({}, async (service, client) => {
    for (const fault of [
      { status: 401 },
      { status: 429 },
      { status: 502 },
      { status: 503 },
      { status: 504 },
      { networkError: true },
    ]) {
      const before = service.requests.length;
      service.fail({ operation: "createOrUpdate", ...fault });
      await client.createOrUpdate(draft({ key: JSON.stringify(fault) }));
      assert.deepEqual(
        service.requests.slice(before).map(({ status }) => status),
        [fault.status, 201],
      );
    }
  }),
);

test(
  "Retry-After is 0 unless the fault says more",
  withService({ authenticate: false }, async (service) => {
    service.fail({ status: 503 });
    service.fail({ status: 429, retryAfter: 7 });
    const read = async () => (await service.fetch("/demo/resource")).headers.get("Retry-After");
    assert.deepEqual([await read(), await read(), await read()], ["0", "7", null]);
  }),
);

test(
  "a write whose response is lost was performed, and its retry is not a second write",
  withService({}, async (service, client) => {
    service.fail({ operation: "createOrUpdate", lostResponse: true });
    const made = await client.createOrUpdate(draft({ key: "a" }));
    assert.equal(made.version, 1);
    const [lost, repeated] = service.requests;
    assert.deepEqual([lost.status, repeated.status], [201, 201]);
    assert.equal(lost.headers["idempotency-key"], repeated.headers["idempotency-key"]);
    assert.equal((await client.query()).total, 1);
  }),
);

test(
  "a conflict is a real write in between, whatever names the resource",
  withService({}, async (service, client) => {
    const made = await client.createOrUpdate(draft({ key: "a" }));
    const calls = {
      updateById: (version) => client.updateById(made.id, { version, actions: [] }),
      deleteById: (version) => client.deleteById(made.id, { version }),
      overwrite: (version) => client.overwrite(draft({ id: made.id, version })),
      createOrOverwrite: (version) => client.createOrOverwrite(draft({ key: "a", version })),
      createOrUpdate: (version) => client.createOrUpdate(draft({ key: "a", version })),
      updateWithUrnLinks: (version) => client.updateWithUrnLinks({ key: "a", version: String(version) }),
      updateByPath: (version) => client.updateByPath("1", "2", { id: made.id, version: String(version) }),
    };
    let version = 1;
    for (const [operation, call] of Object.entries(calls)) {
      service.fail({ operation, conflict: true });
      const conflict = { kind: "api", status: 409, code: "ConcurrentModification", currentVersion: version + 1 };
      assert.deepEqual(await outcome(call(version)), conflict, operation);
      version += 1;
    }
    // The only resource is the target of a write that names none.
    service.fail({ conflict: true });
    assert.equal((await outcome(client.overwrite(draft({ version })))).status, 409);
    service.fail({ operation: "updateById", conflict: true, times: 2 });
    const { version: last } = await client.modify(made.id, () => [{ action: "doSomeThing" }]);
    assert.equal(last, version + 4);
    // If there are several resources, a write that names none has no target. A creation never has one.
    await client.createOrUpdate(draft({ key: "b" }));
    service.fail({ conflict: true, times: 2 });
    assert.equal((await outcome(client.overwrite(draft({ version: 1 })))).status, 400);
    assert.equal((await client.createOrUpdate(draft())).version, 1);
    assert.deepEqual([(await client.getByKey("b")).version, (await client.getById(made.id)).version], [1, last]);
    // Reads never have conflicts.
    service.fail({ conflict: true });
    await client.getByKey("b");
    assert.equal((await outcome(client.createOrUpdate(draft({ key: "b", version: 1 })))).currentVersion, 2);
    // There is no resource to overtake, so the request is performed unchanged.
    service.fail({ conflict: true });
    assert.equal((await outcome(client.updateById("none", { version: 1, actions: [] }))).status, 404);
  }),
);

test(
  "a fault may run the test's own code before the request",
  withService({}, async (service, client) => {
    const other = new ResourceClient(service.clientOptions());
    service.fail({
      operation: "getByKey",
      before: ({ variables }) => other.createOrUpdate(draft({ key: variables.key })),
    });
    assert.equal((await client.getByKey("ä/b")).key, "ä/b");
  }),
);

test(
  "a fault is for the requests that it names, so often, and until it is ended",
  withService({}, async (service, client) => {
    const read = (key) =>
      outcome(new ResourceClient({ ...service.clientOptions(), retry: false }).getByKey(key)).then(
        ({ status }) => status,
      );
    await client.createOrUpdate(draft({ key: "a" }));
    const end = service.fail({
      operation: ["getById", "getByKey"],
      status: 500,
      skip: 1,
      times: Infinity,
      match: ({ variables }) => variables.key === "a",
    });
    const seen = [await read("b"), await read("a"), await read("b"), await read("a"), await read("a")];
    end();
    assert.deepEqual([...seen, await read("a")], [404, undefined, 404, 500, 500, undefined]);
    service.fail({ projectKey: "other", status: 500 });
    assert.equal(await read("a"), undefined);
    assert.equal(
      (
        await outcome(
          new ResourceClient({ ...service.clientOptions({ projectKey: "other" }), retry: false }).getByKey("a"),
        )
      ).status,
      500,
    );
    assert.equal((await client.query()).total, 1);
  }),
);

test(
  "what is wrong with a fault or an option is a TypeError that names what is right",
  withService({}, async (service) => {
    const wrong = [
      [{ status: 418 }, /the status cannot be 418\. Expected 401, 403, 429, 500, 502, 503, 504\./],
      [{ operation: "read", status: 503 }, /unknown operation 'read'\. Expected .*getById/],
      [{ operation: "getById" }, /expected what goes wrong: one of status, conflict/],
      [{ statuss: 503 }, /unknown member 'statuss'/],
      [{ status: 503, times: 0 }, /times: expected a whole number of 1 or more/],
      [{ delay: -1 }, /delay: expected/],
    ];
    for (const [fault, message] of wrong) assert.throws(() => service.fail(fault), { name: "TypeError", message });
    await assert.rejects(
      createService({ project: "a" }),
      /^TypeError: createService: there is no 'project'\. Expected projectKey/,
    );
    await assert.rejects(createService({ now: "soon" }), /^TypeError: now: expected/);
    await assert.rejects(createService({ sqlite: "other" }), /^TypeError: sqlite: expected/);
  }),
);

test(
  "a delay passes by the program's timers, and ends with the caller's signal",
  withService({}, async (service, client) => {
    await client.createOrUpdate(draft({ key: "a" }));
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
    try {
      service.fail({ operation: "getByKey", delay: 5000, times: 2 });
      let found;
      const reading = client.getByKey("a").then((resource) => (found = resource));
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      assert.equal(found, undefined);
      mock.timers.tick(5000);
      assert.equal((await reading).key, "a");
      const controller = new AbortController();
      const aborted = service.fetch("/demo/resource/key=a", { signal: controller.signal });
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      controller.abort(new Error("enough"));
      await assert.rejects(aborted, /enough/);
    } finally {
      mock.timers.reset();
    }
  }),
);

test(
  "fake timers do not stop the service, and its times are theirs",
  withService({}, async (service, client) => {
    mock.timers.enable({
      apis: ["setTimeout", "setInterval", "setImmediate", "Date"],
      now: Date.parse("2030-01-01T00:00:00Z"),
    });
    try {
      // More calls than the object performs in one turn of its event loop.
      for (let call = 0; call < 40; call++) await client.createOrUpdate(draft({ key: `k${call}` }));
      assert.match((await client.getByKey("k0")).createdAt, /^2030-01-01T00:00:00/);
      assert.equal((await client.query()).total, 40);
      await service.settle();
    } finally {
      mock.timers.reset();
    }
  }),
);

test(
  "the list of requests tells what was called, and no token or secret",
  withService({ ...FIXED, scope: ["manage_test", "view_test"] }, async (service, client) => {
    const credentials = { ...service.credentials, scope: "manage_test:demo" };
    const own = new ResourceClient({ projectKey: "demo", baseUrl: service.baseUrl, fetch: service.fetch, credentials });
    await own.createOrUpdate(draft({ key: "a/b" }), { idempotencyKey: "once" });
    await own.getByKey("a/b");
    await client.query({ where: ['key = "a/b"', "version = 1"], limit: 5 });
    await client.exists();
    await service.fetch("/nowhere");
    const [token, write, read, query, exists, nowhere] = service.requests;
    assert.deepEqual(
      [token.operation, token.path, token.body, token.status],
      [undefined, "/oauth/token", undefined, 200],
    );
    const { headers, ...told } = write;
    assert.deepEqual(told, {
      operation: "createOrUpdate",
      projectKey: "demo",
      method: "POST",
      path: "/demo/resource",
      variables: {},
      params: {},
      body: { key: "a/b", objectTypeProperty: {} },
      time: "2026-01-02T03:04:05.678Z",
      status: 201,
      fault: undefined,
    });
    assert.equal(headers["idempotency-key"], "once");
    assert.deepEqual(
      [read.operation, read.path, read.variables],
      ["getByKey", "/demo/resource/key=a%2Fb", { key: "a/b" }],
    );
    assert.deepEqual(query.params, { where: ['key = "a/b"', "version = 1"], limit: "5" });
    assert.deepEqual([exists.operation, nowhere.operation, nowhere.status], ["exists", undefined, 404]);
    const text = JSON.stringify(service.requests);
    for (const secret of [service.credentials.clientSecret, await service.token(), "Basic ", "Bearer "])
      assert.ok(!text.includes(secret), secret);
  }),
);

test(
  "the list of requests has a bound",
  withService({ authenticate: false }, async (service) => {
    for (let call = 0; call < 1003; call++) await service.fetch(`/demo/resource/${call}`);
    assert.deepEqual([service.requests.length, service.requests[0].variables.id], [1000, "3"]);
  }),
);

test("scopes are checked, unless an option says otherwise", async () => {
  const service = await createService({ scope: "view_test" });
  const client = new ResourceClient(service.clientOptions());
  assert.equal((await client.query()).total, 0);
  assert.equal((await outcome(client.createOrUpdate(draft()))).status, 403);
  const manager = new ResourceClient(service.clientOptions({ scope: "manage_test" }));
  assert.equal((await manager.createOrUpdate(draft())).version, 1);
  assert.equal((await service.fetch("/demo/resource")).status, 401);
  const open = await createService({ authenticate: false, scope: "view_test" });
  const statuses = [];
  for (const method of ["GET", "DELETE"])
    statuses.push(
      (await open.fetch("https://api.example.com/other/resource/a", { method, headers: { Authorization: "Bearer x" } }))
        .status,
    );
  assert.deepEqual(statuses, [404, 403]);
  assert.equal((await open.fetch("/a%20b/resource")).status, 400);
  open.fail({ status: 403 });
  assert.equal((await open.fetch("/demo/resource")).status, 403);
});

test(
  "with `lag` other clients read an older copy, as in production, until the service has settled",
  withService({ ...FIXED, lag: 60_000 }, async (service, client) => {
    const other = new ResourceClient(service.clientOptions());
    const made = await client.createOrUpdate(draft({ someProperty: "old" }));
    await service.settle();
    await client.updateById(made.id, { version: 1, actions: [{ action: "changeSomeProperty", someProperty: "new" }] });
    const read = async (reader, options) => (await reader.getById(made.id, {}, options)).someProperty;
    assert.deepEqual([await read(other), await read(client)], ["old", "new"]);
    await service.settle();
    assert.equal(await read(other), "new");
    await client.updateById(made.id, {
      version: 2,
      actions: [{ action: "changeSomeProperty", someProperty: "newest" }],
    });
    await service.advance(59_000);
    assert.equal(await read(new ResourceClient(service.clientOptions())), "new");
    assert.equal(await read(new ResourceClient(service.clientOptions()), { fresh: true }), "newest");
    await service.advance(5_000);
    assert.equal(await read(new ResourceClient(service.clientOptions())), "newest");
  }),
);

test(
  "a copy that is put twice within a second is up to date once the service has settled",
  withService({ ...FIXED, lag: 0 }, async (service, client) => {
    const { id } = await client.createOrUpdate(draft());
    for (let version = 1; version < 5; version++)
      await client.updateById(id, { version, actions: [{ action: "doSomeThing" }] });
    await service.settle();
    assert.equal((await new ResourceClient(service.clientOptions()).getById(id)).version, 5);
  }),
);

test(
  "tokens expire by the service's clock, and a client renews them",
  withService({ ...FIXED, settings: { TOKEN_TTL: "60" } }, async (service, client) => {
    await client.query();
    const token = await service.token();
    await service.advance(200_000);
    assert.equal(
      (await service.fetch("/demo/resource", { headers: { Authorization: `Bearer ${token}` } })).status,
      401,
    );
    assert.equal((await client.query()).total, 0);
  }),
);

test(
  "`fetch` takes what the global one takes",
  withService({ authenticate: false }, async (service) => {
    const body = JSON.stringify(draft({ key: "ä" }));
    const json = { "Content-Type": "application/json" };
    const inputs = [
      [new Request("http://any/demo/resource", { method: "POST", headers: json, body })],
      [new URL("http://any/demo/resource"), { method: "post", headers: json, body: new TextEncoder().encode(body) }],
      [
        "/demo/resource#part",
        { method: "POST", headers: new Headers(json), body: new Blob([body]).stream(), duplex: "half" },
      ],
      [new Request("http://any/demo/resource", { method: "POST", headers: json, body: "{}" }), { body }],
    ];
    const statuses = [];
    for (const input of inputs) statuses.push((await service.fetch(...input)).status);
    assert.deepEqual(statuses, [201, 200, 200, 200]);
    await assert.rejects(service.fetch("/demo/resource", { signal: AbortSignal.abort(new Error("before")) }), /before/);
    const large = await service.fetch("/demo/resource", {
      method: "POST",
      headers: json,
      body: new Uint8Array(2 ** 20 + 1),
    });
    assert.equal(large.status, 413);
  }),
);

test("services share nothing", async () => {
  const [one, two] = await Promise.all([
    createService(),
    createService({ settings: { CORS_ORIGINS: "https://a.example" } }),
  ]);
  await new ResourceClient(one.clientOptions()).createOrUpdate(draft());
  assert.equal((await new ResourceClient(two.clientOptions()).query()).total, 0);
  one.close();
  await assert.rejects(
    one.fetch("/health"),
    ({ name, cause }) => name === "TypeError" && /is closed/.test(cause.message),
  );
  await one.reset();
  assert.equal((await one.fetch("/health")).status, 200);
  assert.equal((await new ResourceClient(two.clientOptions()).query()).total, 0);
});

/** Creates a project with the package, and with the SQLite package that Node 20 needs unless `sqlite` is false. */
function application(name, files, sqlite = true) {
  const folder = project(name, files);
  if (sqlite) {
    mkdirSync(join(folder, "node_modules/@sqlite.org"), { recursive: true });
    cpSync(join(root, "node_modules/@sqlite.org/sqlite-wasm"), join(folder, "node_modules/@sqlite.org/sqlite-wasm"), {
      recursive: true,
    });
  }
  return folder;
}

/** The programs of the README about this entry point, in their order. */
const programs = [...readFileSync(join(root, "pkg/README.md"), "utf8").matchAll(/```js\n(.*?)```/gs)]
  .map(([, text]) => text)
  .filter((text) => text.includes("createService"));

test("the README's test runs from the tarball, and its process ends automatically", () => {
  const folder = application("testing", { "app.test.mjs": programs[0] });
  assert.match(
    run(process.execPath, ["--no-warnings", "--test-reporter=tap", "app.test.mjs"], folder, {
      NODE_TEST_CONTEXT: undefined,
    }),
    /# pass 2\n# fail 0/,
  );
});

test("the README's mock server responds over HTTP", async () => {
  const server = programs.find((program) => program.includes("createServer"));
  const asks = `
    const client = new ResourceClient({ projectKey: "demo", baseUrl: "http://127.0.0.1:8787".replace("8787", server.address().port) });
    const { id } = await client.createOrUpdate({ key: "a", objectTypeProperty: {} });
    console.log((await client.getByKey("a")).id === id, await client.exists({ where: 'key = "b"' }));
    service.fail({ networkError: true });
    console.log((await client.query()).total);
    server.close();`;
  const main = `import { ResourceClient } from "resource-edge";\n${server.replace("listen(8787)", "listen(0, '127.0.0.1')")}\nawait new Promise((done) => server.once("listening", done));${asks}`;
  const folder = application("testing-server", { "main.js": main });
  assert.equal(run(process.execPath, ["main.js"], folder), "true false\n1\n");
});

test("without SQLite the error says what to install", () => {
  const folder = application(
    "testing-bare",
    {
      "main.js": `
    import { createService } from "resource-edge/testing";
    await createService({ sqlite: process.argv[2] }).then(() => console.log("started"), ({ message }) => console.log(message));`,
    },
    false,
  );
  const native = process.getBuiltinModule?.("node:sqlite") !== undefined;
  assert.match(run(process.execPath, ["main.js", "wasm"], folder), /npm install --save-dev @sqlite\.org\/sqlite-wasm/);
  assert.match(
    run(process.execPath, ["--no-warnings", "main.js"], folder),
    native ? /^started$/m : /npm install --save-dev @sqlite\.org\/sqlite-wasm/,
  );
  assert.match(
    run(process.execPath, ["--no-warnings", "main.js", "node"], folder),
    native ? /^started$/m : /this runtime has no node:sqlite/,
  );
});

test("it is ready within a second, and loads as CommonJS", () => {
  const program = (load) => `
    const start = process.cpuUsage();
    (async () => {
      const { createService } = ${load};
      const service = await createService();
      const response = await service.fetch("/demo/resource", { headers: { Authorization: \`Bearer \${await service.token()}\` } });
      const { user, system } = process.cpuUsage(start);
      console.log(JSON.stringify({ status: response.status, ms: (user + system) / 1000 }));
    })();`;
  const folder = application("testing-start", {
    "main.mjs": program('await import("resource-edge/testing")'),
    "main.cjs": program('require("./node_modules/resource-edge/cjs/testing.js")'),
  });
  for (const file of ["main.mjs", "main.cjs"]) {
    const { status, ms } = JSON.parse(run(process.execPath, ["--no-warnings", file], folder));
    assert.equal(status, 200);
    assert.ok(ms < 1000, `${file}: ${ms} ms`);
  }
});

test("as CommonJS it needs no globals of the web, which Jest's jsdom lacks", () => {
  const folder = application("testing-bare-globals", {
    "main.mjs": `
    import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    import vm from "node:vm";
    const folder = process.cwd() + "/node_modules/resource-edge/cjs";
    // Jest's fake timers replace queueMicrotask too.
    const context = vm.createContext({ atob, btoa, clearTimeout, console, crypto, process, queueMicrotask() {}, setTimeout, URL });
    const load = vm.runInContext("(function (module, exports, require, __dirname) {" + readFileSync(folder + "/testing.js", "utf8") + "})", context);
    const module = { exports: {} };
    load(module, module.exports, createRequire(folder + "/testing.js"), folder);
    const service = await module.exports.createService({ authenticate: false });
    const headers = { "Content-Type": "application/json" };
    const response = await service.fetch("/demo/resource", { method: "POST", headers, body: '{"key":"a","objectTypeProperty":{}}' });
    console.log(response.status, (await response.json()).key);
    service.fail({ status: 503 });
    console.log((await service.fetch("/demo/resource/key=a")).status, await service.settle());`,
  });
  const printed = run(process.execPath, ["--no-warnings", "main.mjs"], folder);
  assert.equal(printed, "201 a\n503 undefined\n");
});

test("it runs in a page", async () => {
  const folder = application("testing-page", {
    "index.html": html("/main.js"),
    "src.js": `
      import "./reports.js";
      import { init, ResourceClient } from "resource-edge/inline";
      import { createService } from "resource-edge/testing";
      await init();
      const service = await createService({ seed: 1, now: 0, lag: 1000 });
      const client = new ResourceClient(service.clientOptions());
      const { id } = await client.createOrUpdate({ key: "a", someProperty: "blue", objectTypeProperty: {} });
      service.fail({ operation: "updateById", conflict: true });
      await client.modify(id, () => [{ action: "doSomeThing" }]);
      const { results } = await client.search({ text: { en: "BLUE" } });
      report(results.map(({ key, version }) => [key, version]));`,
    "reports.js": reports,
  });
  run(
    tool("esbuild"),
    [
      "src.js",
      "--bundle",
      "--format=esm",
      "--target=es2022",
      "--outfile=main.js",
      "--log-override:empty-import-meta=silent",
    ],
    folder,
  );
  cpSync(join(folder, "node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm"), join(folder, "sqlite3.wasm"));
  assert.deepEqual(await browse(folder), [["a", 3]]);
});

test("only programs that import it load it", () => {
  const folder = application("testing-unused", {
    "main.js": 'import { ResourceClient } from "resource-edge"; console.log(ResourceClient);',
  });
  const bundle = run(tool("esbuild"), ["main.js", "--bundle", "--format=esm", "--platform=node"], folder);
  assert.ok(!bundle.includes("createService"));
  assert.ok(packed().files.includes("testing/worker.js"));
});

test("the README's route for Playwright responds to a page", async () => {
  const recipe = readFileSync(join(root, "pkg/README.md"), "utf8").match(/```js\n(await page\.route.*?)```/s)[1];
  const service = await createService({ resources: [draft({ key: "a" })] });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await new Function("page", "service", `return (async () => {${recipe}})();`)(page, service);
    const token = await service.token();
    await page.goto("https://api.example.com/health");
    const call = (path, init) =>
      page.evaluate(
        async ([path, init]) => {
          /** @type {{ status: number | string, json?(): Promise<any> }} */
          const response = await fetch(`https://api.example.com${path}`, init).catch(({ name }) => ({ status: name }));
          return [response.status, await response.json?.()];
        },
        [path, { ...init, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } }],
      );
    const [status, { total }] = await call("/demo/resource?limit=1");
    assert.deepEqual([status, total], [200, 1]);
    assert.equal((await call("/demo/resource", { method: "POST", body: JSON.stringify(draft({ key: "b" })) }))[0], 201);
    service.fail({ networkError: true });
    assert.equal((await call("/demo/resource"))[0], "TypeError");
  } finally {
    await browser.close();
    service.close();
  }
});
