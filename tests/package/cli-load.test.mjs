// `resource-edge load`, `get`, `put`, `delete`, and the seed of `mock`: what a file has is in the project, once, and
// everything else is listed.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { startGroup } from "../support/group.mjs";
import { listen } from "../support/server.mjs";
import { parseLines } from "../support/lines.mjs";
import { folderFor, KNOWN, MAIN, runCommand, startMock } from "./npm-project.mjs";
import { RESOURCES } from "./resources.mjs";

const folder = folderFor("resource-edge-load-");
/** @type {Record<string, string | undefined>} */
const env = { ...KNOWN, RESOURCE_EDGE_TOKEN: "any" };
const write = (name, text) => writeFileSync(join(folder, name), text);
const start = (...args) => startMock(args, { cwd: folder, env });
const cli = (args, input = "", more = {}) => runCommand(args, { cwd: folder, env: { ...env, ...more } }, input);

/** Returns the output of a command, which must succeed. */
async function outputOf(args, input = "", more = {}) {
  const { code, stdout, stderr } = await cli(args, input, more);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  return stdout;
}

let projects = 0;
/** Returns the name of an empty project of products. */
const empty = () => `p${projects++}`;
/** Returns the contents of a project by their keys. */
async function contents(project) {
  const stdout = await outputOf(["query", "--project", project]);
  const entries = parseLines(stdout).map(({ id, version, createdAt, lastModifiedAt, key, ...content }) => [
    key,
    content,
  ]);
  return Object.fromEntries(entries);
}
const lines = (values) => values.map((value) => JSON.stringify(value)).join("\n");

before(async () => {
  write("resources.json", JSON.stringify(RESOURCES));
  env.RESOURCE_EDGE_URL = (await start()).url;
});

const LAMP = {
  title: 'A "lamp"; red',
  price: 40,
  status: "active",
  tags: ["x", "y"],
  open: true,
  grades: [1, 3],
  size: { width: 1.5, height: 2 },
  variants: [{ color: "red", stock: 3 }],
};
const CHAIR = { title: "Chair\nof wood", price: 5, status: "draft" };
/** The same two resources in each form. */
const FORMS = {
  "excel.csv":
    "\uFEFFkey;title;price;status;tags;open;grades;size.width;size.height;variants\r\n" +
    'lamp;"A ""lamp""; red";40;active;x|y;TRUE;1|3;1.5;2;"[{""color"":""red"",""stock"":3}]"\r\n' +
    'chair;"Chair\nof wood";5;;;;;;;\r\n',
  "commas.csv":
    "title,key,price,status,tags,open,grades,size,variants\n" +
    '"A ""lamp""; red",lamp,40,active,"[""x"",""y""]",true,"[1,3]","{""width"":1.5,""height"":2}",' +
    '"[{""color"":""red"",""stock"":3}]"\n' +
    '"Chair\nof wood",chair,5\n',
  "list.json": JSON.stringify(
    [
      { key: "lamp", ...LAMP },
      { key: "chair", ...CHAIR },
    ],
    null,
    2,
  ),
  "lines.ndjson": lines([
    { key: "lamp", ...LAMP, version: 7 },
    { key: "chair", ...CHAIR },
  ]),
};

test("each form of a file has the same resources, also as standard input, and may be loaded again", async () => {
  for (const [name, text] of Object.entries(FORMS)) {
    write(name, text);
    for (const [file, input] of [
      [name, ""],
      ["-", text],
    ]) {
      const project = empty();
      const args = ["load", file, "--project", project];
      assert.equal(await outputOf(args, input), "Loaded 2 of 2 resources: 2 created, 0 updated.\n", name);
      assert.deepEqual(await contents(project), { lamp: LAMP, chair: CHAIR }, name);
      assert.equal(await outputOf(args, input), "Loaded 2 of 2 resources: 0 created, 2 updated.\n", name);
      assert.deepEqual(await contents(project), { lamp: LAMP, chair: CHAIR }, name);
    }
  }
});

test("what is refused is listed with its line and place, and the rest is loaded", async () => {
  const project = empty();
  await outputOf(
    ["put", "-", "--project", project],
    JSON.stringify({ key: "old", title: "Old", price: 1, sku: "AA-1" }),
  );
  write(
    "some.ndjson",
    `${lines([
      { key: "a", title: "A", price: 1 },
      { key: "b", title: "", price: "1", sizze: 1 },
    ])}\n\n{"key":"c", x}\n[]\n` +
      lines([
        { title: "D", price: 1 },
        { key: "e", title: "E", price: 1, sku: "AA-1" },
        { key: "f", version: 3, price: 1 },
      ]),
  );
  const { code, stdout } = await cli(["load", "some.ndjson", "--project", project, "--json"]);
  assert.equal(code, 1);
  const found = parseLines(stdout);
  const refused = found.filter(({ type }) => type === "refused").map(({ line, pointer }) => [line, pointer]);
  assert.deepEqual(
    refused.sort(([one], [other]) => one - other),
    [
      [2, "/title"],
      [2, "/price"],
      [2, "/sizze"],
      [4, ""],
      [5, ""],
      [6, "/key"],
      [7, "/sku"],
      [8, "/title"],
    ],
  );
  assert.deepEqual(found.at(-1), { type: "summary", dryRun: false, resources: 7, created: 1, updated: 0, refused: 6 });
  assert.deepEqual(Object.keys(await contents(project)).sort(), ["a", "old"]);
  const text = await cli(["load", "some.ndjson", "--project", project]);
  assert.match(text.stdout, /^line 2 {2}\/price {2}Malformed field 'price': expected a number, found a string\.$/m);
  assert.match(
    text.stdout,
    /^line 4 {2}Unexpected 'x', expected a member name in double quotes \(line 4, column 13\)\.$/m,
  );
  write("rows.csv", "key,title,price\na,A,1\n\nb,B,cheap\nc,,2\n");
  const rows = await cli(["load", "rows.csv", "--project", project]);
  assert.equal(rows.code, 1);
  assert.match(
    rows.stdout,
    /^line 4 {2}\/price .*\nline 5 {2}\/title .*\nLoaded 1 of 3 resources: 0 created, 1 updated\.\n$/,
  );
});

test("a file that cannot be read says why, after what is before that", async () => {
  const project = empty();
  /** @type {[string, string | Buffer, RegExp][]} */
  const cases = [
    ["names.csv", "key,titel\na,A\n", /^error: names\.csv: Line 1: no field has the name 'titel' \(column 2\)\./m],
    [
      "quote.csv",
      'key,title,price\na,A,1\nb,"B,1\n',
      /^Loaded 1 resource so far\. .*\nerror: quote\.csv: The row that starts in line 3 has a quote/m,
    ],
    ["latin.csv", Buffer.from("key,title\na,\xe4\n", "latin1"), /^error: latin\.csv: The file is not UTF-8 text/m],
    ["open.json", '[{"key":"c","title":"C","price":1},\n', /^error: open\.json: The list has no closing/m],
    ["none.csv", "", /^error: There is no file 'none\.csv'\.$/m],
  ];
  for (const [name, text, expected] of cases) {
    if (text !== "") write(name, text);
    const { code, stderr } = await cli(["load", name, "--project", project]);
    assert.equal(code, 1, name);
    assert.match(stderr, expected);
  }
  assert.deepEqual(Object.keys(await contents(project)), ["a", "c"]);
  const put = await cli(["put", "none.json"]);
  assert.equal(put.stderr, "error: There is no file 'none.json'.\n");
});

test("--dry-run needs no service, and says what the service would", async () => {
  write("dry.csv", "key,title,price\na,A,1\nb,B,-1\n");
  const { code, stdout } = await cli(["load", "dry.csv", "--dry-run", "--url", "http://127.0.0.1:2"]);
  assert.equal(code, 1);
  assert.match(stdout, /^line 3 {2}\/price .*\nWould load 1 of 2 resources\.\n$/);
});

test("what has no key is refused, or with --keyless created once", async () => {
  const project = empty();
  const args = ["load", "keyless.csv", "--project", project];
  write("keyless.csv", "title,price\nA,1\nA,1\n");
  const refused = await cli(args);
  assert.match(refused.stdout, /^line 2 {2}\/key {2}It has no key, .*\nline 3 .*\nLoaded 0 of 2 resources: /);
  for (let count = 0; count < 2; count++) await outputOf([...args, "--keyless"]);
  assert.equal(await outputOf(["query", "--count", "--project", project]), "2\n");
});

/** Starts a server before the mock. `handle` gets each body, and a function that forwards it. */
async function proxy(t, handle) {
  const server = createServer(async (request, response) => {
    const { url, method } = request;
    const headers = { "Content-Type": "application/json", Authorization: "Bearer any" };
    const body = method === "POST" ? (await buffer(request)).toString() : undefined;
    const forward = () => fetch(`${env.RESOURCE_EDGE_URL}${url}`, { method, headers, body });
    const answer = await handle(JSON.parse(body ?? "{}"), forward);
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(await answer.text());
  });
  const { url, close } = await listen(server);
  t.after(close);
  return url;
}
const MANY = Array.from({ length: 60 }, (_, at) => ({ key: `k${at}`, title: "T", price: at }));

for (const [how, code, status] of /** @type {[string, number, number][]} */ ([
  ["a refused token", 1, 403],
  ["Ctrl-C", 130, 0],
]))
  test(`a load that ${how} ends continues where it says`, async (t) => {
    const project = empty();
    write("many.ndjson", lines(MANY));
    let count = 0;
    const url = await proxy(t, async (_, forward) => {
      if (++count <= 25) return forward();
      if (status !== 0) return new Response(JSON.stringify({ message: "No." }), { status });
      void load.end();
      return new Promise(() => {});
    });
    const args = ["load", "many.ndjson", "--project", project];
    const load = startGroup(process.execPath, [MAIN, ...args, "--url", url], { cwd: folder, env });
    assert.equal(await load.exited, code, load.output);
    const [, from] =
      /^Loaded \d+ resources so far\. To continue, run it again with --from (\d+)\.$/m.exec(load.output) ?? [];
    assert.ok(Number(from) > 1 && Number(from) <= 26, load.output);
    const rest = await outputOf([...args, "--from", String(from)]);
    assert.match(rest, new RegExp(`^Loaded ${61 - Number(from)} of `));
    const expected = MANY.map(({ key, ...content }) => [key, { ...content, status: "draft" }]);
    assert.deepEqual(await contents(project), Object.fromEntries(expected));
  });

test("several requests are open at a time, and of one resource only one, in the order of the file", async (t) => {
  const project = empty();
  const few = MANY.slice(0, 10);
  write("changes.ndjson", lines([...MANY, ...few, ...few.map((body) => ({ ...body, price: 1000 })), ...few]));
  const open = new Set();
  const shared = new Set();
  let most = 0;
  const url = await proxy(t, async ({ key }, forward) => {
    if (open.has(key)) shared.add(key);
    open.add(key);
    most = Math.max(most, open.size);
    await setTimeout(5);
    const answer = await forward();
    open.delete(key);
    return answer;
  });
  const stdout = await outputOf(["load", "changes.ndjson", "--project", project, "--url", url]);
  assert.equal(stdout, "Loaded 90 of 90 resources: 60 created, 30 updated.\n");
  assert.deepEqual([...shared], []);
  assert.ok(most > 4 && most <= 16, `${most} requests`);
  assert.equal((await contents(project)).k7.price, 7);
});

test("without resources.json, a file has the resource of the interface", async () => {
  const cwd = folderFor("resource-edge-plain-");
  writeFileSync(join(cwd, "plain.csv"), "key,custom,arrayOfIntExample,createdBy.firstName\na,x,1|2,Ann\n");
  writeFileSync(join(cwd, "own.json"), '[{"title":"A"}]');
  const plain = { RESOURCE_EDGE_URL: (await startMock([], { cwd, env })).url };
  const load = (name, project) => runCommand(["load", name, "--project", project], { cwd, env: { ...env, ...plain } });
  assert.equal((await load("plain.csv", "demo")).stdout, "Loaded 1 of 1 resource: 1 created, 0 updated.\n");
  const stdout = await outputOf(["get", "--key", "a", "--project", "demo"], "", plain);
  const { objectTypeProperty, custom, createdBy } = JSON.parse(stdout);
  assert.deepEqual([objectTypeProperty.arrayOfIntExample, custom, createdBy], [[1, 2], "x", { firstName: "Ann" }]);
  const wrong = await load("own.json", "demo");
  assert.match(wrong.stdout, /^line 1 {2}\/title {2}Unknown field 'title'\./);
  assert.match(wrong.stderr, /^This folder has no resources\.json\. .* --resources\.$/m);
});

test("get, put, and delete are about one resource", async () => {
  const project = empty();
  const at = (...args) => [...args, "--project", project];
  const body = { key: "a", title: "A", price: 1 };
  const { id, ...rest } = JSON.parse(await outputOf(at("put", "-", "--json"), JSON.stringify(body)));
  assert.deepEqual([rest.key, rest.version], ["a", 1]);
  const updated = await outputOf(at("put", "-"), JSON.stringify({ id, version: 1, price: 2 }));
  assert.equal(updated, `Updated ${id} (a). It has the version 2.\n`);
  for (const name of [[id], ["--key", "a"]]) {
    const stdout = await outputOf(at("get", ...name));
    assert.equal(stdout, `${JSON.stringify({ ...JSON.parse(stdout), price: 2 }, undefined, 2)}\n`);
  }
  /** @type {[string[], string, number, RegExp][]} */
  const wrong = [
    [["get"], "", 2, /^error: Expected either an ID or --key KEY\.$/m],
    [["get", id, "--key", "a"], "", 2, /^error: Expected either an ID or --key KEY\.$/m],
    [["get", "nobody"], "", 1, /^error: The Resource with ID 'nobody' was not found\.$/m],
    [["put", "-"], JSON.stringify({ id, version: 1, price: 3 }), 1, /different version than expected/],
    [["put", "-"], '{"title":""}', 1, /'title': expected 1 to 80/],
    [["put", "-"], "{", 1, /^error: Standard input is not JSON: /],
    [["delete", id], "", 2, /^error: Expected either --version N, the version that you have read, or --force\.$/m],
    [["delete", id, "--version", "1", "--force"], "", 2, /Expected either --version/],
    [["delete", "--key", "a", "--version", "1"], "", 1, /different version than expected/],
  ];
  for (const [args, input, code, message] of wrong) {
    const { stderr, ...result } = await cli(at(...args), input);
    assert.equal(result.code, code, args.join(" "));
    assert.match(stderr, message);
  }
  const deleted = await outputOf(at("delete", "--key", "a", "--version", "2"));
  assert.equal(deleted, `Deleted ${id} (a). It had the version 2.\n`);
  await outputOf(at("put", "-"), JSON.stringify(body));
  await outputOf(at("delete", "--key", "a", "--force"));
  assert.equal(await outputOf(at("query", "--count")), "0\n");
});

test("mock creates its seed in the project of resources.json, and refuses a wrong one", async () => {
  write("seed.csv", "title,price\nA,1\nB,2\n");
  write("mine.json", JSON.stringify({ ...RESOURCES, projects: { products: "product", suppliers: "supplier" } }));
  const { url } = await start("--seed", "seed.csv", "--resources", "mine.json", "--random", "1");
  assert.equal(await outputOf(["query", "--count", "--project", "products", "--url", url]), "2\n");
  write("wrong.csv", "title,price\nA,1\n,2\n");
  const wrong = await cli(["mock", "--port", "0", "--seed", "wrong.csv", "--project", "products"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /^error: wrong\.csv, line 3: .*'title'/);
});

test("a batch performs all lines of a file, or none", async () => {
  const project = empty();
  const create = (key, more) => ({ operation: "createOrUpdate", body: { key, title: "Lamp", price: 1, ...more } });
  write("writes.ndjson", `${lines([create("a"), create("b")])}\n\n`);
  const args = ["batch", "writes.ndjson", "--project", project];
  const results = parseLines(await outputOf([...args, "--json"]));
  assert.deepEqual(
    results.map(({ status, resource }) => [status, resource.key]),
    [
      [201, "a"],
      [201, "b"],
    ],
  );
  const update = { operation: "updateById", id: results[0].resource.id, body: { version: 7, actions: [] } };
  const refused = await cli(["batch", "-", "--project", project, "--json"], lines([create("c"), update]));
  assert.equal(refused.code, 1);
  assert.deepEqual(
    JSON.parse(refused.stderr).error.errors.map(({ code, index }) => [code, index]),
    [["ConcurrentModification", 1]],
  );
  const wrong = await cli(["batch", "-", "--project", project], "{}\n{");
  assert.match(wrong.stderr, /^error: Standard input, line 2 is not JSON: /);
  assert.deepEqual(Object.keys(await contents(project)).sort(), ["a", "b"]);
});
