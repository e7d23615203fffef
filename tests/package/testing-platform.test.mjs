// Compares what no case shows of the platform of `resource-edge/testing` with workerd's: the same program with
// transactions and alarms.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { Clock } from "../../pkg/dist/testing/clock.js";
import { loadSqlite } from "../../pkg/dist/testing/sqlite.js";
import { Kv, Storage } from "../../pkg/dist/testing/storage.js";
import { startWorkerd } from "../support/workerd.mjs";

const LATER = Date.parse("2100-01-01T00:00:00Z");

/** Probes an object's storage. Its source text also runs in workerd. */
async function probeStorage(storage, later) {
  const rows = (sql) =>
    storage.sql
      .exec(sql)
      .toArray()
      .map((row) => Object.values(row));
  const attempt = (run) => {
    try {
      return ["returned", run()];
    } catch (error) {
      return ["threw", error === undefined ? "undefined" : error instanceof Error ? "an error" : error];
    }
  };
  const found = {};
  rows("CREATE TABLE t(a INTEGER PRIMARY KEY) STRICT");
  found.committed = attempt(() =>
    storage.transactionSync(() => {
      rows("INSERT INTO t(a) VALUES(3)");
      return "done";
    }),
  );
  found.first = await storage.getAlarm();
  for (const thrown of [new Error("no"), undefined]) {
    const rolledBack = attempt(() =>
      storage.transactionSync(() => {
        rows("DELETE FROM t");
        storage.setAlarm(later);
        throw thrown;
      }),
    );
    found[`rolled back: ${thrown}`] = [rolledBack, rows("SELECT count(*) AS n FROM t"), await storage.getAlarm()];
  }
  // A failed statement does not end the transaction.
  found.partial = attempt(() =>
    storage.transactionSync(() => {
      rows("INSERT INTO t(a) VALUES(4)");
      return attempt(() => rows("INSERT INTO t(a) VALUES(4)"));
    }),
  );
  storage.transactionSync(() => void storage.setAlarm(later));
  found.alarm = await storage.getAlarm();
  await storage.setAlarm(later + 1);
  found.moved = await storage.getAlarm();
  found.count = rows("SELECT count(*) AS n FROM t");
  return found;
}

const workerd = startWorkerd({
  modules: true,
  durableObjects: { PROBE: { className: "Probe", useSQLite: true } },
  script: `
    import { DurableObject } from "cloudflare:workers";
    const probeStorage = ${probeStorage};
    export class Probe extends DurableObject {
      alarm() {}
      probe() { return probeStorage(this.ctx.storage, ${LATER}); }
    }
    export default {
      async fetch(request, env) {
        return Response.json(await env.PROBE.getByName("a").probe());
      }
    };`,
});
after(() => workerd.dispose());
const response = await workerd.dispatchFetch("http://probe/");
assert.equal(response.status, 200, await response.clone().text());
const real = await response.json();

/** Converts a value like the transfer from workerd. */
const json = (value) => JSON.parse(JSON.stringify(value));

for (const engine of process.getBuiltinModule?.("node:sqlite") === undefined ? ["wasm"] : ["wasm", "node"]) {
  test(`an object's storage behaves as in workerd, sqlite: ${engine}`, async () => {
    const open = await loadSqlite(/** @type {"node" | "wasm"} */ (engine));
    const clock = new Clock(0);
    let rang = 0;
    const storage = new Storage(open(), clock, () => void (rang += 1));
    assert.deepEqual(json(await probeStorage(storage, LATER)), real);
    await clock.advance(LATER);
    assert.equal(rang, 0);
    await clock.advance(1);
    assert.deepEqual([rang, await storage.getAlarm()], [1, null]);
  });
}

test("a KV entry ends with its time to live", async () => {
  const clock = new Clock(0);
  const kv = new Kv(clock, 0);
  await kv.put("a", "text", { metadata: {}, expirationTtl: 60 });
  await clock.advance(59_999);
  assert.equal((await kv.getWithMetadata("a", { type: "text" })).value, "text");
  await clock.advance(1);
  assert.equal((await kv.getWithMetadata("a", { type: "text" })).value, null);
  assert.deepEqual((await kv.list({ prefix: "" })).keys, []);
});
