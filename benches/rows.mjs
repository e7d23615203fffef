// What each operation costs on the platform: rows that SQLite read and wrote, alarms that were set, requests to the
// object, and operations on KV. These figures are in src/guide/operations.md. They do not depend on the machine.
import { tokenFor } from "./lib/token.mjs";
import { Instance, ours } from "./lib/instance.mjs";
import { smallBody } from "./lib/workloads.mjs";

// A module around the built Worker that counts the calls of its bindings. `GET /counted` returns the counts and resets
// them.
const COUNTING = `
import worker, { ProjectObject as Real } from "./entry.js";
const NAMES = ["requests", "rowsWritten", "rowsRead", "setAlarm", "kvReads", "kvPuts", "kvLists"];
const counted = Object.fromEntries(NAMES.map((name) => [name, 0]));
let cursors = [];
const settle = () => {
  for (const cursor of cursors) {
    counted.rowsWritten += cursor.rowsWritten;
    counted.rowsRead += cursor.rowsRead;
  }
  cursors = [];
};
const kvOf = (kv) => ({
  getWithMetadata: (...args) => (counted.kvReads++, kv.getWithMetadata(...args)),
  put: (...args) => (counted.kvPuts++, kv.put(...args)),
  list: (...args) => (counted.kvLists++, kv.list(...args)),
});
const wrapEnv = (env) =>
  new Proxy(env, { get: (target, name) => (name === "RESOURCES" ? kvOf(target.RESOURCES) : target[name]) });
const sqlOf = (sql) => ({
  exec(...args) {
    const cursor = sql.exec(...args);
    cursors.push(cursor);
    return cursor;
  },
});
const storageOf = (storage) => new Proxy(storage, {
  get(target, name) {
    if (name === "sql") return sqlOf(target.sql);
    if (name === "setAlarm") return (...args) => (counted.setAlarm++, target.setAlarm(...args));
    const value = target[name];
    return typeof value === "function" ? value.bind(target) : value;
  },
});
export class ProjectObject extends Real {
  constructor(ctx, env) {
    super(ctx, wrapEnv(env));
    Object.defineProperty(this, "ctx", { value: { storage: storageOf(ctx.storage) } });
  }
  perform(message) {
    counted.requests++;
    return super.perform(message);
  }
  alarm() {
    counted.requests++;
    return super.alarm();
  }
}
export default {
  fetch(request, env, ctx) {
    if (!request.url.endsWith("/counted")) return worker.fetch(request, wrapEnv(env), ctx);
    settle();
    const answer = Response.json(counted);
    for (const name of NAMES) counted[name] = 0;
    return answer;
  },
};`;

function counting() {
  const worker = ours();
  return {
    ...worker,
    modules: [{ type: "ESModule", path: `${worker.modulesRoot}/counting.mjs`, contents: COUNTING }, ...worker.modules],
  };
}

const HEADERS = { Authorization: `Bearer ${tokenFor(["manage_test:rows"])}`, "Content-Type": "application/json" };
/** Long enough for the drain, and for the alarm that a write arms. */
const ALARM_MS = 8_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const draft = (serial, more) => JSON.stringify({ ...more, ...JSON.parse(smallBody(serial)) });
const actions = (version, text) =>
  JSON.stringify({ version, actions: [{ action: "changeSomeProperty", someProperty: text }] });

const instance = await Instance.start(counting());
async function call(method, path, body, headers = {}) {
  const response = await fetch(`${instance.origin}/rows/resource${path}`, {
    method,
    body,
    headers: { ...HEADERS, ...headers },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}
const counted = async () => (await fetch(`${instance.origin}/counted`)).json();

/** Returns the average cost of the calls. It includes everything that follows them until the object is idle. */
async function measure(name, calls) {
  await counted();
  for (const one of calls) await one();
  await pause(ALARM_MS);
  const total = await counted();
  const columns = Object.values(total).map((count) => String(Math.round((count / calls.length) * 100) / 100));
  console.log(`| ${[name, ...columns].join(" | ")} |`);
}

const times = (count, run) => Array.from({ length: count }, (_, at) => () => run(at));
const FRESH = { "Cache-Control": "no-cache" };
try {
  console.log(
    "| operation | requests to the object | rows written | rows read | alarms set | KV reads | KV puts | KV lists |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  await call("POST", "", draft(0, { id: "first", key: "first" }));
  await pause(ALARM_MS);
  await measure(
    "create, small body, no key",
    times(100, (at) => call("POST", "", draft(1 + at, { id: `c${at}` }))),
  );
  await measure(
    "create, empty body, no key",
    times(100, (at) => call("POST", "", JSON.stringify({ id: `e${at}`, objectTypeProperty: {} }))),
  );
  await measure(
    "create, small body, with a key",
    times(100, (at) => call("POST", "", draft(200 + at, { id: `k${at}`, key: `k${at}` }))),
  );
  await measure(
    "update, doSomeThing",
    times(100, (at) => call("POST", `/e${at}`, JSON.stringify({ version: 1, actions: [{ action: "doSomeThing" }] }))),
  );
  await measure(
    "update, someProperty",
    times(100, (at) => call("POST", `/c${at}`, actions(1, `change ${at}`))),
  );
  await measure(
    "update, someProperty, Idempotency-Key",
    times(100, (at) => call("POST", `/c${at}`, actions(2, `other ${at}`), { "Idempotency-Key": `u${at}` })),
  );
  await measure(
    "update, alone within ten seconds",
    times(1, () => call("POST", "/c0", actions(3, "alone"))),
  );
  await measure(
    "delete, small body, no key",
    times(50, (at) => call("DELETE", `/c${at}`)),
  );
  await measure(
    "read by id, from KV",
    times(100, (at) => call("GET", `/k${at}`)),
  );
  await measure(
    "read by key, from KV",
    times(100, (at) => call("GET", `/key=k${at}`)),
  );
  await measure(
    "read by id, fresh",
    times(100, (at) => call("GET", `/k${at}`, undefined, FRESH)),
  );
  await measure(
    "query, one match by index",
    times(100, (at) =>
      call("GET", `/sorted-query-parameters?withTotal=false&where=arrayOfFloatExample%3D${200 + at}.5`),
    ),
  );
  await measure(
    "query, first page of 20, withTotal=false",
    times(100, () => call("GET", "/sorted-query-parameters?withTotal=false")),
  );
  await measure(
    "query, first page of 20, with the total",
    times(100, () => call("GET", "/sorted-query-parameters")),
  );
  await measure(
    "search, one word, one match",
    times(100, (at) => call("GET", `/searchApiPattern?text.en=${200 + at}`)),
  );
} finally {
  await instance.stop();
}
