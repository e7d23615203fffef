// `resource-edge check` and `resource-edge rewrite`, after a deployment has changed its resources.json: `serve` with
// one shape, and then with another one on the same data.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { before, test } from "node:test";
import { edit } from "../../pkg/dist/cli/edits.js";
import { misfitOf, resourceOf } from "../../pkg/dist/cli/shape.js";
import { ResourceClient, resource } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { startGroup } from "../support/group.mjs";
import { parseLines } from "../support/lines.mjs";
import { listen } from "../support/server.mjs";
import { eventually } from "../support/waiting.mjs";
import { folderFor, KNOWN, MAIN, runCommand, serve } from "./npm-project.mjs";

const folder = folderFor("resource-edge-check-");
const credentials = { clientId: "shop", clientSecret: "the secret of a test" };
const secretHash = createHash("sha256").update(credentials.clientSecret).digest("hex");
const env = {
  ...KNOWN,
  TOKEN_SECRET: "a secret of more than thirty-two characters",
  API_CLIENTS: JSON.stringify([{ id: credentials.clientId, secretHash, scopes: ["manage_test:*", "view_test:*"] }]),
  RESOURCE_EDGE_CLIENT_ID: credentials.clientId,
  RESOURCE_EDGE_CLIENT_SECRET: credentials.clientSecret,
  RESOURCE_EDGE_URL: "",
};

const text = { type: "string" };
const number = { type: "number" };
const list = (properties) => ({ type: "array", items: { type: "object", properties } });
const file = (required, properties) => ({ resources: { product: { type: "object", required, properties } } });
const OLD = file(["title"], {
  title: text,
  cost: number,
  price: number,
  legacy: text,
  sku: text,
  since: text,
  size: { type: "object", properties: { w: number, weight: number } },
  variants: list({ color: text, count: number, code: text }),
});
/** `cost` is now `price`, which is required. `legacy` is gone, and so are names inside other fields. */
const NEW = file(["title", "price"], {
  title: { type: "string", maxLength: 10 },
  price: { type: "number", minimum: 0 },
  status: { enum: ["draft", "active"] },
  sku: { type: "string", "x-unique": true },
  since: { type: "string", format: "date-time", "x-unique": true },
  size: { type: "object", properties: { width: number } },
  variants: list({ color: text, stock: number, code: { type: "string", "x-unique": true } }),
});
const people = { createdBy: { firstName: "Ada" }, lastModifiedBy: { firstName: "Ben" } };
const numbered = (count) => Array.from({ length: count }, (_, at) => ({ key: `k${at}`, title: "Lamp", cost: at }));

/** What each project has, written with the old shape. */
const SEEDS = {
  fitting: [{ key: "a", title: "Lamp", price: 1, sku: "x", variants: [{ code: "c" }, { code: "c" }] }],
  misfits: [
    { key: "a", title: "Lamp", price: -1, sku: "x", legacy: "y" },
    { key: "b", title: "A long title of a lamp", cost: 2, sku: "x", variants: [{ count: 1 }, { count: 2, code: "c" }] },
    { key: "c", title: "Chair", price: 3, legacy: "z", variants: [{ code: "c" }] },
    { key: "d", title: "Table", price: 4 },
  ],
  times: [
    { key: "a", title: "Lamp", price: 1, since: "2026-01-31T08:00:00Z" },
    { key: "b", title: "Chair", price: 2, since: "2026-01-31T09:00:00.000+01:00" },
    { key: "c", title: "Table", price: 3, since: "2026-01-31T09:00:00Z" },
  ],
  shop: [
    { key: "a", title: "Lamp", cost: 40, legacy: "y", size: { w: 2, weight: 3 }, ...people },
    { key: "b", title: "Chair", legacy: "z", variants: [{ count: 1 }, { color: "red" }] },
    { key: "c", title: "Table", price: 5 },
  ],
  refused: [
    { key: "a", title: "Lamp", cost: -1 },
    { key: "b", title: "Chair", cost: 1, price: 2 },
    { key: "c", title: "Table", cost: 3, legacy: "y" },
    { key: "d", title: "Bed", cost: 4 },
    { key: "e", title: "Door", cost: 5, price: 5 },
  ],
  unique: [
    { key: "a", title: "Lamp", price: 1, legacy: "same" },
    { key: "b", title: "Chair", price: 1, legacy: "same" },
  ],
  contested: [{ key: "a", title: "Lamp", cost: 40 }],
  deleted: [{ key: "a", title: "Lamp", cost: 40 }],
  interrupted: numbered(40),
  early: numbered(3),
};

const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
/** Returns a client of a project. `resources` are those whose bodies it writes. */
const clientOf = (projectKey, resources = NEW) =>
  new ResourceClient({
    baseUrl: env.RESOURCE_EDGE_URL,
    projectKey,
    credentials: { ...credentials, scope: `manage_test:${projectKey}` },
    resource: resource(resources, "product"),
  });
const cli = (args, more = {}, input = "") => runCommand(args, { cwd: folder, env: { ...env, ...more } }, input);
const lines = ({ stdout }) => stdout.split("\n").slice(0, -1);

/** Returns the resources of a project by their keys. */
async function stored(project) {
  const found = {};
  for await (const each of clientOf(project).all()) found[each.key] = each;
  return /** @type {{ [key: string]: any }} */ (found);
}

/** Starts the service with these resources. */
async function start(resources) {
  write("resources.json", resources);
  const args = [MAIN, "serve", "--port", "0", "--data", "data"];
  const server = await serve(process.execPath, args, { cwd: folder, env }, /Serving http:\S+/);
  [, env.RESOURCE_EDGE_URL] = /Serving (http:\S+)/.exec(server.output);
  return server;
}

before(async () => {
  const old = await start(OLD);
  for (const [project, bodies] of Object.entries(SEEDS)) {
    const client = clientOf(project, OLD);
    for (const body of bodies) await client.create(body);
  }
  await old.end("SIGTERM");
  await start(NEW);
});

test("check lists what does not fit, values that two resources have, and counts removed fields", async () => {
  const fitting = await cli(["check", "--project", "fitting"]);
  assert.deepEqual([fitting.code, fitting.stdout], [0, "1 resource fits 'product'.\n"], fitting.stderr);
  const { a, b, c } = await stored("misfits");
  const all = await cli(["check", "--project", "misfits"]);
  assert.equal(all.code, 1, all.stderr);
  assert.deepEqual(
    lines(all).map((line) => line.replace(/(\/(price|title)) {2}.*/, "$1")),
    [
      `${a.id} (a)  /price`,
      `${b.id} (b)  /title`,
      `${b.id} (b)  /price`,
      `${b.id} (b)  sku  ${a.id} (a) has the same value: "x".`,
      `${c.id} (c)  variants.code  ${b.id} (b) has the same value: "c".`,
      "legacy  2 resources have this field, which 'product' does not have. The next write removes it.",
      "cost  1 resource has this field, which 'product' does not have. The next write removes it.",
      "variants.count  1 resource has this field, which 'product' does not have. The next write removes it.",
      "3 of 4 resources do not fit 'product': 3 issues, 2 duplicate values, 3 fields that 'product' does not have.",
    ],
  );
  const { message } = resource(NEW, "product").validate("overwrite", a).issues[0];
  assert.ok(all.stdout.includes(`/price  ${message}\n`), message);
});

test("check compares unique times as the service does", async () => {
  const { stdout } = await cli(["check", "--project", "times", "--json"]);
  const found = parseLines(stdout).filter(({ type }) => type === "duplicate");
  assert.deepEqual(
    found.map(({ key, field, of }) => [key, field, of.key]),
    [["b", "since", "a"]],
  );
});

test("an import keeps values that two resources have, and no write adds one", async () => {
  const { stdout: lines } = await cli(["export", "--project", "misfits"]);
  writeFileSync(join(folder, "misfits.ndjson"), lines);
  const { code, stderr } = await cli(["import", "--project", "copy", "misfits.ndjson"]);
  assert.equal(code, 0, stderr);
  const { stdout } = await cli(["check", "--project", "copy", "--json"]);
  const found = parseLines(stdout).filter(({ type }) => type === "duplicate");
  assert.deepEqual(
    found.map(({ key, field }) => [key, field]),
    [
      ["b", "sku"],
      ["c", "variants.code"],
    ],
  );
  const more = clientOf("copy").create({ key: "e", title: "Bed", price: 1, sku: "x" });
  await assert.rejects(more, /A duplicate value 'x' exists for field 'sku'/);
});

test("check prints each finding as JSON", async () => {
  const { a, b } = await stored("misfits");
  const { code, stdout, stderr } = await cli(["check", "--project", "misfits", "--json"]);
  assert.deepEqual([code, stderr], [1, ""]);
  const found = parseLines(stdout);
  const places = found.map(({ type, key, pointer, field }) => [type, key, pointer ?? field].join(" "));
  assert.deepEqual(places, [
    "issue a /price",
    "removed a /legacy",
    "issue b /title",
    "issue b /price",
    "duplicate b sku",
    ...["/cost", "/variants/0/count", "/variants/1/count"].map((pointer) => `removed b ${pointer}`),
    "duplicate c variants.code",
    "removed c /legacy",
    "summary  ",
  ]);
  assert.deepEqual([found[0].id, found[0].reason, found[4].of], [a.id, "range", { id: a.id, key: "a" }]);
  assert.equal(found[4].id, b.id);
  assert.deepEqual(found.at(-1), {
    ...{ type: "summary", resource: "product", resources: 4, misfits: 3, issues: 3, duplicates: 2 },
    removed: { legacy: 2, cost: 1, "variants.count": 1 },
  });
});

test("check needs no service for a file, and reads each resource in its last state there", async () => {
  const { stdout: whole } = await cli(["export", "--project", "misfits"]);
  writeFileSync(join(folder, "export.ndjson"), whole);
  const args = ["check", "--project", "misfits", "--file"];
  const nobody = { RESOURCE_EDGE_URL: "http://127.0.0.1:2" };
  const live = await cli(["check", "--project", "misfits"]);
  assert.deepEqual(await cli([...args, "export.ndjson"], nobody), live);
  assert.deepEqual(await cli([...args, "-"], nobody, whole), live);
  // A changed resource, and a deleted one.
  const [first, second, ...others] = whole.split("\n");
  const { id } = JSON.parse(second);
  const later = { ...JSON.parse(first), price: 1, version: 2 };
  delete later.legacy;
  const changed = [first, second, ...others.slice(0, 2), JSON.stringify(later)];
  changed.push(`{"deletedAt":"2027-01-01T00:00:00.000Z","id":"${id}","version":1}`);
  const { code, stdout, stderr } = await cli([...args, "-"], nobody, changed.join("\n"));
  assert.deepEqual([code, stderr], [1, "The file has no end, so it is not a complete export.\n"]);
  assert.deepEqual(stdout.split("\n"), [
    "legacy  1 resource has this field, which 'product' does not have. The next write removes it.",
    "1 of 3 resources does not fit 'product': 0 issues, 0 duplicate values, 1 field that 'product' does not have.",
    "",
  ]);
  const wrong = await cli([...args, "-"], nobody, `${first}\n{`);
  assert.deepEqual([wrong.code, wrong.stderr], [1, "error: Standard input, line 2: The line is not JSON.\n"]);
});

test("check reads what a view may read, and says before a deploy what the new file would mean", async () => {
  const { id } = (await stored("fitting")).a;
  const { stdout: token } = await cli(["token", "--project", "fitting", "--scope", "view_test"]);
  write("next.json", file(["price"], { price: { type: "number", minimum: 2 }, title: text, sku: text }));
  const view = { RESOURCE_EDGE_TOKEN: token.trim(), RESOURCE_EDGE_CLIENT_ID: "" };
  const { code, stdout } = await cli(["check", "--project", "fitting", "--resources", "next.json"], view);
  assert.equal(code, 1);
  assert.match(stdout, new RegExp(`^${id} \\(a\\) {2}/price {2}.*\nvariants {2}1 resource has this field`));
});

test("rewrite renames, sets, and drops, and a second run changes nothing", async () => {
  const before = await stored("shop");
  const args = ["rewrite", "--project", "shop", "--rename", "cost=price", "--default", "price=0"];
  args.push("--rename", "size.w=size.width", "--rename", "variants.count=variants.stock");
  args.push("--default", "status=draft", "--drop", "legacy", "--drop", "size.weight");
  const planned = await cli([...args, "--dry-run", "--json"]);
  assert.equal(planned.code, 0, planned.stderr);
  const { id } = before.a;
  const changes = parseLines(planned.stdout);
  const set = { size: { width: 2 }, price: 40, status: "draft" };
  assert.deepEqual(changes[0], {
    type: "change",
    id,
    key: "a",
    set,
    remove: ["cost", "legacy", "size.w", "size.weight"],
  });
  assert.deepEqual(changes.at(-1), { type: "summary", dryRun: true, resources: 3, changed: 3, refused: 0 });
  const shown = await cli([...args, "--dry-run"]);
  assert.equal(lines(shown)[0], `${id} (a)  sets ${JSON.stringify(set)}  removes cost, legacy, size.w, size.weight`);
  assert.deepEqual(await stored("shop"), before);

  const { code, stdout, stderr } = await cli(args);
  assert.deepEqual([code, stdout], [0, "Changed 3 of 3 resources.\n"], stderr);
  const after = await stored("shop");
  const system = ({ id, key, createdAt, createdBy, lastModifiedBy }) => ({
    id,
    key,
    createdAt,
    createdBy,
    lastModifiedBy,
  });
  const content = (/** @type {any} */ { version, lastModifiedAt, ...others }) => {
    const fields = Object.keys(system(others));
    return Object.fromEntries(Object.entries(others).filter(([name]) => !fields.includes(name)));
  };
  for (const key of ["a", "b", "c"]) {
    assert.deepEqual(system(after[key]), system(before[key]));
    assert.equal(after[key].version, 2);
  }
  assert.deepEqual(content(after.a), { title: "Lamp", ...set });
  const variants = [{ stock: 1 }, { color: "red" }];
  assert.deepEqual(content(after.b), { title: "Chair", price: 0, status: "draft", variants });
  assert.deepEqual(content(after.c), { title: "Table", price: 5, status: "draft" });
  assert.equal((await cli(["check", "--project", "shop"])).code, 0);

  const again = await cli(args);
  assert.deepEqual([again.code, again.stdout], [0, "Changed 0 of 3 resources.\n"]);
  assert.deepEqual(await stored("shop"), after);
});

test("rewrite lists what a rule refuses, what has two values, and what it would lose, and leaves it", async () => {
  const before = await stored("refused");
  const args = ["rewrite", "--project", "refused", "--rename", "cost=price"];
  const { code, stdout } = await cli([...args, "--json"]);
  assert.equal(code, 1);
  const found = parseLines(stdout);
  assert.deepEqual(
    found.map(({ type, key, pointer }) => [type, key, pointer]),
    [
      ["refused", "a", "/price"],
      ["refused", "b", "/price"],
      ["refused", "c", "/legacy"],
      ["summary", undefined, undefined],
    ],
  );
  assert.match(found[1].message, /has another value already/);
  assert.match(found[2].message, /the write would remove it too\. Add it to --rename or --drop\.$/);
  assert.deepEqual(found.at(-1), { type: "summary", dryRun: false, resources: 5, changed: 2, refused: 3 });
  const after = await stored("refused");
  for (const key of ["a", "b", "c"]) assert.deepEqual(after[key], before[key]);
  assert.deepEqual([after.d.price, after.d.cost, after.e.price, after.e.cost], [4, undefined, 5, undefined]);
  // The options decide what remains.
  assert.equal((await cli([...args, "--drop", "legacy"])).code, 1);
  assert.equal((await stored("refused")).c.price, 3);
  assert.equal((await cli(["rewrite", "--project", "refused", "--drop", "cost", "--default", "price=0"])).code, 0);
  const { a, b } = await stored("refused");
  assert.deepEqual([a.price, b.price], [0, 2]);
});

test("rewrite lists what only the service can refuse", async () => {
  const { code, stdout, stderr } = await cli(["rewrite", "--project", "unique", "--rename", "legacy=sku"]);
  assert.equal(code, 1, stderr);
  const [line, summary] = stdout.split("\n");
  assert.match(line, /^\S+ \((a|b)\) {2}\/sku {2}.*same/);
  assert.equal(summary, "Changed 1 of 2 resources. 1 resource stayed as listed.");
});

/** Serves the service's addresses, with a step before each write. */
async function between(t, step) {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { method, url } = request;
    if (method === "POST" && url.endsWith("/resource")) await step(JSON.parse(body.toString()));
    const headers = /** @type {any} */ ({ ...request.headers });
    for (const name of ["host", "connection", "transfer-encoding", "content-length"]) delete headers[name];
    const sent = method === "GET" ? {} : { body };
    const answer = await fetch(new URL(url, env.RESOURCE_EDGE_URL), { method, headers, ...sent });
    const received = Object.fromEntries(answer.headers);
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) delete received[name];
    response.writeHead(answer.status, received).end(Buffer.from(await answer.arrayBuffer()));
  });
  const { url, close } = await listen(server);
  t.after(close);
  return url;
}

test("rewrite begins again if another caller writes first, and leaves what another caller deleted", async (t) => {
  const { a } = await stored("contested");
  let writes = 0;
  const url = await between(t, async ({ id, version }) => {
    writes += 1;
    if (writes > 1) return;
    assert.deepEqual([id, version], [a.id, 1]);
    // It removes the old field, and the new one is another.
    await clientOf("contested").createOrUpdate({ id, version, title: "Chair" });
  });
  const args = ["rewrite", "--url", url, "--rename", "cost=price", "--default", "price=7"];
  const { code, stdout, stderr } = await cli([...args, "--project", "contested"]);
  assert.deepEqual([code, stdout, writes], [0, "Changed 1 of 1 resource.\n", 2], stderr);
  const { version, title, price } = (await stored("contested")).a;
  assert.deepEqual([version, title, price], [3, "Chair", 7]);

  const gone = await between(t, ({ id }) => clientOf("deleted").deleteById(id));
  const { code: second, stdout: left } = await cli([...args, "--url", gone, "--project", "deleted"]);
  assert.deepEqual([second, left], [0, "Changed 0 of 1 resource.\n"]);
});

test("an interrupted rewrite continues when it runs again", async (t) => {
  const before = await stored("interrupted");
  let seen = 0;
  const url = await between(t, async () => {
    seen += 1;
    // The command never gets the responses of these.
    if (seen > 12) await new Promise(() => {});
  });
  const args = ["rewrite", "--project", "interrupted", "--rename", "cost=price"];
  const command = startGroup(process.execPath, [MAIN, ...args, "--url", url], { cwd: folder, env });
  await eventually(() => assert.ok(seen >= 16));
  assert.equal(await command.end("SIGINT"), 130);
  assert.match(command.output, /Changed 8 resources so far\. Run it again: it continues\.\s+Interrupted\./);
  // The service performs what it has received.
  await eventually(async () => {
    const versions = Object.values(await stored("interrupted")).map(({ version }) => version);
    assert.equal(versions.filter((version) => version === 2).length, 12);
  });
  const { code, stdout } = await cli(args);
  assert.deepEqual([code, stdout], [0, "Changed 28 of 40 resources.\n"]);
  for (const [key, { version, price }] of Object.entries(await stored("interrupted")))
    assert.deepEqual([version, price], [2, before[key].cost], key);
});

test("rewrite refuses to work before the file is deployed", async () => {
  const before = await stored("early");
  const { properties } = NEW.resources.product;
  write("early.json", file(["title"], { ...properties, color: text }));
  const args = ["rewrite", "--project", "early", "--resources", "early.json", "--drop", "cost"];
  const { code, stdout, stderr } = await cli([...args, "--default", "color=red"]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^error: The service has another schema than early\.json\. Deploy it first\. .*color/m);
  assert.deepEqual(await stored("early"), before);
  // The service still has a field that the file has not: nothing is dropped, and that is no success.
  const { price, ...others } = properties;
  write("late.json", file([], others));
  const more = ["--project", "early", "--resources", "late.json"];
  assert.equal((await cli(["rewrite", "--project", "early", "--rename", "cost=price"])).code, 0);
  const late = await cli(["rewrite", ...more, "--drop", "price"]);
  assert.deepEqual([late.code, late.stdout], [1, ""]);
  assert.match(late.stderr, /It still has the field 'price'\./);
});

test("wrong options are errors, and nothing is read", async () => {
  const nobody = { RESOURCE_EDGE_URL: "http://127.0.0.1:2" };
  for (const [args, expected] of /** @type {[string[], RegExp][]} */ ([
    [[], /There is nothing to change\. Add --rename OLD=NEW/],
    [["--rename", "cost"], /--rename: expected two parts with = between them, such as title=name/],
    [
      ["--rename", "cost=prize"],
      /'product' has no field 'prize'\. Its fields are title, price, status, sku, since, size/,
    ],
    [["--rename", "size.w=size.height"], /has no field 'size\.height'/],
    [["--rename", "key=sku"], /'key' is a field of the system/],
    [["--rename", "price=price"], /one field inside the other/],
    [["--rename", "size=size.width"], /one field inside the other/],
    [["--rename", "sku=variants.code"], /would move a value into a list/],
    [["--drop", "a-b"], /'a-b' is not a field\. Expected a name/],
    [["--default", "price=-1"], /--default: .*0/],
    [["--default", "price=cheap"], /--default: .*number/],
    [["--default", "status=null"], /'status=null' has no value/],
    [["--default", "version=2"], /'version' is a field of the system/],
  ])) {
    const { code, stdout, stderr } = await cli(["rewrite", ...args], nobody);
    assert.deepEqual([code, stdout], [2, ""], `${args} ${stderr}`);
    assert.match(stderr, expected);
  }
  write("rows.json", { ...NEW, projects: { "shop-*": "product" } });
  for (const [args, expected] of /** @type {[string[], RegExp][]} */ ([
    [["--resources", "none.json"], /There is no none\.json/],
    [["--resources", "rows.json"], /rows\.json has no resource for the project 'demo'\. Its projects are shop-\*\./],
  ])) {
    const { code, stderr } = await cli(["check", ...args], nobody);
    assert.equal(code, 1);
    assert.match(stderr, expected);
  }
});

test("the resource of a project is the one that the service gives it", async (t) => {
  const names = ["one", "two", "three"];
  const schemas = names.map((name) => [name, { type: "object", properties: { [name]: text } }]);
  const rows = { "*": "one", "shop-*": "two", "*-test": "three", "shop-test": "one", "a*": "three", "*b": "two" };
  const resources = { resources: Object.fromEntries(schemas), projects: rows };
  const service = await createService({ resources, authenticate: false });
  t.after(() => service.close());
  for (const project of ["demo", "shop-1", "shop-", "x-test", "shop-test", "shop-x-test", "ab", "a", "b", "azb"]) {
    const accepted = [];
    for (const name of names) {
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify({ [name]: "x" });
      const { status } = await service.fetch(`/${project}/resource`, { method: "POST", headers, body });
      if (status === 201) accepted.push(name);
    }
    assert.deepEqual(accepted, [resourceOf(resources, project)], project);
  }
  assert.equal(resourceOf({ ...resources, projects: undefined }, "demo"), undefined);
  assert.equal(resourceOf({ ...resources, projects: { "a-*-a": "one", "aa*aa": "one" } }, "aaa"), undefined);
});

test("many removed fields hide no issue, and what is no object has nothing inside", () => {
  const declared = resource(NEW, "product");
  const old = { id: "a", version: 1, title: "Lamp", price: -1 };
  const variants = Array.from({ length: 250 }, (_, at) => ({ count: at }));
  const { issues, more, removed } = misfitOf({ declared }, /** @type {any} */ ({ ...old, variants }));
  assert.deepEqual([issues.map(({ pointer }) => pointer), more, removed.length], [["/price"], 0, 250]);
  assert.equal(removed[249].pointer, "/variants/249/count");
  assert.equal(variants[249].count, 249);
  const content = { size: 5, list: [{ a: 1 }, 2] };
  const renames = [
    { from: ["size", "w"], to: ["size", "width"] },
    { from: ["list", "a"], to: ["list", "b"] },
  ];
  assert.deepEqual(edit(content, { renames, defaults: [], drops: [] }), []);
  assert.deepEqual(content, { size: 5, list: [{ b: 1 }, 2] });
});
