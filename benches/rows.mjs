// The cost of each operation on the platform: rows that SQLite read and wrote, alarms that were set, requests to the
// object, and operations on KV. These figures are in src/guide/evaluate/cost.md. They do not depend on the machine.
//
//   node benches/rows.mjs                 every operation
//   node benches/rows.mjs --short         those that have a bound
import { fileURLToPath } from "node:url";

import { tokenFor } from "./lib/token.mjs";
import { Instance, ours } from "./lib/instance.mjs";
import { smallBody } from "./lib/workloads.mjs";

/** The module that counts the calls of the bindings of our Worker for the tests. */
const COUNTING = { "faulty.mjs": fileURLToPath(new URL("../tests/workerd/faulty.mjs", import.meta.url)) };

const HEADERS = {
  Authorization: `Bearer ${tokenFor(["manage_test:rows", "manage_test:copy"])}`,
  "Content-Type": "application/json",
};
/** The most rows that a call may write. */
const AT_MOST = { "create, small body, no key": 12, "update, someProperty": 4 };
const isShort = process.argv.includes("--short");
/** Long enough for the drain, and for the alarm that a write arms. */
const ALARM_MS = 8_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const draft = (serial, more) => JSON.stringify({ ...more, ...JSON.parse(smallBody(serial)) });
const actions = (version, text) =>
  JSON.stringify({ version, actions: [{ action: "changeSomeProperty", someProperty: text }] });

const worker = ours();
const instance = await Instance.start({ ...worker, modules: { ...COUNTING, ...worker.modules } });
async function send(method, path, body, headers = {}) {
  const response = await fetch(instance.origin + path, { method, body, headers: { ...HEADERS, ...headers } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}
const call = (method, path, body, headers) => send(method, `/rows/resource${path}`, body, headers);
/** Returns the counts since the last time, in the order of the table's columns. */
async function counted() {
  const counts = await (await fetch(`${instance.origin}/__calls`)).json();
  const { requests, rowsWritten, rowsRead, alarms, reads, puts, lists } = counts;
  return [requests, rowsWritten, rowsRead, alarms, reads.length, puts.length, lists];
}

/** Prints the average cost of so many calls. It includes everything that follows them until the object is idle. */
async function measure(name, calls, run) {
  const most = AT_MOST[name];
  if (isShort && most === undefined) return;
  await counted();
  for (let at = 0; at < calls; at++) await run(at);
  await pause(ALARM_MS);
  const total = await counted();
  const columns = total.map((count) => String(Math.round((count / calls) * 100) / 100));
  if (columns[1] > most) columns[1] += " !";
  columns.splice(2, 0, most ?? "");
  console.log(`| ${[name, ...columns].join(" | ")} |`);
}

const FRESH = { "Cache-Control": "no-cache" };
try {
  console.log(
    "| operation | requests to the object | rows written | at most | rows read | alarms set | KV reads | KV puts " +
      "| KV lists |",
  );
  console.log(`|---|${"---:|".repeat(8)}`);
  await call("POST", "", draft(0, { id: "first", key: "first" }));
  await pause(ALARM_MS);
  await measure("create, small body, no key", 100, (at) => call("POST", "", draft(1 + at, { id: `c${at}` })));
  await measure("create, empty body, no key", 100, (at) =>
    call("POST", "", JSON.stringify({ id: `e${at}`, objectTypeProperty: {} })),
  );
  await measure("create, small body, with a key", 100, (at) =>
    call("POST", "", draft(200 + at, { id: `k${at}`, key: `k${at}` })),
  );
  await measure("update, doSomeThing", 100, (at) =>
    call("POST", `/e${at}`, JSON.stringify({ version: 1, actions: [{ action: "doSomeThing" }] })),
  );
  await measure("update, someProperty", 100, (at) => call("POST", `/c${at}`, actions(1, `change ${at}`)));
  await measure("update, someProperty, Idempotency-Key", 100, (at) =>
    call("POST", `/c${at}`, actions(2, `other ${at}`), { "Idempotency-Key": `u${at}` }),
  );
  await measure("update, alone within ten seconds", 1, () => call("POST", "/c0", actions(3, "alone")));
  await measure("delete, small body, no key", 50, (at) => call("DELETE", `/c${at}`));
  await measure("read by id, from KV", 100, (at) => call("GET", `/k${at}`));
  await measure("read by key, from KV", 100, (at) => call("GET", `/key=k${at}`));
  await measure("read by id, fresh", 100, (at) => call("GET", `/k${at}`, undefined, FRESH));
  await measure("query, one match by index", 100, (at) =>
    call("GET", `/sorted-query-parameters?withTotal=false&where=arrayOfFloatExample%3D${200 + at}.5`),
  );
  await measure("query, first page of 20, withTotal=false", 100, () =>
    call("GET", "/sorted-query-parameters?withTotal=false"),
  );
  await measure("query, first page of 20, with the total", 100, () => call("GET", "/sorted-query-parameters"));
  await measure("search, one word, one match", 100, (at) => call("GET", `/searchApiPattern?text.en=${200 + at}`));
  await send("GET", "/rows/status");
  await measure("status, after the first", 10, () => send("GET", "/rows/status"));
  let page = "";
  await measure("export, the page below", 1, async () => (page = await send("GET", "/rows/export")));
  await measure(`import, a page of ${page.trim().split("\n").length} lines`, 1, () =>
    send("POST", "/copy/import", page, { "Content-Type": "application/x-ndjson" }),
  );
  await measure("delete a project's data, 200 resources", 1, () => send("DELETE", "/copy/data?confirm=copy"));
} finally {
  await instance.stop();
}
