// The proof of a deployed service (`make prove`), shortened, against `make serve`. It notices what does not hold.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startGroup } from "../support/group.mjs";
import { connectTo, folder, later, project, ROOT, secretsOf, settings, startIn } from "../workerd/support.mjs";
import { Load } from "../world/torture/lib/load.mjs";
import { Random } from "../support/random.mjs";
import { histories } from "./histories.mjs";
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

/** Returns the variables with an API client. */
const variables = ({ id, secret }) => ({ RESOURCE_EDGE_CLIENT_ID: id, RESOURCE_EDGE_CLIENT_SECRET: secret });

/**
 * Starts a proxy of the service for a test. Returns its address. `answer` may respond to a request, or ignore it, and
 * returns whether it has; `change` returns another status of a response.
 */
async function proxy(t, { answer = (_request, _response) => false, change = (status) => status }) {
  const listening = http.createServer((request, response) => {
    if (answer(request, response)) return;
    const { method, url, headers } = request;
    const sent = http.request(new URL(url, server.url), { method, headers }, (got) => {
      response.writeHead(change(got.statusCode), got.headers);
      got.pipe(response);
    });
    sent.on("error", () => response.destroy());
    request.pipe(sent);
  });
  await new Promise((resolve) => listening.listen(0, "127.0.0.1", () => resolve(undefined)));
  t.after(() => listening.closeAllConnections() ?? listening.close());
  const { port } = /** @type {import("node:net").AddressInfo} */ (listening.address());
  return `http://127.0.0.1:${port}`;
}

/** Runs the proof. Returns its exit code, what it printed, its report, and the result of each point. */
async function prove(url, options, environment = variables(CLIENT)) {
  const args = ["tests/prove/main.mjs", url, "--report", report, ...options];
  const run = startGroup(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...environment } });
  const code = await run.exited;
  const text = readFileSync(report, "utf8");
  const points = Object.fromEntries([...text.matchAll(/^## (\w+): (.*)$/gm)].map(([, name, state]) => [name, state]));
  return { code, output: run.output, text, points };
}

test("a service that works holds every point, and no data of the run remains", { timeout: 300_000 }, async () => {
  const { code, output, text, points } = await prove(server.url.href, ["--minutes", "0.15", "--log", log]);
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
  const address = await proxy(t, { change: (status) => (status === 409 ? 200 : status) });
  const { code, text, points } = await prove(address, ["--minutes", "0.05", "--only", "smoke races lag"]);
  assert.deepEqual([code, points], [1, { smoke: "held", races: "failed", lag: "held" }], text);
  assert.match(text, /updates that name one version: round 1/);
  assert.match(text, /^\*\*What it means\.\*\* A write was lost/m);
});

test("followers and readers continue after a 503", { timeout: 120_000 }, async (t) => {
  let requests = 0;
  const answer = ({ method, url }, response) => {
    if (method !== "GET" || !/\/(changes|export|resource\/probe-)/.test(url)) return false;
    requests += 1;
    if (requests % 3 > 0) return false;
    response.writeHead(503, { "Content-Type": "application/json", "Retry-After": "0" });
    response.end('{"statusCode":503,"message":"Busy.","errors":[{"code":"ServiceUnavailable","message":"Busy."}]}');
    return true;
  };
  const address = await proxy(t, { answer });
  const { code, output, text, points } = await prove(address, ["--minutes", "0.05", "--only", "histories lag"]);
  assert.deepEqual(points, { histories: "held", lag: "held" }, `${output}${text}`);
  assert.match(text, /The checker found an order that explains them all\. 10 followers/);
  assert.equal(code, 0, output);
});

test("a file of credentials replaces the variables", { timeout: 60_000 }, async () => {
  const credentials = join(files, "credentials");
  const lines = Object.entries(variables(CLIENT)).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(credentials, lines.join(""));
  const options = ["--minutes", "0.05", "--only", "smoke", "--credentials", credentials];
  const { code, output } = await prove(server.url.href, options, variables({ id: "other", secret: "other" }));
  assert.equal(code, 0, output);
  writeFileSync(credentials, lines[0]);
  const half = await prove(server.url.href, options);
  assert.equal(half.code, 2, half.output);
  assert.match(half.output, /There is no API client/);
});

/** Returns a proxy of the service, with a function that asserts that it gets no more requests. */
async function counted(t, answer) {
  let requests = 0;
  const address = await proxy(t, { answer: (...args) => ++requests && answer?.(...args) });
  const assertQuiet = async () => {
    const before = requests;
    assert.ok(before > 0);
    await later(1_500);
    assert.equal(requests, before);
  };
  return { address, assertQuiet };
}

test("what a round of a load starts ends with it, also if a step throws", async (t) => {
  const { address, assertQuiet } = await counted(t);
  const name = project();
  const load = new Load({
    ...{ origin: address, token: await server.token(name), projects: [name], raw: 4, sessions: 2, pauseMs: 20 },
    ...{ random: (stream) => new Random("round", stream), record: () => {}, up: async () => {} },
  });
  const round = load.round(1, async () => {
    await later(500);
    throw new Error("made to fail");
  });
  await assert.rejects(round, /^Error: made to fail$/);
  await assertQuiet();
});

test("a point that is over sends nothing more, also to a service that no longer responds", {
  timeout: 60_000,
}, async (t) => {
  const end = new AbortController();
  const began = Date.now();
  const { address, assertQuiet } = await counted(t, () => Date.now() - began > 1_500);
  const service = openService(address, CLIENT);
  const { signal } = end;
  const context = { service, until: began + 60_000, isLocal: true, note: () => {}, signal };
  const running = service.within(signal, () => histories.run(context));
  setTimeout(() => end.abort(new Error("made to be late")), 3_000);
  await assert.rejects(running, /made to be late|aborted/);
  assert.ok(Date.now() - began < 3_000 + 10_000);
  await assertQuiet();
  await assert.rejects(
    service.within(signal, () => service.fresh(`GET /${project()}/resource`)),
    /made to be late/,
  );
  service.agent.destroy();
});

test("a project is restored to a moment, and that is undone", { timeout: 60_000 }, async (t) => {
  const worker = await startIn(t, { past: true });
  const service = openService(worker.address, CLIENT);
  const between = (name) => worker.send({ method: "POST", target: `/__keep?project=${name}` });
  const { did, skipped } = await restore.run({ service, around: 1_000, between });
  assert.deepEqual([did.startsWith("A project was set back"), skipped], [true, undefined]);
  assert.deepEqual(await service.clear(Date.now() + 10_000), []);
});
