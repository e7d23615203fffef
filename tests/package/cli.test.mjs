// The commands of `resource-edge` that call a service, against `resource-edge mock`: results, files, exit codes.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { before, test } from "node:test";
import { eventually } from "../support/waiting.mjs";
import { parseLines } from "../support/lines.mjs";
import { listen } from "../support/server.mjs";
import { folderFor, KNOWN, MAIN, run, runCommand, serve, startMock } from "./npm-project.mjs";
import { root } from "./support.mjs";

const folder = folderFor("resource-edge-cli-");

/** An address at which nothing listens. */
const NOBODY = "http://127.0.0.1:2";
let url;
before(async () => {
  const bodies = [1, 2, 3].map((at) => ({ key: `k${at}`, objectTypeProperty: { arrayOfIntExample: [at] } }));
  writeFileSync(join(folder, "bodies.ndjson"), bodies.map((body) => `${JSON.stringify(body)}\n`).join(""));
  ({ url } = await startMock(["--authenticate", "--seed", "bodies.ndjson"], { cwd: folder, env: KNOWN }));
});

/** Runs a command as the API client of the mock. `env` adds variables, and `input` is its standard input. */
const cli = (args, { env = {}, input = "" } = {}) => {
  const client = { RESOURCE_EDGE_URL: url, RESOURCE_EDGE_CLIENT_ID: "testing" };
  const all = { ...KNOWN, ...client, RESOURCE_EDGE_CLIENT_SECRET: "testing-secret", ...env };
  return runCommand(args, { cwd: folder, env: all }, input);
};

/** Returns the result of a command with `--json`, which must succeed. */
async function result(...args) {
  const { code, stdout, stderr } = await cli([...args, "--json"]);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  return JSON.parse(stdout);
}

const tokenOf = async (project) => (await result("token", "--project", project)).access_token;

const control = (name, body) => fetch(`${url}/_mock/${name}`, { method: "POST", body: JSON.stringify(body ?? {}) });

test("every command has help, which names its options", async () => {
  const { code, stdout } = await cli(["--help"]);
  assert.equal(code, 0);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name);
  assert.deepEqual(commands.length, 22);
  for (const name of commands) {
    const help = await cli([name, "--help"]);
    assert.equal(help.code, 0, name);
    assert.match(help.stdout, new RegExp(`^Usage: resource-edge ${name} .*\n\n[A-Z]`), name);
    assert.match(help.stdout, /^ {2}--json {2,}/m, name);
  }
});

test("the guide has the help of every command", async () => {
  const { stdout } = await run(process.execPath, [join(root, ".ci/generator/command-line.mjs")], { env: KNOWN });
  assert.equal(readFileSync(join(root, "src/guide/operate/command-line.md"), "utf8"), stdout, "run `make generate`");
});

test("`types` and `serve` say what is wrong with resources.json, and `mock` serves its resources", async () => {
  const product = (type) => ({ type: "object", properties: { title: { type } } });
  const write = (resources) => writeFileSync(join(folder, "mine.json"), JSON.stringify(resources));
  const failed = async (...args) => {
    const { code, stderr } = await cli(args);
    assert.equal(code, 1);
    return stderr;
  };
  assert.match(await failed("types"), /^error: There is no resources\.json\. Write one: /);
  write({ resources: {} });
  assert.match(await failed("types", "mine.json"), /^error: mine\.json: There is no resource\. Expected \{ /);
  write({ resources: { product: product("text") } });
  const place =
    /The resources are invalid at \/resources\/product\/properties\/title\/type: Expected one of "string", /;
  for (const args of [
    ["types", "mine.json"],
    ["serve", "--resources", "mine.json"],
  ])
    assert.match(await failed(...args), place);
  assert.match(await failed("mock", "--resources", "mine.json", "--port", "0"), place);
  write({ resources: { product: product("string") }, projects: { products: "product" } });
  const mock = await startMock(["--resources", "mine.json"], { cwd: folder, env: KNOWN });
  const response = await fetch(`${mock.url}/products/resource`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ title: "a" }),
  });
  assert.equal((await response.json()).title, "a");
});

test("wrong arguments end with 2, and the error says what is expected", async () => {
  for (const [args, expected] of [
    [["frobnicate"], /Unknown command 'frobnicate'\. Expected init, /],
    [["querry"], /Unknown command 'querry'\. Did you mean 'query'\?/],
    [["query", "--were", "a"], /Unknown option '--were'\. Did you mean '--where'\? See: /],
    [["smoke", "--project", "a"], /Unknown option '--project'\. Expected --without-issuer, --json, --help\. See: /],
    [["import"], /FILE is missing/],
    [["status", "more"], /Unexpected argument 'more'/],
    [["clear", "--yes", "--", "--project", "old"], /Unexpected argument '--project'/],
    [["status", "--url", "example.org"], /'example\.org' is not an address\. Expected https/],
    [
      ["query", "--limit", "-1"],
      /^error: --limit needs a value\. If the value begins with '-', write --limit=VALUE\. See: /,
    ],
    [["dev", "--port"], /^error: --port needs a value\./],
    [["query", "--count", "--limit", "1"], /--count counts all matches\. Leave out --limit, --sort, and --fields/],
    [["query", "--count=1"], /^error: Option '--count' does not take an argument\. See: /],
    [["status", "--project", "a b"], /'a b' is not a project\. Expected 1 to 128 letters/],
    [["restore", "--yes"], /Expected either --time or --bookmark/],
    [["mock", "--port", "70000"], /--port must be a whole number of at most 65535, not '70000'/],
  ]) {
    const { code, stdout, stderr } = await cli(args);
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, /** @type {RegExp} */ (expected));
  }
  const { code } = await cli([]);
  assert.equal(code, 2);
});

test("a service that does not respond ends with 3, and one that refuses with 1", async () => {
  for (const command of ["status", "query", "token"]) {
    const silent = await cli([command, "--url", NOBODY]);
    assert.equal(silent.code, 3, command);
    assert.match(
      silent.stderr,
      /is not reachable: nothing listens there\. Start the service \(npm run dev\), or give another/,
    );
  }
  const refused = await cli(["status", "--json"], { env: { RESOURCE_EDGE_CLIENT_SECRET: "wrong" } });
  assert.equal(refused.code, 1);
  assert.equal(JSON.parse(refused.stderr).error.status, 401);
  assert.ok(!refused.stderr.includes("wrong"));
  const source =
    /^error: .*The client .*Check that \S+ has the client 'testing' with the secret of RESOURCE_EDGE_CLIENT_SECRET\.$/m;
  for (const command of ["status", "query"])
    assert.match((await cli([command], { env: { RESOURCE_EDGE_CLIENT_SECRET: "wrong" } })).stderr, source);
  const condition = await cli(["query", "--where", "nothing = 1"]);
  assert.deepEqual([condition.code, condition.stdout], [1, ""]);
  assert.match(condition.stderr, /nothing/);
});

test("a token that is refused is an error with the reason, once", async () => {
  for (const [RESOURCE_EDGE_TOKEN, expected] of [
    ["abc", "error: invalid_token: The token is malformed.\n"],
    [
      await tokenOf("other"),
      "error: Insufficient scope. One of the following scopes is missing: manage_test. The project is 'demo'.\n",
    ],
  ]) {
    const options = { env: { RESOURCE_EDGE_TOKEN } };
    assert.equal((await cli(["status"], options)).stderr, expected);
    // An option precedes the variables.
    assert.equal((await cli(["status", "--client-id", "testing"], options)).code, 0);
  }
});

test("a check of this machine does not wait for a service that is not there", { timeout: 30_000 }, async () => {
  const { code, stdout, stderr } = await cli(["smoke", NOBODY]);
  assert.equal(code, 1);
  assert.equal(stdout.match(/^ {2}FAILS .*nothing listens there$/gm)?.length, 4, stdout);
  assert.equal(stderr, "");
});

test("the secrets of .dev.vars are sent to this machine only", async () => {
  writeFileSync(join(folder, ".dev.vars"), "DEV_CLIENT_ID=testing\nDEV_CLIENT_SECRET=testing-secret\n");
  const env = { RESOURCE_EDGE_CLIENT_ID: "", RESOURCE_EDGE_CLIENT_SECRET: "" };
  assert.equal((await cli(["token"], { env })).code, 0);
  const other = await cli(["token", "--url", "https://api.example.com"], { env });
  rmSync(join(folder, ".dev.vars"));
  assert.equal(other.code, 2);
  assert.match(other.stderr, /There is no API client\. Set RESOURCE_EDGE_CLIENT_ID/);
});

test("a token opens its project, with the scope that was asked for", async () => {
  const { code, stdout } = await cli(["token", "--project", "other", "--scope", "view_test"]);
  assert.equal(code, 0);
  const headers = { Authorization: `Bearer ${stdout.trim()}`, "Content-Type": "application/json" };
  assert.equal((await fetch(`${url}/other/resource`, { headers })).status, 200);
  assert.equal((await fetch(`${url}/demo/resource`, { headers })).status, 403);
  const write = { method: "POST", headers, body: '{"objectTypeProperty":{}}' };
  assert.equal((await fetch(`${url}/other/resource`, write)).status, 403);
});

test("a client has the hash of its secret in API_CLIENTS, and a file keeps the others", async () => {
  const first = await result("client", "one", "--project", "demo", "--file", "clients.json");
  const [entry] = JSON.parse(first.API_CLIENTS);
  const secretHash = createHash("sha256").update(first.secret).digest("hex");
  assert.deepEqual(entry, { id: "one", secretHash, scopes: ["manage_test:demo", "view_test:demo"] });
  const second = await result("client", "two", "--view-only", "--file", "clients.json");
  const clients = readFileSync(join(folder, "clients.json"), "utf8");
  assert.equal(clients, second.API_CLIENTS);
  assert.deepEqual(JSON.parse(clients)[0], entry);
  assert.deepEqual(JSON.parse(clients)[1].scopes, ["view_test:*"]);
  assert.ok(!clients.includes(second.secret));
  // The command that it suggests works for a client that may only read.
  const { stdout } = await cli(["client", "three", "--view-only", "--project", "shop"]);
  const suggested = /^ {2}npx resource-edge (query --count --project shop)$/m.exec(stdout)?.[1].split(" ");
  const RESOURCE_EDGE_TOKEN = (await result("token", "--project", "shop", "--scope", "view_test")).access_token;
  assert.equal((await cli(suggested, { env: { RESOURCE_EDGE_TOKEN } })).stdout, "0\n");
  const again = await cli(["client", "two", "--file", "clients.json"]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /clients\.json has a client 'two' already/);
  assert.equal(readFileSync(join(folder, "clients.json"), "utf8"), clients);
});

test("init changes nothing in a folder whose package.json it cannot read", async () => {
  const own = join(folder, "own");
  mkdirSync(own);
  writeFileSync(join(own, "package.json"), "{");
  const broken = await cli(["init", "own"]);
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /own\/package\.json is not JSON/);
  assert.deepEqual(readdirSync(own), ["package.json"]);
  const manifest = { name: "shop", type: "commonjs", scripts: { dev: "vite" }, dependencies: { a: "1" } };
  writeFileSync(join(own, "package.json"), JSON.stringify(manifest));
  const { files } = await result("init", "own", "--package", "file:../x.tgz");
  assert.ok(files.includes("wrangler.jsonc"));
  const { name, type, scripts, dependencies } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  assert.deepEqual([name, type, scripts.dev, scripts.deploy], ["shop", "commonjs", "vite", "wrangler deploy"]);
  assert.deepEqual(dependencies, { a: "1", "resource-edge": "file:../x.tgz" });
  assert.match((await cli(["init", "own/package.json"])).stderr, /^error: 'own\/package\.json' is not a folder\.$/m);
});

test("watch prints the present state, what follows a position, and each change as it happens", async () => {
  const project = "watched";
  const token = await tokenOf(project);
  const create = async (key) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ key, objectTypeProperty: {} });
    assert.equal((await fetch(`${url}/${project}/resource`, { method: "POST", headers, body })).status, 201);
  };
  const lines = async (...args) => {
    const { code, stdout } = await cli(["watch", "--project", project, ...args]);
    assert.equal(code, 0);
    return parseLines(stdout);
  };
  await create("first");
  const [set, ready, ...more] = await lines("--once");
  assert.deepEqual([set.type, set.resource.key, ready.type, more], ["set", "first", "ready", []]);
  await create("second");
  const later = await lines("--once", "--after", ready.position);
  assert.deepEqual(
    later.map(({ type, resource }) => [type, resource?.key]),
    [
      ["set", "second"],
      ["ready", undefined],
    ],
  );
  const args = [MAIN, "watch", "--project", project, "--after", "now", "--where", 'key = "third"'];
  const client = { RESOURCE_EDGE_CLIENT_ID: "testing", RESOURCE_EDGE_CLIENT_SECRET: "testing-secret" };
  const env = { ...KNOWN, ...client, RESOURCE_EDGE_URL: url };
  const watching = await serve(process.execPath, args, { cwd: folder, env }, /"ready"/);
  await create("third");
  await eventually(() => assert.match(watching.output, /"third"/));
  assert.equal(await watching.end(), 130);
});

test("query prints the resources that match, in the order, and at most so many", async () => {
  const keys = ({ results }) => results.map(({ key }) => key);
  assert.deepEqual(keys(await result("query")), ["k1", "k2", "k3"]);
  assert.deepEqual(keys(await result("query", "--sort", "key desc", "--limit", "2")), ["k3", "k2"]);
  const both = ["--where", "arrayOfIntExample >= 2", "--where", 'key != "k3"'];
  assert.deepEqual(keys(await result("query", ...both)), ["k2"]);
  assert.deepEqual(await result("query", "--count", "--where", "arrayOfIntExample >= 2"), { total: 2 });
  const { stdout } = await cli(["query", "--limit", "2"]);
  assert.deepEqual(keys({ results: parseLines(stdout) }), ["k1", "k2"]);
  const none = await cli(["query", "--where", 'key = "none"']);
  assert.deepEqual(none, { code: 0, stdout: "", stderr: "No resource matches.\n" });
});

test("status prints the facts for a person, or all of them as JSON", async () => {
  assert.equal((await result("status")).resources, 3);
  const { stdout } = await cli(["status"]);
  assert.match(stdout, /^resources {11}3$/m);
  assert.match(stdout, /^project {13}demo at http/m);
});

test("an export moves a project, continues after its position, and replaces no file by accident", async () => {
  const exported = await result("export", "--out", "all.ndjson");
  assert.deepEqual([exported.resources, exported.deleted, exported.file], [3, 0, "all.ndjson"]);
  const text = readFileSync(join(folder, "all.ndjson"), "utf8");
  assert.equal((await cli(["export"])).stdout, text);
  const again = await cli(["export", "--out", "all.ndjson"]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /all\.ndjson exists\. Use another --out, or --force/);
  assert.equal((await cli(["export", "--out", "all.ndjson", "--force"])).code, 0);
  // A disk that is full writes the beginning of a page. Here files have at most 1,024 bytes.
  const full = [
    "trap '' XFSZ; ulimit -f 1; exec \"$@\"",
    "bash",
    process.execPath,
    MAIN,
    "export",
    "--out",
    "full.ndjson",
  ];
  const env = { ...KNOWN, RESOURCE_EDGE_URL: url, RESOURCE_EDGE_TOKEN: await tokenOf("demo") };
  const cut = await run("bash", ["--norc", "-c", ...full], { cwd: folder, env });
  assert.deepEqual([cut.code, existsSync(join(folder, "full.ndjson"))], [1, false], cut.stderr);
  const nowhere = await cli(["export", "--out", "none/all.ndjson"]);
  assert.deepEqual([nowhere.code, nowhere.stderr], [1, "error: There is no folder 'none'. Create it first.\n"]);
  const moved = await result("import", "all.ndjson", "--project", "moved");
  assert.deepEqual(moved, { imported: 3, skipped: 0, resources: 3, isComplete: true });
  const later = await result("export", "--after", exported.position, "--out", "later.ndjson");
  assert.equal(later.resources, 0);
});

test("an import continues where an earlier one stopped", async () => {
  await result("export", "--out", "whole.ndjson");
  const lines = readFileSync(join(folder, "whole.ndjson"), "utf8").split("\n");
  writeFileSync(join(folder, "part.ndjson"), `${lines.slice(0, 2).join("\n")}\n`);
  const part = await cli(["import", "part.ndjson", "--project", "resumed", "--json"]);
  assert.equal(part.code, 4, "the part has no end");
  assert.equal(JSON.parse(part.stdout).imported, 2);
  const rest = await result("import", "whole.ndjson", "--project", "resumed");
  assert.deepEqual(rest, { imported: 1, skipped: 2, resources: 3, isComplete: true });
});

test("an import names the line that is wrong, and sends nothing of the file", async () => {
  const [line] = (await cli(["export"])).stdout.split("\n");
  writeFileSync(join(folder, "wrong.ndjson"), `${line}\n{"id":\n`);
  const { code, stderr } = await cli(["import", "wrong.ndjson", "--project", "untouched"]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: wrong\.ndjson, line 2: The line is not JSON\.$/m);
  assert.equal((await result("status", "--project", "untouched")).resources, 0);
  assert.match((await cli(["import", "none.ndjson"])).stderr, /There is no file 'none\.ndjson'/);
  const used = await cli(["import", "whole.ndjson"]);
  assert.equal(used.code, 1);
  assert.match(used.stderr, /import/);
});

/** Starts a service with these responses in turn: each a status and a body. Returns its address and its requests. */
async function scripted(t, responses) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const [status, body] = request.url === "/oauth/token" ? [200, { access_token: "t" }] : responses.shift();
    const headers = { "Content-Type": "application/json", "Retry-After": "1" };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  const { url: address, close } = await listen(server);
  t.after(close);
  return { asked, address };
}

test("a request that the service is too busy for is repeated, and an expired token is renewed", async (t) => {
  const busy = [503, { message: "The database is unavailable." }];
  const { asked, address } = await scripted(t, [
    [401, { message: "The token has expired." }],
    [200, { resources: 2 }],
    busy,
    [200, { deleted: 2, remaining: 0, isDone: true }],
  ]);
  const { code, stdout, stderr } = await cli(["clear", "--yes", "--url", address]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "Deleted 2 resources of demo.\n");
  assert.equal(stderr, "The response had the status 503. Trying again in 1 s.\n");
  const call = "DELETE /demo/data?confirm=demo";
  const token = "POST /oauth/token";
  assert.deepEqual(asked, [token, "GET /demo/status", token, "GET /demo/status", call, call]);
});

test("clear asks first, and deletes all", async () => {
  await result("import", "all.ndjson", "--project", "gone");
  const asked = await cli(["clear", "--project", "gone"]);
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /This would delete 3 resources of gone\. To confirm it in a script, add --yes/);
  assert.equal((await result("status", "--project", "gone")).resources, 3);
  assert.deepEqual(await result("clear", "--project", "gone", "--yes"), { deleted: 3 });
  assert.equal((await result("status", "--project", "gone")).resources, 0);
});

test("clear deletes nothing unless a person types the name of the project", async () => {
  await result("import", "all.ndjson", "--project", "asked");
  const command = `"${process.execPath}" "${MAIN}" clear --project asked`;
  const env = { ...KNOWN, RESOURCE_EDGE_URL: url, RESOURCE_EDGE_TOKEN: await tokenOf("asked") };
  // A separate terminal.
  const type = (name) => run("script", ["-qec", command, "/dev/null"], { cwd: folder, env }, `${name}\n`);
  const other = await type("demo");
  assert.equal(other.code, 2, other.stdout);
  assert.match(
    other.stdout,
    /This will delete 3 resources of asked at http\S+ Type the name of the project to continue:/,
  );
  assert.match(other.stdout, /That is not the name of the project\. Nothing was changed\./);
  assert.equal((await result("status", "--project", "asked")).resources, 3);
  assert.match((await type("asked")).stdout, /Deleted 3 resources of asked\./);
});

test("restore sends the moment, and reports that this platform keeps no past", async () => {
  const { code, stderr } = await cli(["restore", "--time", new Date().toISOString(), "--yes", "--json"]);
  assert.equal(code, 1);
  assert.equal(JSON.parse(stderr).error.errors[0].code, "InvalidOperation");
});

test("restore prints the bookmark that undoes it", async (t) => {
  const { asked, address } = await scripted(t, [[200, { undo: "b-1" }]]);
  const { code, stdout } = await cli(["restore", "--bookmark", "b-0", "--yes", "--url", address]);
  assert.equal(code, 0);
  const [, undo] = /^ *resource-edge (restore .*)$/m.exec(stdout);
  assert.equal(undo, `restore --url ${address} --project demo --bookmark b-1`);
  assert.deepEqual(asked, ["POST /oauth/token", "POST /demo/restore?bookmark=b-0&confirm=demo"]);
});

test("tests in any language reset the mock, make it fail, and read its requests", async () => {
  await control("fail", { operation: "query", status: 503 });
  const { access_token } = await result("token");
  const query = () => fetch(`${url}/demo/resource`, { headers: { Authorization: `Bearer ${access_token}` } });
  assert.deepEqual([(await query()).status, (await query()).status], [503, 200]);
  const requests = await (await fetch(`${url}/_mock/requests`)).json();
  assert.deepEqual(
    requests.slice(-2).map(({ operation, status }) => [operation, status]),
    [
      ["query", 503],
      ["query", 200],
    ],
  );
  const wrong = await control("fail", { states: 503 });
  assert.equal(wrong.status, 400);
  assert.match((await wrong.json()).message, /states/);
  assert.equal((await control("nothing")).status, 404);
  assert.equal((await control("reset")).status, 200);
  const fresh = await (await fetch(`${url}/_mock/requests`)).json();
  assert.deepEqual(fresh, []);
  assert.equal((await result("query", "--count")).total, 3);
});

test("a caller that leaves, and a fault of the network, do not end the mock", async () => {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  const head = "POST /demo/resource HTTP/1.1\r\nHost: mock\r\nContent-Length: 9\r\n\r\n{";
  await new Promise((sent) => socket.write(head, () => sent(socket.destroy())));
  await control("fail", { operation: "query", networkError: true });
  const { access_token } = await result("token");
  const query = () => fetch(`${url}/demo/resource`, { headers: { Authorization: `Bearer ${access_token}` } });
  await assert.rejects(query());
  assert.equal((await query()).status, 200);
});

test("the mock sends events as they happen, and responds to a socket's request without one", async () => {
  const { access_token } = await result("token");
  const headers = { Authorization: `Bearer ${access_token}` };
  const signal = AbortSignal.timeout(10_000);
  const events = await fetch(`${url}/demo/changes`, { headers: { ...headers, Accept: "text/event-stream" }, signal });
  const reader = events.body.getReader();
  const { value } = await reader.read();
  assert.match(new TextDecoder().decode(value), /^(id|data|event|retry|:)/m);
  await reader.cancel();
  const asks = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "a" };
  const sent = get(`${url}/demo/changes`, { headers: { ...headers, ...asks }, signal });
  const [response] = await once(sent, "response");
  assert.equal(response.statusCode, 200);
  response.destroy();
});

test("Ctrl-C ends the mock", async () => {
  const args = [MAIN, "mock", "--port", "0", "--host", "::1"];
  const other = await serve(process.execPath, args, { cwd: folder, env: KNOWN }, /Serving .* at http:\/\/\[::1\]:\d+ /);
  assert.match(other.output, /No token is needed/);
  assert.equal(await other.end(), 0);
});
