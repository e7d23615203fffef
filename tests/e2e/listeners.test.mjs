// The batches of listeners (src/worker/object/listeners.ts), in Node with sockets and an object of the test.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

async function load() {
  const file = fileURLToPath(new URL("../../src/worker/object/listeners.ts", import.meta.url));
  const { outputFiles } = buildSync({ entryPoints: [file], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
const { CLOSE, Listeners } = await load();

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
async function endBatch() {
  for (let turn = 0; turn < 400; turn += 1) {
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
  const accept = (condition, expires = Infinity) => {
    state.listeners.accept([new Uint8Array(), "first", Uint8Array.of(condition), expires]);
    return sockets.at(-1);
  };
  /** Lets the object write, and its batch end. */
  const write = async () => {
    // As the object does around each call.
    state.listeners.count();
    object.newest += 1;
    state.listeners.afterCall();
    await endBatch();
  };
  return Object.assign(state, { accept, write });
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
  const { listeners, object, write } = setUp();
  const long = [0, 1].map((last) => Uint8Array.from({ length: 2 ** 21 }, (_, at) => (at === 2 ** 21 - 1 ? last : at)));
  const bytes = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  for (const message of [...bytes, ...long, ...long]) listeners.wait([new Uint8Array(), "", message, 25_000]);
  await write();
  assert.deepEqual([object.pages, listeners.count()], [258, 0]);
});

test("expired sockets make room", async () => {
  const { accept, sockets, listeners } = setUp(2);
  const soon = accept(0, 1_000_500);
  accept(0);
  assert.equal(accept(0), sockets[1]);
  mock.timers.tick(500);
  const next = accept(0);
  assert.deepEqual([soon.code, next, next.sent, listeners.count()], [4401, sockets[2], ["first"], 2]);
  assert.deepEqual(listeners.wait([new Uint8Array(), "", Uint8Array.of(9), 10]), ["full"]);
});

test("a request that begins to wait between a change and its batch gets the next change", async () => {
  const { accept, write, object, listeners } = setUp();
  accept(0);
  await write();
  object.newest += 1;
  listeners.afterCall();
  const replies = [];
  const message = Uint8Array.of(9);
  Promise.resolve(listeners.wait([new Uint8Array(), "empty", message, 25_000])).then(([, body]) => replies.push(body));
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
