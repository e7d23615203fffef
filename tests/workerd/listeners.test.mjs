// The batches of listeners and the turns of waiting requests (src/worker/object), in Node with sockets and an object of
// the test.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { load } from "../support/module.mjs";

const { CLOSE, Listeners } = await load("src/worker/object/listeners.ts");

class FakeSocket {
  readyState = 1;
  sent = [];
  ping = null;
  send(text) {
    this.sent.push(text);
  }
  close(code) {
    this.readyState = 3;
    this.code = code;
  }
  serializeAttachment(value) {
    this.attachment = structuredClone(value);
  }
  deserializeAttachment() {
    return structuredClone(this.attachment);
  }
}

Object.assign(globalThis, {
  WebSocketPair: class {
    0 = {};
    1 = new FakeSocket();
  },
  WebSocketRequestResponsePair: class {},
});

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 }));
afterEach(() => mock.timers.reset());

/** Lets the time of a batch pass. */
async function endBatch(ms = 400) {
  for (let turn = 0; turn < ms; turn += 1) {
    mock.timers.tick(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** An object of the test: its newest revision, and what it was asked for. */
function setUp(most = 1_000) {
  const sockets = [];
  const object = { newest: 1, pages: 0, frames: [], text: "frame", fails: false, failed: 0 };
  const project = {
    perform: () => {
      object.pages += 1;
      return [new Uint8Array(), "page"];
    },
    frame: async (message, from) => {
      if (object.fails) throw new Error("made to fail");
      object.frames.push([...message, from]);
      return object.text;
    },
    newest: () => object.newest,
    begin: () => object.newest,
    full: () => ["full"],
    fail: () => (object.failed += 1),
  };
  const ctx = {
    getWebSockets: () => sockets,
    acceptWebSocket: (socket) => sockets.push(socket),
    setWebSocketAutoResponse() {},
    getWebSocketAutoResponseTimestamp: ({ ping }) => ping,
  };
  const wake = () => new Listeners(project, ctx, most);
  const state = { object, sockets, wake, listeners: wake() };
  const listening = (body, next, ms, caller) => ({ kind: "listen", reply: [new Uint8Array(), body], next, ms, caller });
  const accept = (condition, expires = Infinity, caller = 1) => {
    const [body] = state.listeners.accept(listening("first", Uint8Array.of(condition), expires, caller));
    return body === "full" ? undefined : sockets.at(-1);
  };
  /** Lets a request wait. `replies` gets the body of its reply. */
  const replies = [];
  const wait = (message, caller = 1, ms = 25_000, isAdmitted = false) => {
    const reply = state.listeners.wait(listening("empty", message, ms, caller), isAdmitted);
    Promise.resolve(reply).then(([head, body = head]) => replies.push(body));
  };
  /** Lets the object write. */
  const change = () => {
    // As the object does around each call.
    state.listeners.count();
    object.newest += 1;
    state.listeners.afterCall();
  };
  /** Lets the object write, and its batch end. */
  const write = async () => {
    change();
    await endBatch();
  };
  return Object.assign(state, { accept, wait, replies, change, write });
}

test("a condition is evaluated once in a batch, and a group gets what follows its last frame", async () => {
  const { accept, write, object, sockets } = setUp();
  for (let number = 0; number < 60; number += 1) accept(number % 2);
  await write();
  assert.deepEqual(object.frames.splice(0), [
    [0, 1],
    [1, 1],
  ]);
  for (const { sent } of sockets) assert.deepEqual(sent, ["first", "frame"]);
  accept(2);
  await write();
  assert.deepEqual(object.frames, [
    [0, 2],
    [1, 2],
    [2, 2],
  ]);
});

test("a woken object continues with the sockets that the platform kept", async () => {
  const state = setUp();
  const [first, second] = [state.accept(0), state.accept(1)];
  second.readyState = 3;
  await state.write();
  state.listeners = state.wake();
  await state.write();
  assert.deepEqual(state.object.frames.at(-1), [0, 2]);
  assert.deepEqual([first.sent.length, second.sent.length, state.listeners.count()], [3, 1, 1]);
});

const WINDOW = '{"from":"h.1","to":"h.2"}\n';
const LARGE = WINDOW + "x".repeat(200_000);
const BEHIND = `${WINDOW.slice(0, -2)},"behind":true}\n`;

test("a reader without a ping gets a mebibyte, then only that it is behind, and is closed after a minute", async () => {
  const state = setUp();
  state.object.text = LARGE;
  const [silent, reading] = [state.accept(0), state.accept(0)];
  const large = (/** @type {FakeSocket} */ { sent }) => sent.filter((text) => text === LARGE).length;
  for (let number = 0; number < 20; number += 1) {
    reading.ping = new Date(Date.now());
    await state.write();
  }
  assert.deepEqual([large(silent), large(reading)], [5, 20]);
  assert.deepEqual([silent.sent.length, silent.sent.at(-1)], [21, BEHIND]);
  // The object hibernates: what the reader has not read stays in memory.
  state.listeners = state.wake();
  await state.write();
  assert.deepEqual([large(silent), silent.sent.length], [5, 22]);
  // After a ping it gets changes again.
  silent.ping = new Date(Date.now());
  for (let number = 0; number < 6; number += 1) await state.write();
  assert.deepEqual([large(silent), silent.sent.at(-1), silent.code], [10, BEHIND, undefined]);
  mock.timers.tick(61_000);
  reading.ping = new Date(Date.now());
  await state.write();
  assert.deepEqual([silent.code, reading.code], [CLOSE.slow[0], undefined]);
});

test("sockets together hold 32 mebibytes, and one that reads always learns of a change", async () => {
  const state = setUp();
  state.object.text = LARGE;
  const silent = Array.from({ length: 99 }, () => state.accept(0));
  const reading = state.accept(0);
  const held = (/** @type {FakeSocket} */ { sent }) => sent.join("").length;
  const isOpen = (/** @type {FakeSocket} */ { readyState }) => readyState === 1;
  for (let number = 1; number <= 12; number += 1) {
    reading.ping = new Date(Date.now());
    await state.write();
    const all = silent.filter(isOpen).reduce((sum, socket) => sum + held(socket), 0);
    assert.ok(all <= 32 * 2 ** 20, `${all} characters`);
    assert.equal(reading.sent.length, 1 + number);
    assert.ok([LARGE, BEHIND].includes(reading.sent.at(-1)));
    // The bound also holds when the object hibernates.
    if (number === 1) state.listeners = state.wake();
  }
  assert.ok(isOpen(reading));
  assert.deepEqual([...new Set(silent.filter((socket) => !isOpen(socket)).map(({ code }) => code))], [CLOSE.slow[0]]);
  assert.equal(state.listeners.count(), 1 + silent.filter(isOpen).length);
});

test("an expired socket is closed instead of a frame, also with its first one", async () => {
  const { accept, write, listeners } = setUp();
  const late = accept(0, 1_000_000);
  assert.deepEqual([late.code, late.sent], [4401, []]);
  const soon = accept(0, 1_000_500);
  await write();
  assert.equal(soon.sent.length, 2);
  mock.timers.tick(500);
  await write();
  assert.deepEqual([soon.code, soon.sent.length, listeners.count()], [4401, 2, 0]);
});

test("requests with the same message share a page, whatever its bytes and its length are", async () => {
  const { listeners, object, wait, write } = setUp();
  const long = [0, 1].map((last) => Uint8Array.from({ length: 2 ** 21 }, (_, at) => (at === 2 ** 21 - 1 ? last : at)));
  const bytes = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  for (const message of [...bytes, ...long, ...long]) wait(message);
  await write();
  assert.deepEqual([object.pages, listeners.count()], [258, 0]);
});

/** A message with a condition of three KiB. */
const conditionOf = (number) => Uint8Array.from({ length: 3_072 }, (_, at) => [number & 255, number >> 8][at] ?? 7);

test("the object performs other calls before each turn of the waiting requests", async () => {
  const state = setUp();
  for (let number = 0; number < 100; number += 1) state.wait(conditionOf(number));
  for (let number = 0; number < 100; number += 1) state.wait(Uint8Array.of(1));
  state.change();
  const most = { pages: 0, replies: 0 };
  let before = { pages: 0, replies: 0 };
  for (let turn = 0; turn < 1_500; turn += 1) {
    await endBatch(1);
    const after = { pages: state.object.pages, replies: state.replies.length };
    for (const name of Object.keys(most)) most[name] = Math.max(most[name], after[name] - before[name]);
    before = after;
  }
  // A turn has one page. Those with the same message get it together, but not all at once.
  assert.deepEqual(most, { pages: 1, replies: 16 });
  assert.deepEqual([state.object.pages, state.replies.length], [107, 200]);
});

test("few requests wait for no turn, and many have a bounded share of the time", async () => {
  const state = setUp();
  for (let number = 0; number < 500; number += 1) state.wait(conditionOf(number));
  state.change();
  await endBatch(30);
  const atOnce = state.object.pages;
  assert.ok(atOnce > 20, `${atOnce} pages`);
  await endBatch(970);
  assert.ok(state.object.pages > 200 && state.object.pages < 300, `${state.object.pages} pages`);
  // The wait of a request ends in time.
  const late = state.replies.length;
  state.wait(Uint8Array.of(1), 1, 50);
  await endBatch(60);
  assert.equal(state.replies.filter((body) => body === "empty").length, 1);
  assert.ok(state.replies.length > late);
  await endBatch(1_500);
  assert.deepEqual([state.replies.length, state.listeners.count()], [501, 0]);
});

test("a request that arrives while others have turns is performed after them, and has a place until then", async () => {
  const { listeners, object, wait, change } = setUp(200);
  const performed = [];
  const arrive = (name, caller = 1) =>
    listeners.inTurn(caller, Uint8Array.of(1), (late) => {
      performed.push([name, object.pages, late > 0]);
      return [name];
    });
  assert.deepEqual(arrive("at once"), ["at once"]);
  for (let number = 0; number < 150; number += 1) wait(conditionOf(number));
  change();
  await endBatch(1);
  const late = arrive("late");
  // That is the share of a caller.
  while (listeners.count() < 180) arrive("more");
  assert.deepEqual(await arrive("none"), ["full"]);
  const other = arrive("another caller", 2);
  await endBatch(1_000);
  assert.deepEqual([await late, await other], [["late"], ["another caller"]]);
  assert.deepEqual(performed.slice(0, 2), [
    ["at once", 0, false],
    ["late", 150, true],
  ]);
  assert.deepEqual([performed.at(-1), listeners.count()], [["another caller", 150, true], 0]);
});

test("a caller has nine tenths of the places at most, and others find some", async () => {
  const { accept, wait, replies, listeners } = setUp(1_000);
  for (let number = 0; number < 500; number += 1) wait(Uint8Array.of(number));
  for (let number = 0; number < 500; number += 1) accept(number);
  assert.equal(listeners.count(), 900);
  await endBatch(1);
  assert.deepEqual(replies, []);
  for (let number = 0; number < 100; number += 1) accept(number, Infinity, 2);
  assert.equal(listeners.count(), 990);
  for (let number = 0; number < 100; number += 1) accept(number, Infinity, 3);
  assert.equal(listeners.count(), 999);
});

test("a request keeps its place when its turn has come, though others have taken theirs since", async () => {
  const { listeners, replies, wait } = setUp(1_000);
  const arrive = (number, caller = 1) => {
    const message = Uint8Array.of(number);
    listeners.inTurn(caller, message, (late, isAdmitted) => wait(message, caller, 25_000 - late, isAdmitted));
  };
  for (let number = 0; number < 1_000; number += 1) arrive(number % 256);
  const began = listeners.count();
  for (let number = 0; number < 90; number += 1) arrive(number, 2);
  await endBatch(3_000);
  assert.deepEqual([began, listeners.count(), replies], [900, 990, []]);
});

test("a request that has waited for five seconds makes room for another one of its caller", async () => {
  const { wait, accept, replies, listeners } = setUp(10);
  wait(Uint8Array.of(9), 2, 6_000);
  for (let number = 0; number < 9; number += 1) wait(Uint8Array.of(number));
  wait(Uint8Array.of(9));
  await endBatch(1);
  assert.deepEqual(replies, ["full"]);
  mock.timers.tick(5_000);
  wait(Uint8Array.of(9));
  assert.ok(accept(9));
  await endBatch(1);
  assert.deepEqual([replies, listeners.count()], [["full", "empty", "empty"], 10]);
  // That of the other caller still waits.
  mock.timers.tick(1_000);
  await endBatch(1);
  assert.deepEqual([replies.length, listeners.count()], [4, 9]);
});

test("expired sockets make room", async () => {
  const { accept, wait, replies, listeners } = setUp(2);
  const soon = accept(0, 1_000_500);
  accept(0);
  assert.equal(accept(0), undefined);
  mock.timers.tick(500);
  const next = accept(0);
  assert.deepEqual([soon.code, next.sent, listeners.count()], [4401, ["first"], 2]);
  wait(Uint8Array.of(9));
  await endBatch(1);
  assert.deepEqual(replies, ["full"]);
});

test("a socket that has sent no ping for a minute makes room", async () => {
  const { accept, listeners } = setUp(2);
  const [silent, reading] = [accept(0), accept(0)];
  mock.timers.tick(60_001);
  reading.ping = new Date(Date.now());
  assert.ok(accept(0));
  assert.equal(accept(0), undefined);
  assert.deepEqual([silent.code, reading.code, listeners.count()], [CLOSE.slow[0], undefined, 2]);
});

test("a clock that is set back delays neither batches nor turns", async () => {
  const { accept, wait, write, replies } = setUp();
  const socket = accept(0);
  for (let number = 0; number < 100; number += 1) wait(conditionOf(number));
  await write();
  mock.timers.setTime(500_000);
  for (let number = 0; number < 50; number += 1) wait(conditionOf(number));
  await write();
  assert.deepEqual([socket.sent.length, replies.length], [3, 150]);
});

test("a request that begins to wait between a change and its batch gets the next change", async () => {
  const { accept, wait, write, object, listeners, replies } = setUp();
  accept(0);
  await write();
  object.newest += 1;
  listeners.afterCall();
  wait(Uint8Array.of(9));
  await endBatch();
  assert.deepEqual([replies, object.frames.length], [[], 2]);
  await write();
  assert.deepEqual(replies, ["page"]);
});

test("an exception in a batch is reported, and the next batch takes place", async () => {
  const { accept, write, object } = setUp();
  const socket = accept(0);
  object.fails = true;
  await write();
  assert.deepEqual([object.failed, socket.sent.length], [1, 1]);
  object.fails = false;
  await write();
  assert.deepEqual([object.frames.at(-1), socket.sent.length], [[0, 1], 2]);
});

test("a frame that is no text closes the sockets", async () => {
  const { accept, write, object } = setUp();
  const socket = accept(0);
  object.text = CLOSE.history;
  await write();
  assert.deepEqual([socket.code, socket.sent.length], [4410, 1]);
});
