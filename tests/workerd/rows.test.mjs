// The number of statements and written rows of each write, which the platform bills, and of a line of the log. A budget
// that grows has to be changed here on purpose.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, kvEqualsTruth, project, ROOT, startForTests } from "./support.mjs";

const worker = startForTests({ faulty: true, changes: { LOG: "all" } });

/** @typedef {{ statements: number, rowsWritten: number }} Counts */

/**
 * Counts until there are so many, and what follows soon.
 * @param {Counts} expected
 */
async function count(expected) {
  const counted = { statements: 0, rowsWritten: 0 };
  const add = async () => {
    const { statements, rowsWritten } = await worker.calls();
    counted.statements += statements;
    counted.rowsWritten += rowsWritten;
    assert.deepEqual(counted, expected);
  };
  await eventually(add, 5_000).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
  await add().catch(() => {});
  return counted;
}
const SMALL = {
  objectTypeProperty: {
    arrayOfIntExample: [1, 6, 7],
    arrayOfUniqueIntExample: [1, 2],
    arrayOfTwonumbersExample: [13, 52],
    arrayOfFloatExample: [1.5],
    arrayOfNumberNoDefaultsExample: [1.25],
    arrayOfStringExample: ["item 1", "blue"],
    arrayOfObjectType: [{ integerExample: 1, integerExampleInt32: 2 }],
  },
  someProperty: "resource 1",
};
const change = (version, someProperty) => ({ version, actions: [{ action: "changeSomeProperty", someProperty }] });

test("every kind of write has its statements and rows, replication to KV included", async () => {
  const name = project();
  const at = `/${name}/resource`;
  /** @type {[string, { after?: number, body?: object, headers?: Record<string, string> }, Counts][]} */
  const cases = [
    [`POST ${at}`, { body: SMALL }, { statements: 2, rowsWritten: 3 }],
    // The index follows before the query: the rows of its values and words, and one that other records share.
    [`GET ${at}?limit=1`, {}, { statements: 6, rowsWritten: 16 }],
    [`POST ${at}`, { body: { objectTypeProperty: {} } }, { statements: 2, rowsWritten: 3 }],
    [`POST ${at}`, { body: { id: "a", objectTypeProperty: {} } }, { statements: 3, rowsWritten: 3 }],
    [`POST ${at}`, { body: { id: "k", key: "k", ...SMALL } }, { statements: 5, rowsWritten: 4 }],
    [`GET ${at}?limit=1`, {}, { statements: 6, rowsWritten: 16 }],
    [`POST ${at}/a`, { body: { version: 1, actions: [{ action: "doSomeThing" }] } }, { statements: 3, rowsWritten: 2 }],
    [`POST ${at}/k`, { body: change(1, "changed 1") }, { statements: 5, rowsWritten: 5 }],
    [
      `POST ${at}/k`,
      { body: change(2, "changed 2"), headers: { "Idempotency-Key": "once" } },
      { statements: 7, rowsWritten: 7 },
    ],
    [
      `POST ${at}/k`,
      { body: change(2, "changed 2"), headers: { "Idempotency-Key": "once" } },
      { statements: 1, rowsWritten: 0 },
    ],
    [`DELETE ${at}/a`, {}, { statements: 4, rowsWritten: 3 }],
    // The lost key has a row in the outbox until the tombstone is in KV. KV accepts one put of a KV key in 1.1 seconds.
    [`DELETE ${at}/k`, { after: 1_200 }, { statements: 9, rowsWritten: 20 }],
  ];
  // The statements of a start, and the rows of its first write, do not belong to a case.
  await worker.call(`POST ${at}`, {
    body: { id: "first", objectTypeProperty: {} },
    headers: { "Idempotency-Key": "first" },
  });
  await worker.call(`GET ${at}?limit=1`);
  await eventually(() => kvEqualsTruth(worker, name));
  // The alarm rings in less than five seconds, which must not be while a case is counted.
  await worker.control({ lostAlarms: true });
  /** @type {[string, Counts][]} */
  const counted = [];
  for (const [line, options, expected] of cases) {
    const { after = 0, ...call } = options;
    await new Promise((resolve) => setTimeout(resolve, after));
    await worker.calls();
    const { status, text } = await worker.call(line, call);
    assert.ok(status < 300, `${line}: ${status} ${text}`);
    counted.push([line, await count(expected)]);
  }
  await worker.control({ lostAlarms: false });
  assert.deepEqual(
    counted,
    cases.map(([line, , expected]) => [line, expected]),
  );
  // The rows that the guide's costs are computed from, by the places of their cases: a write, and its index without the
  // row that others share.
  const rows = (/** @type {number[]} */ [write, index]) =>
    counted[write][1].rowsWritten + (index === undefined ? 0 : counted[index][1].rowsWritten - 1);
  const guide = readFileSync(join(ROOT, "src/guide/evaluate/cost.md"), "utf8");
  for (const [request, at] of Object.entries({
    "create, small body": [0, 1],
    "create, empty body": [2],
    "create, small body, with a key": [4, 5],
    "update, `doSomeThing`": [6],
    "update, `changeSomeProperty`": [7],
    "the same with an `Idempotency-Key`": [8],
  })) {
    const row = guide.split("\n").find((line) => line.startsWith(`| ${request} | 1 |`));
    assert.equal(row?.split(" | ")[2], String(rows(at)), request);
  }
});

test("a line of the log has the statements and rows of its call, as the platform counts them", async () => {
  const name = project();
  const at = `/${name}/resource`;
  await worker.call(`POST ${at}`, { body: { id: "first", objectTypeProperty: {} } });
  /** Waits until the object runs no statements beside calls: KV has all writes, and so has the index. */
  const settled = () =>
    eventually(async () => {
      const { json } = await worker.call(`GET /${name}/status`);
      assert.equal(json.replicatedRevision, json.newestRevision);
    });
  const update = { version: 1, actions: [{ action: "changeSomeProperty", someProperty: "new" }] };
  /** @type {[string, object | undefined][]} */
  const calls = [
    [`POST ${at}`, { id: "a", objectTypeProperty: { arrayOfIntExample: [1, 2] } }],
    [`POST ${at}/a`, update],
    [`GET ${at}?limit=1`, undefined],
  ];
  for (const [line, body] of calls) {
    const id = `cost of ${line}`;
    await settled();
    await worker.calls();
    await worker.call(line, { body, headers: { "X-Correlation-ID": id } });
    const counted = await worker.calls();
    const logged = await eventually(() => JSON.parse(worker.log.find((text) => text.includes(id))));
    assert.equal(logged.rowsWritten, counted.rowsWritten, line);
    // After a write, the put to KV reads the record, perhaps already now. That is no part of the call.
    const others = counted.statements - logged.statements;
    assert.ok(others === 0 || (others === 1 && body !== undefined), `${line}: ${others}`);
    assert.ok(logged.statements > 0 && logged.rowsRead > 0, JSON.stringify(logged));
    assert.equal("byIndex" in logged, body === undefined);
  }
});
