// The proof of a deployed service (`make prove`), shortened, against `make serve`. It notices what does not hold.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startGroup } from "../support/group.mjs";
import { connectTo, folder, ROOT, secretsOf, settings, startIn } from "../workerd/support.mjs";
import { restore } from "./points.mjs";
import { openService } from "./service.mjs";

const CLIENT = { id: "tests", secret: "tests-secret" };
const files = folder();
const [log, report] = ["log", "report"].map((name) => join(files, name));

let server = /** @type {any} */ (undefined);
let timer = /** @type {any} */ (undefined);
before(async () => {
  const args = [join(ROOT, "build/self-hosted/serve.mjs"), "--port", "0", "--data", folder()];
  server = startGroup(process.execPath, args, { cwd: ROOT, env: { PATH: process.env.PATH, ...settings() } });
  const [, url] = await server.printed(/Serving (http:\S+)/);
  connectTo(server, new URL(url));
  timer = setInterval(() => writeFileSync(log, server.output), 200);
});
after(async () => {
  clearInterval(timer);
  server.agent.destroy();
  await server.end("SIGTERM");
});

/** Runs the proof. Returns its exit code, what it printed, its report, and the result of each point. */
async function prove(url, ...options) {
  const environment = { RESOURCE_EDGE_CLIENT_ID: CLIENT.id, RESOURCE_EDGE_CLIENT_SECRET: CLIENT.secret };
  const args = ["tests/prove/main.mjs", url, "--report", report, ...options];
  const run = startGroup(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...environment } });
  const code = await run.exited;
  const text = readFileSync(report, "utf8");
  const points = Object.fromEntries([...text.matchAll(/^## (\w+): (.*)$/gm)].map(([, name, state]) => [name, state]));
  return { code, output: run.output, text, points };
}

test("a service that works holds every point, and no data of the run remains", { timeout: 300_000 }, async () => {
  const { code, output, text, points } = await prove(server.url.href, "--minutes", "0.15", "--log", log);
  const held = ["smoke", "cases", "races", "histories", "lag", "latencies"].map((name) => [name, "held"]);
  // workerd keeps no past.
  assert.deepEqual(points, { ...Object.fromEntries(held), restore: "not tried" }, text);
  assert.equal(code, 0, output);
  for (const secret of [CLIENT.secret, ...secretsOf()]) assert.ok(!`${output}${text}`.includes(secret), secret);
  assert.doesNotMatch(text, /\beyJ/);
  const [, run] = /projects whose names begin with (\S+),/.exec(output);
  const [, cases] = / of (\d+) cases ran/.exec(text);
  // Projects of cases, and those of the other points.
  const numbers = Array.from({ length: 100 }, (_, at) => at + 1);
  const lines = await Promise.all(
    [...numbers, ...numbers.map((at) => at + Number(cases))].map(async (at) => {
      const [page] = await server.pages(`${run}-${at}`);
      return page.split("\n").filter((line) => line !== "" && !/^\{"(end|deletedAt)"/.test(line));
    }),
  );
  assert.deepEqual(lines.flat(), []);
});

test("a point that fails ends no other, and the report says what it means", { timeout: 120_000 }, async (t) => {
  // Every conflict looks like a success.
  const proxy = http.createServer(({ method, url, headers }, response) => {
    const sent = http.request(new URL(url, server.url), { method, headers }, (got) => {
      response.writeHead(got.statusCode === 409 ? 200 : got.statusCode, got.headers);
      got.pipe(response);
    });
    response.req.pipe(sent);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", () => resolve(undefined)));
  t.after(() => proxy.closeAllConnections() ?? proxy.close());
  const { port } = /** @type {import("node:net").AddressInfo} */ (proxy.address());
  const options = ["--minutes", "0.05", "--only", "smoke races lag"];
  const { code, text, points } = await prove(`http://127.0.0.1:${port}`, ...options);
  assert.deepEqual([code, points], [1, { smoke: "held", races: "failed", lag: "held" }], text);
  assert.match(text, /updates that name one version: round 1/);
  assert.match(text, /^\*\*What it means\.\*\* A write was lost/m);
});

test("a project is restored to a moment, and that is undone", { timeout: 60_000 }, async (t) => {
  const worker = await startIn(t, { past: true });
  const service = openService(worker.address, CLIENT);
  const between = (name) => worker.send({ method: "POST", target: `/__keep?project=${name}` });
  const { did, skipped } = await restore.run({ service, around: 1_000, between });
  assert.deepEqual([did.startsWith("A project was set back"), skipped], [true, undefined]);
  assert.deepEqual(await service.clear(Date.now() + 10_000), []);
});
