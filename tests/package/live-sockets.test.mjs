// `watch` of resource-edge/live over sockets: what it sends, and how it continues after each kind of failure.

import assert from "node:assert/strict";
import { test } from "node:test";

import { watch } from "../../pkg/dist/live.js";
import { ownClock } from "../support/clock.mjs";
import { eventually, later } from "../support/waiting.mjs";
import { clientWith, resource } from "./clients.mjs";

const lines = (objects) => objects.map((line) => `${JSON.stringify(line)}\n`).join("");
const page = (from, to, ...rest) =>
  new Response(lines([{ from, to }, ...rest]), { headers: { "Content-Type": "application/x-ndjson" } });
const frame = (from, to, ...rest) => lines([{ from, to }, ...rest]);
const error = (status, code) =>
  Response.json({ statusCode: status, message: code, errors: [{ code, message: code }] }, { status });

/** A class of sockets that the test controls. `made` are its sockets. */
function sockets() {
  const made = [];
  class Socket extends EventTarget {
    readyState = 0;
    sent = [];
    constructor(url, protocols) {
      super();
      Object.assign(this, { url, protocols });
      made.push(this);
    }
    open() {
      this.readyState = 1;
      this.dispatchEvent(new Event("open"));
    }
    receive(data) {
      this.dispatchEvent(Object.assign(new Event("message"), { data }));
    }
    /** As with workerd after the service has closed: the event comes half a minute later, with `end`. */
    leave() {
      this.readyState = 2;
    }
    end(code) {
      this.readyState = 3;
      this.dispatchEvent(Object.assign(new Event("close"), { code }));
    }
    send(text) {
      this.sent.push(text);
    }
    close() {
      this.readyState = 3;
    }
  }
  return { Socket, made };
}

/** Waits until the function returns something. */
const until = (find) => eventually(() => find() || assert.fail(`never: ${find}`));

/**
 * Watches with a client that gets these responses in turn and the last one repeatedly. Returns what it yields, what it
 * sends, and its sockets. The first socket is open and has its first frame.
 */
async function watching(t, responses, { options = {}, watch: watchOptions = {} } = {}) {
  const { Socket, made } = sockets();
  const { client, sent } = clientWith(responses, { WebSocket: Socket, retry: false, ...options });
  const changes = [];
  const run = (async () => {
    for await (const change of watch(client, watchOptions)) changes.push(change);
  })();
  t.after(async () => {
    client.close();
    await run.catch(() => {});
  });
  const queries = () =>
    sent.map(({ url }) => {
      const { after, wait } = Object.fromEntries(new URL(url).searchParams);
      return `${after ?? ""} ${wait}`;
    });
  /** Waits for a socket, opens it, and sends its first frame. */
  const accept = async (at, position) => {
    const socket = await until(() => made[at]);
    socket.open();
    socket.receive(frame(position, position));
    await later(5);
    return socket;
  };
  const types = () => changes.map(({ type, id, position }) => [type, id, position].filter(Boolean).join(" "));
  return { client, sent, queries, made, accept, changes, types, run };
}

const never = () => new Promise(() => {});

test("frames become changes, without requests", async (t) => {
  const { queries, accept, types, made } = await watching(t, page("h.0", "h.5"), {
    watch: { where: "custom = :x", var: { x: "é" } },
  });
  const socket = await accept(0, "h.5");
  assert.equal(socket.url, "ws://h/demo/changes?where=custom%20%3D%20%3Ax&var.x=%C3%A9");
  assert.deepEqual(socket.protocols, ["resource-edge.changes", "bearer.secret"]);
  socket.receive(frame("h.5", "h.7", resource("a"), { deletedAt: "2026", id: "b", version: 2 }, { outside: ["c"] }));
  socket.receive(frame("h.7", "h.9"));
  await later(10);
  assert.deepEqual(types(), ["ready h.5", "set a h.5", "delete b h.5", "leave c h.7", "ready h.7", "ready h.9"]);
  assert.deepEqual([queries(), made.length], [[" 0"], 1]);
});

test("a frame that follows a gap, or that is not complete, is requested", async (t) => {
  const { queries, accept, types } = await watching(t, [
    page("h.0", "h.5"),
    page("h.5", "h.9", resource("a")),
    page("h.9", "h.20"),
    page("h.20", "h.21"),
  ]);
  const socket = await accept(0, "h.5");
  socket.receive(frame("h.7", "h.9", resource("lost")));
  await later(10);
  socket.receive(frame("h.9", "h.20").replace("}", ',"behind":true}'));
  await later(10);
  assert.deepEqual(queries(), [" 0", "h.5 0", "h.9 0"]);
  assert.deepEqual(types(), ["ready h.5", "set a h.9", "ready h.9", "ready h.20"]);
  // Another history, whose reason the response has.
  socket.receive(frame("i.20", "i.21"));
  await later(10);
  assert.deepEqual(queries().slice(3), ["h.20 0"]);
});

test("a frame of the past changes nothing, and positions never fall", async (t) => {
  const { queries, accept, types } = await watching(t, [page("h.0", "h.9"), never]);
  const socket = await accept(0, "h.9");
  for (const [from, to] of [
    ["h.2", "h.8"],
    ["h.2", "h.9"],
    ["h.8", "h.11"],
    ["h.9", "h.11"],
    ["h.11", "h.12"],
  ])
    socket.receive(frame(from, to, resource("a"), resource("b")));
  await later(10);
  const changed = ["set a h.9", "set b h.11", "ready h.11", "set a h.11", "set b h.12", "ready h.12"];
  assert.deepEqual(types(), ["ready h.9", ...changed]);
  assert.deepEqual(queries(), [" 0"]);
});

test("what arrives while pages are read is performed after them", async (t) => {
  /** @type {any} */
  let answer;
  const { queries, accept, types } = await watching(t, [
    page("h.0", "h.5"),
    () => new Promise((resolve) => (answer = resolve)),
    never,
  ]);
  const socket = await accept(0, "h.6");
  await until(() => answer);
  socket.receive(frame("h.6", "h.7", resource("old")));
  socket.receive(frame("h.7", "h.9", resource("new")));
  answer(page("h.5", "h.7", resource("a")));
  await later(20);
  assert.deepEqual(types(), ["ready h.5", "set a h.7", "ready h.7", "set new h.9", "ready h.9"]);
  assert.deepEqual(queries(), [" 0", "h.5 0"]);
});

test("frames that nobody takes do not fill the memory: they are requested", async (t) => {
  /** @type {any} */
  let answer;
  const { queries, accept, types } = await watching(t, [
    page("h.0", "h.5"),
    () => new Promise((resolve) => (answer = resolve)),
    page("h.6", "h.8"),
    never,
  ]);
  const socket = await accept(0, "h.6");
  await until(() => answer);
  for (const at of [6, 7]) {
    const large = { ...resource(`r${at}`), custom: "x".repeat(5_000_000) };
    socket.receive(frame(`h.${at}`, `h.${at + 1}`, large));
  }
  answer(page("h.5", "h.6"));
  await later(20);
  assert.deepEqual(queries(), [" 0", "h.5 0", "h.6 0"]);
  assert.deepEqual(types(), ["ready h.5", "ready h.6", "ready h.8"]);
});

test("closing the client while it receives a frame ends it without an error", async (t) => {
  const { Socket, made } = sockets();
  const { client } = clientWith([page("h.0", "h.5"), never], { WebSocket: Socket, retry: false });
  t.after(() => client.close());
  const changes = watch(client);
  await changes.next();
  const first = changes.next();
  const socket = await until(() => made[0]);
  socket.open();
  for (const at of [5, 6]) socket.receive(frame(`h.${at}`, `h.${at + 1}`, resource("a", at)));
  assert.equal((await first).done, false);
  await changes.next();
  const next = changes.next();
  client.close();
  assert.equal((await next).done, true);
});

test("after an expired token it gets another one, and continues", async (t) => {
  const asked = [];
  const token = async ({ refresh }) => {
    asked.push(refresh);
    return `token${asked.length}`;
  };
  const answers = [page("h.0", "h.5"), page("h.5", "h.5")];
  const { sent, accept, made } = await watching(t, answers, { options: { token } });
  const socket = await accept(0, "h.5");
  assert.equal(socket.protocols[1], "bearer.token1");
  socket.end(4401);
  const next = await accept(1, "h.5");
  assert.equal(next.protocols[1], "bearer.token2");
  assert.deepEqual(asked, [false, true]);
  assert.deepEqual([sent[1].headers.authorization ?? sent[1].headers.Authorization, made.length], ["Bearer token2", 2]);
  // No address has a token.
  for (const { url } of [...sent, ...made]) assert.ok(!url.includes("token"), url);
});

test("a close is noticed before its event comes, and a token without a lifetime is renewed", async (t) => {
  const answers = [page("h.0", "h.5"), page("h.5", "h.6", resource("a")), page("h.6", "h.6")];
  let ahead = 0;
  const now = performance.now.bind(performance);
  t.mock.method(performance, "now", () => now() + ahead);
  const connect = async (give, lived = 0) => {
    const asked = [];
    const token = async ({ refresh }) => {
      asked.push(refresh);
      return give(`token${asked.length}`);
    };
    const { accept, types, sent } = await watching(t, answers, { options: { token } });
    const socket = await accept(0, "h.5");
    ahead += lived;
    const began = performance.now();
    socket.leave();
    await until(() => types().length === 3);
    const late = performance.now() - began;
    assert.ok(late < 1_500, `${late}`);
    const next = await accept(1, "h.6");
    return { socket, next, asked, sent };
  };
  const unlimited = await connect((token) => token);
  assert.deepEqual([unlimited.next.protocols[1], unlimited.asked], ["bearer.token2", [false, true]]);
  // The event is about the first token.
  unlimited.socket.end(4401);
  unlimited.next.leave();
  await until(() => unlimited.asked.length === 3);
  // After a long connection, the object may have restarted. The next, short one shows that it was the token.
  const long = await connect(() => "same", 60_000);
  assert.deepEqual([long.next.protocols[1], long.asked], ["bearer.same", [false, false]]);
  long.next.leave();
  await until(() => long.asked.length === 3);
  assert.deepEqual(long.asked, [false, false, true]);
  // A token that has not expired was no reason, unless the event says so.
  const limited = await connect((token) => ({ token, expiresIn: 3600 }));
  assert.deepEqual([limited.next.protocols[1], limited.asked], ["bearer.token1", [false]]);
  limited.socket.end(4401);
  limited.next.leave();
  await until(() => limited.asked.length === 2);
  assert.deepEqual(limited.asked, [false, true]);
  // A text cannot be renewed.
  const { accept, made } = await watching(t, answers);
  (await accept(0, "h.5")).leave();
  assert.equal((await accept(1, "h.6")).protocols[1], "bearer.secret");
  assert.equal(made.length, 2);
});

test("after another history it begins again", async (t) => {
  const gone = () => error(410, "HistoryChanged");
  const { accept, types, queries } = await watching(t, [
    page("h.0", "h.5", resource("a")),
    gone,
    page("i.0", "i.3", resource("b")),
    page("i.3", "i.3"),
  ]);
  const socket = await accept(0, "h.5");
  socket.end(4410);
  await accept(1, "i.3");
  assert.deepEqual(types(), ["set a h.5", "ready h.5", "reset", "set b i.3", "ready i.3"]);
  assert.deepEqual(queries().slice(0, 3), [" 0", "h.5 0", " 0"]);
});

test("after a close it requests what it missed, waits, and connects again", async (t) => {
  const { accept, types, queries, made } = await watching(t, [
    page("h.0", "h.5"),
    page("h.5", "h.6", resource("a")),
    page("h.6", "h.6"),
  ]);
  for (const [at, code] of [1012, 1013].entries()) {
    const socket = await accept(at, at === 0 ? "h.5" : "h.6");
    socket.end(code);
    await later(10);
  }
  await until(() => made[2]);
  assert.deepEqual(types(), ["ready h.5", "set a h.6", "ready h.6"]);
  assert.deepEqual(queries().slice(0, 3), [" 0", "h.5 0", "h.6 1"]);
});

test("a token that is no longer allowed ends it with the error of the service", async (t) => {
  const { accept, run } = await watching(t, [page("h.0", "h.5"), () => error(403, "insufficient_scope")]);
  const socket = await accept(0, "h.5");
  socket.end(4403);
  await assert.rejects(run, { kind: "api", status: 403 });
});

test("without a socket, requests wait for changes until it may try again", async (t) => {
  const { types, queries, made } = await watching(t, [
    page("h.0", "h.5"),
    page("h.5", "h.5"),
    page("h.5", "h.6", resource("a")),
    never,
  ]);
  (await until(() => made[0])).end(1006);
  await until(() => types().length === 3);
  assert.deepEqual(types(), ["ready h.5", "set a h.6", "ready h.6"]);
  assert.deepEqual(queries().slice(0, 3), [" 0", "h.5 0", "h.5 1"]);
});

test("a class that cannot connect, and a server of something else, are failures of the connection", async (t) => {
  class Broken {
    constructor() {
      throw new SyntaxError("wrong protocol");
    }
  }
  const answers = () => [page("h.0", "h.5"), page("h.5", "h.5"), page("h.5", "h.6"), never];
  const broken = await watching(t, answers(), { options: { WebSocket: Broken } });
  await until(() => broken.types().length === 2);
  const other = await watching(t, answers());
  const socket = await until(() => other.made[0]);
  socket.open();
  socket.receive("hello");
  await until(() => other.types().length === 2);
  assert.equal(socket.readyState, 3);
});

test("a connection that is dead is noticed, and given up", async (t) => {
  const pass = ownClock(t);
  const { Socket, made } = sockets();
  const { client, sent } = clientWith([page("h.0", "h.5"), page("h.5", "h.5"), never], { WebSocket: Socket });
  const changes = watch(client);
  await changes.next();
  const next = changes.next();
  await pass();
  const [socket] = made;
  socket.open();
  socket.receive(frame("h.5", "h.5"));
  await pass(25_000);
  assert.deepEqual(socket.sent, ["ping"]);
  socket.receive("pong");
  await pass(25_000);
  assert.deepEqual([socket.sent, socket.readyState], [["ping", "ping"], 1]);
  await pass(10_000);
  assert.deepEqual([socket.readyState, sent.length >= 2], [3, true]);
  // One that never opens, too.
  for (let second = 0; second < 3; second += 1) await pass(1000);
  client.close();
  await next;
});

test("a ping follows each 16 Ki characters", async (t) => {
  const { accept } = await watching(t, [page("h.0", "h.5"), never]);
  const socket = await accept(0, "h.5");
  const large = { ...resource("a"), custom: "x".repeat(20_000) };
  socket.receive(frame("h.5", "h.6", resource("a")));
  assert.deepEqual(socket.sent, []);
  for (let at = 6; at < 9; at += 1) socket.receive(frame(`h.${at}`, `h.${at + 1}`, large));
  assert.deepEqual(socket.sent, ["ping", "ping", "ping"]);
});

test("when the device is online again, or the page is shown, it checks the connection", async (t) => {
  const events = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  const globals = {
    document,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  };
  const before = Object.fromEntries(Object.keys(globals).map((name) => [name, globalThis[name]]));
  Object.assign(globalThis, globals);
  t.after(() => {
    Object.assign(globalThis, before);
    if (before.document === undefined) delete globalThis.document;
  });
  const { accept, queries, made } = await watching(t, [page("h.0", "h.5"), page("h.5", "h.5")]);
  const socket = await accept(0, "h.5");
  document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(socket.sent, []);
  document.visibilityState = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  events.dispatchEvent(new Event("online"));
  assert.deepEqual(socket.sent, ["ping", "ping"]);
  // In the pause after a failure it does not wait any longer.
  socket.end(1006);
  await until(() => queries().length === 3);
  events.dispatchEvent(new Event("online"));
  await until(() => made.length === 2);
});

test("the transport can be chosen, and an own fetch has sockets only with an own class", async (t) => {
  const { Socket, made } = sockets();
  const { WebSocket } = globalThis;
  Object.assign(globalThis, { WebSocket: Socket });
  t.after(() => {
    globalThis.WebSocket = WebSocket;
  });
  const opened = async (options, transport) => {
    made.length = 0;
    const { client } = clientWith([page("h.0", "h.5"), never], options);
    const changes = watch(client, { transport });
    await changes.next();
    const next = changes.next();
    await later(20);
    client.close();
    await next;
    return made.length;
  };
  assert.equal(await opened({}), 0);
  assert.equal(await opened({}, "socket"), 1);
  assert.equal(await opened({ WebSocket: Socket }), 1);
  assert.equal(await opened({ WebSocket: Socket }, "wait"), 0);
});

test("what a frame has is a part of the session: a read of an older copy is repeated", async (t) => {
  const { client, accept, sent } = await watching(t, [page("h.0", "h.5"), resource("a", 2), resource("a", 3)]);
  const socket = await accept(0, "h.5");
  socket.receive(frame("h.5", "h.7", resource("a", 3)));
  await later(10);
  const read = await client.getById("a");
  assert.deepEqual([read.version, sent.length], [3, 3]);
});
