// `resource-edge dev` with a wrangler of the test: how it ends, and who has the data.

import assert from "node:assert/strict";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { exampleFor } from "../../pkg/dist/cli/example.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { eventually } from "../support/waiting.mjs";
import { folderFor, KNOWN, MAIN, run, serve } from "./npm-project.mjs";
import { RESOURCES } from "./resources.mjs";

const folder = folderFor("resource-edge-dev-");

const SERVER = 'createServer((_, response) => response.end()).listen(port, "127.0.0.1");';

/** Writes a project whose wrangler is a server that does this. Returns its folder. */
function projectOf(name, then, server = SERVER) {
  const project = join(folder, name);
  const wrangler = join(project, "node_modules/wrangler");
  mkdirSync(wrangler, { recursive: true });
  const files = { "wrangler.jsonc": "{}", "package.json": "{}" };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  writeFileSync(join(wrangler, "package.json"), '{ "version": "4.0.0", "bin": { "wrangler": "run.mjs" } }');
  const program = `import { createServer } from "node:http";
const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
${server}
${then}
`;
  writeFileSync(join(wrangler, "run.mjs"), program);
  return project;
}

const DEV = [MAIN, "dev", "--port", "0", "--json"];

test("dev fails if its server is killed", async () => {
  const cwd = projectOf("killed", 'setTimeout(() => process.kill(process.pid, "SIGKILL"), 1_500);');
  const { code, stdout, stderr } = await run(process.execPath, DEV, { cwd, env: KNOWN });
  assert.deepEqual([code, Object.keys(JSON.parse(stdout))], [1, ["url"]], stderr);
});

test("one dev at a time has the data of a folder, and its server ends with it, however it ends", async () => {
  const cwd = projectOf("held", "");
  const first = await serve(process.execPath, DEV, { cwd, env: KNOWN }, /\{.*\}\n/);
  const { url } = JSON.parse(first.output);
  const second = await run(process.execPath, DEV, { cwd, env: KNOWN });
  const state = join(cwd, ".wrangler/state");
  const message = `Another server uses the data in ${state}. Stop it, or use another folder.`;
  assert.deepEqual([second.code, JSON.parse(second.stderr).error.message], [1, message]);
  assert.equal(statSync(state).mode & 0o777, 0o700);
  assert.equal((await fetch(url)).status, 200);
  process.kill(first.pid, "SIGKILL");
  await eventually(() => assert.rejects(fetch(url)));
  const third = await serve(process.execPath, DEV, { cwd, env: KNOWN }, /\{.*\}\n/);
  assert.equal(await third.end("SIGTERM"), 0);
});

test("dev prints a body that the service accepts, and a condition that finds it", async () => {
  const sku = { type: "string", pattern: "^[A-Z]{2}$" };
  const one = (properties, /** @type {Record<string, string>} */ projects = { "*": "one" }) => ({
    resources: { one: { type: "object", required: Object.keys(properties), properties } },
    projects,
  });
  /** @type {[any, string, string][]} */
  const cases = [
    [undefined, "demo", "version >= 1"],
    [one({}, {}), "demo", "version >= 1"],
    [{ ...RESOURCES, projects: { "*": "supplier", products: "product" } }, "products", "price <= 40"],
    [one({ size: { type: "number" } }, { "shop-*": "one" }), "shop-demo", "size <= 40"],
    [one({ title: { ...sku, examples: ["AB"] }, count: { type: "integer", default: 3 } }), "demo", "count <= 3"],
    [one({ title: { type: "string", examples: ["it's"] } }), "demo", "version >= 1"],
    [one({ title: sku, count: { type: "integer" } }), "demo", "version >= 1"],
  ];
  for (const [resources, project, where] of cases) {
    const example = await exampleFor(resources);
    assert.deepEqual([example.project, example.where], [project, where]);
    assert.equal(example.body === undefined, resources === cases.at(-1)?.[0]);
    if (example.body === undefined) continue;
    assert.ok(!example.body.includes("'"));
    const service = await createService({ resources, authenticate: false });
    const headers = { "Content-Type": "application/json" };
    const { status } = await service.fetch(`/${project}/resource`, { method: "POST", headers, body: example.body });
    assert.equal(status, 201);
    const found = await service.fetch(`/${project}/resource?where=${encodeURIComponent(where)}`);
    assert.equal((await found.json()).total, 1);
    service.close();
  }
});

test("dev leaves the log to wrangler, and shows how to call the server again on Enter", async () => {
  const then = 'console.log(process.argv.slice(2).join(" ")); setTimeout(() => process.exit(3), 3_000);';
  const cwd = projectOf("terminal", then);
  const command = `"${process.execPath}" "${MAIN}" dev --port 0 -- --var A:b`;
  // The terminal keeps the line until something reads it.
  const { code, stdout } = await run("script", ["-qec", command, "/dev/null"], { cwd, env: KNOWN }, "\n");
  assert.match(stdout, /^dev --ip 127\.0\.0\.1 --port \d+ --inspector-port 0 --persist-to \S+ --var A:b\r$/m);
  assert.deepEqual([code, stdout.match(/In another shell/g)?.length], [3, 2], stdout);
  assert.match(stdout, /^ {2}Enter shows this again\.\r$/m);
});

test("dev refuses wrong resources, and starts again when they are right", async () => {
  const cwd = projectOf("wrong", "setTimeout(() => process.exit(1), 1_500);");
  const write = (type) =>
    writeFileSync(
      join(cwd, "resources.json"),
      JSON.stringify({ resources: { product: { type: "object", properties: { title: { type } } } } }),
    );
  write("text");
  const refused = await run(process.execPath, DEV, { cwd, env: KNOWN });
  const wrong = "resources.json: The resources are invalid at /resources/product/properties/title/type: ";
  assert.equal(refused.code, 1);
  assert.ok(JSON.parse(refused.stderr).error.message.startsWith(wrong), refused.stderr);
  write("string");
  const args = DEV.filter((arg) => arg !== "--json");
  const server = await serve(process.execPath, args, { cwd, env: KNOWN }, /"title":"Desk lamp"/);
  write("text");
  await eventually(() => assert.match(server.output, /Correct resources\.json: then the server starts again\./));
  assert.ok(server.output.includes(wrong), server.output);
  write("string");
  await eventually(() => assert.equal(server.output.match(/In another shell/g)?.length, 2));
  await server.end("SIGTERM");
});

test("dev loads its seed into an empty project, and says what it refuses", async () => {
  /** @type {[string, string[], RegExp][]} */
  const cases = [
    ["empty", [], /^seed\.csv, line 3: \/price Malformed .*\nLoaded 1 resource of seed\.csv into products\.$/m],
    ["full", ["--seed", "full.csv"], /^products has 2 resources, so seed\.csv is not loaded\.$/m],
  ];
  for (const [name, args, expected] of cases) {
    const mock = `process.argv.splice(2, Infinity, "mock", "--authenticate", "--port", String(port));
process.argv.push(...${JSON.stringify(args)});
await import(${JSON.stringify(MAIN)});`;
    const cwd = projectOf(name, "", mock);
    writeFileSync(join(cwd, "resources.json"), JSON.stringify({ ...RESOURCES, projects: { products: "product" } }));
    writeFileSync(join(cwd, "seed.csv"), "title,price\nA,1\nB,-1\n");
    writeFileSync(join(cwd, "full.csv"), "title,price\nA,1\nB,2\n");
    // The client of the mock.
    writeFileSync(join(cwd, ".dev.vars"), "DEV_CLIENT_ID=testing\nDEV_CLIENT_SECRET=testing-secret\n");
    const dev = [MAIN, "dev", "--port", "0", "--seed", "seed.csv"];
    const server = await serve(process.execPath, dev, { cwd, env: KNOWN }, /In another shell/);
    assert.match(server.output, expected);
    assert.equal(await server.end("SIGTERM"), 0);
  }
  const missing = await run(process.execPath, [...DEV, "--seed", "none.csv"], {
    cwd: join(folder, "full"),
    env: KNOWN,
  });
  assert.equal(JSON.parse(missing.stderr).error.message, "There is no file 'none.csv'.");
});
