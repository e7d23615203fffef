// Compares the platform of `resource-edge/testing` with workerd's: the same program on an object's storage and on KV.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Clock } from "../../pkg/dist/testing/clock.js";
import { loadSqlite } from "../../pkg/dist/testing/sqlite.js";
import { Kv, Storage } from "../../pkg/dist/testing/storage.js";
import { startWorkerd } from "../support/workerd.mjs";

const LATER = Date.parse("2100-01-01T00:00:00Z");

/** Probes an object's storage. Its source text also runs in workerd. */
async function probeStorage(storage, later) {
  const show = (value) => (value instanceof ArrayBuffer ? ["bytes", ...new Uint8Array(value)] : value);
  const rows = (sql, ...binds) =>
    storage.sql
      .exec(sql, ...binds)
      .toArray()
      .map((row) => Object.values(row).map(show));
  const attempt = (run) => {
    try {
      return ["returned", run()];
    } catch (error) {
      return ["threw", error === undefined ? "undefined" : error instanceof Error ? "an error" : error];
    }
  };
  const found = {};
  found.values = rows(
    "SELECT ?2 AS a, ?1 AS b, ?3 AS c, ?4 AS d, typeof(?5) AS e, ?5 AS f",
    -0.5,
    2 ** 53 - 1,
    "ä😀",
    null,
    new Uint8Array([0, 255]),
  );
  found.created = rows("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT) STRICT");
  found.inserted = rows("INSERT INTO t(a, b) VALUES(?, ?), (?, ?) RETURNING a", 1, "one", 2, "two");
  found.duplicate = attempt(() => rows("INSERT INTO t(a) VALUES(1)"));
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

/** Probes a KV namespace. Its source text also runs in workerd. */
async function probeKv(kv) {
  const read = async (name, type) => {
    const { value, metadata } = await kv.getWithMetadata(name, { type });
    return [value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value, metadata];
  };
  await kv.put("b:2", "zwei ä", { metadata: { revision: 2, key: "k" } });
  await kv.put("b:1", "eins", { metadata: { revision: 1, deleted: true }, expirationTtl: 3600 });
  await kv.put("a:1", "other", {});
  await kv.put("b:2", "neu", { metadata: { revision: 3 } });
  const { keys, list_complete } = await kv.list({ prefix: "b:" });
  return {
    bytes: await read("b:2", "arrayBuffer"),
    text: await read("b:1", "text"),
    bare: await read("a:1", "text"),
    missing: await read("none", "arrayBuffer"),
    listed: keys.map(({ name, metadata }) => [name, metadata]),
    list_complete,
  };
}

let workerd;
let real;
before(async () => {
  workerd = startWorkerd({
    modules: true,
    kvNamespaces: ["KV"],
    durableObjects: { PROBE: { className: "Probe", useSQLite: true } },
    script: `
      import { DurableObject } from "cloudflare:workers";
      const probeStorage = ${probeStorage};
      const probeKv = ${probeKv};
      export class Probe extends DurableObject {
        alarm() {}
        probe() { return probeStorage(this.ctx.storage, ${LATER}); }
      }
      export default {
        async fetch(request, env) {
          return Response.json({ storage: await env.PROBE.getByName("a").probe(), kv: await probeKv(env.KV) });
        }
      };`,
  });
  const response = await workerd.dispatchFetch("http://probe/");
  assert.equal(response.status, 200, await response.clone().text());
  real = await response.json();
});
after(() => workerd.dispose());

/** Converts a value like the transfer from workerd. */
const json = (value) => JSON.parse(JSON.stringify(value));

for (const engine of process.getBuiltinModule?.("node:sqlite") === undefined ? ["wasm"] : ["wasm", "node"]) {
  test(`an object's storage behaves as in workerd, sqlite: ${engine}`, async () => {
    const open = await loadSqlite(/** @type {"node" | "wasm"} */ (engine));
    const clock = new Clock(0);
    let rang = 0;
    const storage = new Storage(open(), clock, () => void (rang += 1));
    assert.deepEqual(json(await probeStorage(storage, LATER)), real.storage);
    await clock.advance(LATER);
    assert.equal(rang, 0);
    await clock.advance(1);
    assert.deepEqual([rang, await storage.getAlarm()], [1, null]);
  });
}

test("KV behaves as in workerd", async () => {
  assert.deepEqual(json(await probeKv(new Kv(new Clock(0), 0))), real.kv);
});

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
