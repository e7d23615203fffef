// A full project (D34): its writes get 507 and change nothing, its reads work, and so do its deletions unless the disk
// itself is full. It works as before when it has room again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { mountDisk } from "../support/disk.mjs";
import { load } from "../support/module.mjs";
import { eventually, kvEqualsTruth, later, project, startForTests, startIn } from "./support.mjs";
import { connect } from "./support/socket.mjs";

const LIMIT = 10_000_000_000;

const worker = startForTests({ faulty: true });

async function fill(name) {
  for (const id of ["a", "b", "c"]) {
    const body = { id, key: `key-${id}`, custom: `words ${id}`, objectTypeProperty: { arrayOfIntExample: [1] } };
    assert.equal((await worker.call(`POST /${name}/resource`, { body })).status, 201);
  }
  await eventually(() => kvEqualsTruth(worker, name));
}

/** Sends a write of every kind besides deletions, each with its own `Idempotency-Key`. */
async function write(name, to = worker) {
  const at = `/${name}/resource`;
  const a = { id: "a", version: 1, objectTypeProperty: {} };
  const requests = {
    [`POST ${at}`]: { id: "new", objectTypeProperty: {} },
    [`PUT ${at}`]: a,
    [`PATCH ${at}`]: a,
    [`POST ${at}/a`]: { version: 1, actions: [{ action: "changeSomeProperty", someProperty: "x" }] },
    [`POST ${at}/description-with-urn-links`]: { id: "a", custom: "other" },
  };
  const answers = [];
  for (const [line, body] of Object.entries(requests))
    answers.push(await to.call(line, { body, headers: { "Idempotency-Key": line } }));
  return answers;
}

/** Asserts that reads of every kind work. */
async function assertReads(name) {
  const at = `/${name}/resource`;
  for (const line of [`${at}/a`, `${at}/key=key-b`, at, `${at}/searchApiPattern?text.en=words`, `/${name}/export`])
    assert.equal((await worker.fresh(`GET ${line}`)).status, 200, line);
}

test("a project of nearly 10 GB, or on a full disk, refuses writes, and continues when there is room", async () => {
  const name = project();
  const state = async () => (await worker.call(`GET /${name}/status`)).json.databaseState;
  const deletion = (id) => worker.call(`DELETE /${name}/resource/${id}`, { headers: { "Idempotency-Key": id } });
  const clear = () => worker.call(`DELETE /${name}/data?confirm=${name}`);
  const refused = () => worker.log.findLast((line) => line.includes('"code":"InsufficientStorage"'));
  await worker.control({ bytes: 0.8 * LIMIT });
  assert.equal(await state(), "nearlyFull");
  for (const [fault, stateThen, cause, deletions] of /** @type {[object, string, RegExp, number][]} */ ([
    [{ bytes: 0.95 * LIMIT }, "full", /^the database has 95\d{8} bytes$/, 200],
    [{ full: true }, "ok", /SQLITE_FULL/, 507],
  ])) {
    await worker.control({ bytes: 0 });
    await fill(name);
    const before = (await worker.call(`GET /${name}/resource`)).text;
    const lines = (await worker.call(`GET /${name}/export`)).text;
    await worker.control(fault);
    assert.equal(await state(), stateThen);
    for (const { status, headers, text, json } of [...(await write(name)), await worker.import(project(), lines)]) {
      assert.deepEqual([status, json.errors[0].code], [507, "InsufficientStorage"]);
      assert.equal(headers["retry-after"], undefined);
      assert.ok(!text.includes("SQLITE"), "the cause is sent");
    }
    await eventually(() => assert.match(JSON.parse(refused()).cause, cause));
    assert.equal((await worker.call(`GET /${name}/resource`)).text, before);
    await assertReads(name);
    for (const done of [await deletion("b"), await clear()]) assert.equal(done.status, deletions, done.text);
  }
  await worker.control({ full: false });
  const [created] = await write(name);
  assert.deepEqual([created.status, created.headers["idempotency-replayed"]], [201, undefined]);
  await eventually(() => kvEqualsTruth(worker, name));
});

const WHERE = encodeURIComponent('custom = "red"');

/** Reads in every way that uses the index or the history. Returns the statuses and the bodies. */
async function readAll(worker, name) {
  const at = `/${name}/resource`;
  const lines = [
    `GET ${at}/c`,
    `GET ${at}/key=key-b`,
    `GET ${at}`,
    `GET ${at}?where=${WHERE}`,
    `HEAD ${at}?where=${WHERE}`,
    `GET ${at}/sorted-query-parameters?sort=custom&sort=id%20desc&where=${WHERE}`,
    `GET ${at}/searchApiPattern?text.en=red`,
    `GET ${at}/searchApiPattern?facet=custom`,
    `GET /${name}/changes`,
    `GET /${name}/changes?where=${WHERE}`,
    `GET /${name}/export`,
  ];
  const answers = [];
  for (const line of lines) {
    const { status, text } = await worker.fresh(line);
    answers.push([line, status, text]);
  }
  return answers;
}

/** Starts the Worker with its data on a disk that the test can fill. */
async function startOnDisk(t) {
  const disk = mountDisk(32);
  if (disk === undefined) return t.skip("this machine does not allow to mount a disk");
  const worker = await startIn(t, { state: disk.path });
  const create = async (name, id, more = {}) => {
    const body = { id, key: `key-${id}`, custom: "red", objectTypeProperty: {}, ...more };
    const headers = { "Idempotency-Key": id };
    return (await worker.call(`POST /${name}/resource`, { body, headers })).status;
  };
  /** Creates a project: the index has two of its resources, and does not have the other two. */
  const fill = async () => {
    const name = project();
    for (const id of ["a", "b"]) assert.equal(await create(name, id), 201);
    await eventually(() => kvEqualsTruth(worker, name));
    const socket = await connect(worker, name);
    await socket.next();
    for (const id of ["c", "d"]) assert.equal(await create(name, id), 201);
    return { name, socket };
  };
  return { disk, worker, create, fill };
}

/** Asserts that reads succeed, and returns what they returned. */
async function succeed(worker, name) {
  const answers = await readAll(worker, name);
  assert.deepEqual(
    answers.filter(([, status]) => status !== 200),
    [],
  );
  return answers;
}

test("on a full disk reads work, writes get 507, and sockets stay", { timeout: 120_000 }, async (t) => {
  const started = await startOnDisk(t);
  if (started === undefined) return;
  const { disk, worker, create, fill } = started;
  const [{ name, socket }, other] = [await fill(), await fill()];
  disk.fill();
  // The first object that has no room for a write ends.
  assert.equal(await create(other.name, "large", { someProperty: "x".repeat(200_000) }), 507);
  assert.equal(await other.socket.closed, 1006);
  const answers = await succeed(worker, name);
  assert.match(answers[3][2], /"total":4/);
  for (const id of ["c", "d"]) assert.equal((await socket.next())[1].id, id);
  const conditional = await connect(worker, name, { query: `?where=${WHERE}` });
  await conditional.next();
  const deletion = () => worker.call(`DELETE /${name}/resource/a`);
  for (const { status } of [...(await write(name, worker)), await deletion()]) assert.equal(status, 507);
  const refused = () => worker.log.findLast((line) => line.includes('"code":"InsufficientStorage"'));
  await eventually(() => assert.match(JSON.parse(refused()).cause, /database or disk is full/));
  // No object starts without room, so nobody can read what was not in use.
  assert.equal((await worker.fresh(`GET /${project()}/resource`)).status, 507);
  // The alarm of the last writes rings after five seconds.
  await later(6_000);
  assert.deepEqual(await succeed(worker, name), answers);
  disk.makeRoom();
  assert.equal(await create(name, "e"), 201);
  for (const open of [socket, conditional]) {
    assert.equal((await open.next())[1].id, "e");
    open.close();
  }
  for (const one of [name, other.name]) await eventually(() => kvEqualsTruth(worker, one));
  assert.deepEqual((await succeed(worker, name)).slice(0, 2), answers.slice(0, 2));
  assert.match((await succeed(worker, other.name))[2][2], /"total":4/);
});

test("the write that finds the disk full first is not performed", async (t) => {
  const started = await startOnDisk(t);
  if (started === undefined) return;
  const { disk, worker, create, fill } = started;
  const { name } = await fill();
  disk.fill();
  const body = { id: "large", objectTypeProperty: {}, someProperty: "x".repeat(200_000) };
  // Without an `Idempotency-Key` its outcome is unknown, because another call may have ended the object.
  assert.equal((await worker.call(`POST /${name}/resource`, { body })).status, 503);
  disk.makeRoom();
  assert.equal(await create(name, "e"), 201);
  assert.equal((await worker.fresh(`GET /${name}/resource/large`)).status, 404);
});

test("small writes, which find the disk full only when they are stored, get 507, and reads work", {
  timeout: 180_000,
}, async (t) => {
  const started = await startOnDisk(t);
  if (started === undefined) return;
  const { disk, worker, create, fill } = started;
  const { name } = await fill();
  // Each fits into the memory of SQLite, so each statement succeeds. Meanwhile the object stores what KV has.
  const small = (round, count) => Promise.all(Array.from({ length: count }, (_, at) => create(name, `${round}-${at}`)));
  const first = small("first", 24);
  await later(20);
  disk.fill();
  for (const status of await first) assert.ok([201, 507].includes(status), `${status}`);
  assert.deepEqual(new Set(await small("second", 8)), new Set([507]));
  const answers = await succeed(worker, name);
  for (let round = 0; round < 5; round += 1) {
    const [statuses, reads] = await Promise.all([small(round, 4), succeed(worker, name)]);
    assert.deepEqual(statuses, [507, 507, 507, 507]);
    assert.deepEqual(reads, answers);
  }
  disk.makeRoom();
  assert.deepEqual(await small("last", 2), [201, 201]);
  // KV was on the same disk: the object tries again after a pause that has grown.
  await eventually(() => kvEqualsTruth(worker, name), 90_000);
});

test("after reads that needed more room than there is, others get 507 until there is room", async () => {
  const { beginRehearsal, endRehearsal, failureOf, isFull } = await load("src/worker/room.ts");
  const begin = () => beginRehearsal("p1/full", 0);
  const failure = "database or disk is full: SQLITE_FULL";
  assert.equal(await failureOf({}, new Error(failure)), failure);
  assert.ok(isFull());
  begin();
  endRehearsal("p1/full");
  // This one ends the object, and so never ends.
  begin();
  assert.throws(begin, /^Error: database or disk is full: there is no room for the index of the newest resources$/);
  assert.doesNotThrow(() => beginRehearsal("p1/other", 0));
});

test("the platform is asked where the storage is until it says so", async () => {
  const { askIfLocal, failureOf, isFull } = await load("src/worker/room.ts");
  const local = "getBookmarkForTime: this storage does not implement point-in-time recovery";
  const said = [new Error("internal error; reference = a"), new Error(local), "a bookmark"];
  const storage = {
    async getBookmarkForTime() {
      const next = said.shift();
      if (next instanceof Error) throw next;
      return next;
    },
  };
  /** Returns whether a failure without a reason makes a helper look for room. */
  const looks = async () => {
    let found = false;
    const helper = { findRoom: async () => (found = true) };
    await failureOf({ PROJECTS: { getByName: () => helper } }, new Error("internal error"));
    return found;
  };
  assert.deepEqual([await askIfLocal(storage), await looks()], [undefined, false]);
  assert.deepEqual([await askIfLocal(storage), await looks()], [true, true]);
  assert.deepEqual([await askIfLocal(storage), said.length, isFull()], [true, 1, false]);
});

test("a read that finds the disk full returns what there is", { timeout: 120_000 }, async (t) => {
  const started = await startOnDisk(t);
  if (started === undefined) return;
  const { disk, worker, create, fill } = started;
  const { name, socket } = await fill();
  disk.fill();
  const answers = await succeed(worker, name);
  assert.match(answers[3][2], /"total":4/);
  await Promise.race([later(7_000), socket.closed]);
  assert.deepEqual(await succeed(worker, name), answers);
  disk.makeRoom();
  await eventually(() => kvEqualsTruth(worker, name));
  assert.equal(await create(name, "e"), 201);
});
