// A service in memory under random writes and faults, with followers that have to be right all the time.

import assert from "node:assert/strict";

import { ResourceClient } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { Random } from "../support/random.mjs";
import { eventually, later } from "../support/waiting.mjs";

const WHERE = 'custom = "in"';
// The events of a page's network, which Node has not.
const network = new EventTarget();
globalThis.addEventListener ??= network.addEventListener.bind(network);
globalThis.removeEventListener ??= network.removeEventListener.bind(network);

/** A copy of a project, or of what matches, which a program keeps by `watch`. */
class Copy {
  items = new Map();
  position;
  #where;
  #seen;

  /** @param seen gets all states */
  constructor(where, seen) {
    this.#where = where;
    this.#seen = seen;
  }

  async follow(watch, client, signal) {
    for await (const change of watch(client, { where: this.#where, limit: 3, signal })) {
      this.#checkPosition(change);
      if (change.type === "set") {
        this.#seen.add(JSON.stringify(change.resource));
        this.items.set(change.id, change.resource);
      } else if (change.type === "reset") this.items.clear();
      else if (change.type !== "ready") this.items.delete(change.id);
    }
  }

  #checkPosition({ position }) {
    const [history, revision] = (this.position ?? "").split(".");
    const [nextHistory, nextRevision] = (position ?? "").split(".");
    if (position !== undefined && this.position !== undefined) {
      assert.equal(nextHistory, history, "another history without a reset");
      assert.ok(Number(nextRevision) >= Number(revision), "a position has fallen");
    }
    this.position = position;
  }
}

class World {
  // What responses to writes had, and what followers got, which may be earlier.
  #states = new Set();
  #seen = new Set();
  #ended = new AbortController();
  #faults = [];
  #restore = async () => {};
  #isEnding = false;

  constructor({ watch, live }, service, random) {
    this.random = random;
    this.service = service;
    const options = { ...service.clientOptions(), retry: { baseDelay: 1, maxDelay: 20 } };
    this.reader = new ResourceClient(options);
    this.writer = new ResourceClient(service.clientOptions());
    this.copies = [new Copy(undefined, this.#seen), new Copy(WHERE, this.#seen)];
    const following = this.copies.map((copy) => copy.follow(watch, this.reader, this.#ended.signal));
    this.failed = new Promise((_, reject) => Promise.all(following).catch(reject));
    this.failed.catch(() => {});
    const { reader } = this;
    this.views = [live(reader), live(reader, { where: WHERE }), live(reader, { sort: "id", limit: 4 })];
    for (const view of this.views) this.#check(view);
  }

  /** Checks each snapshot of a view. There is always one resource that matches. */
  #check(view) {
    let hadItems = false;
    view.subscribe(({ items }) => {
      for (const item of items) this.#seen.add(JSON.stringify(item));
      if (hadItems && items.length === 0 && !this.#isEnding) throw new Error("a view was empty for a moment");
      hadItems ||= items.length > 0;
    });
  }

  async create(client, id, custom) {
    const made = await client.createOrUpdate({ id, custom, objectTypeProperty: {} });
    this.#states.add(JSON.stringify(made));
    return made;
  }

  /** Another caller writes. */
  async write() {
    const id = `r${this.random(6)}`;
    if (this.random(4) > 0 || id === "r0") {
      await this.create(this.writer, id, id === "r0" || this.random(2) ? "in" : "out");
      return;
    }
    const deleted = await this.writer.deleteById(id).catch(({ status }) => assert.equal(status, 404));
    if (deleted) this.#states.add(JSON.stringify(deleted));
  }

  /** The client of the views writes. */
  async writeOwn() {
    const { id, version } = await this.create(this.reader, `r${this.random(6)}`, "in");
    for (const view of this.views) {
      const { status, items } = view.getSnapshot();
      const found = items.find((item) => item.id === id);
      const isThere = found !== undefined && found.version >= version;
      // The last view shows only four.
      const isBeyond = view === this.views[2] && items.length === 4 && items.every((item) => item.id < id);
      assert.ok(isThere || isBeyond, `an own write is not in a view that is ${status}`);
    }
  }

  async disturb() {
    const { service, random } = this;
    const fail = (fault) => this.#faults.push(service.fail(fault));
    const choices = [
      () => fail({ frame: "drop", times: 1 + random(3) }),
      () => fail({ frame: "repeat", times: 1 + random(3) }),
      () => fail({ frame: "delay" }),
      () => service.closeSockets({ code: [1006, 1012, 1013, 4401][random(4)] }),
      // A request of a client has five attempts.
      () => fail({ operation: "changes", networkError: true, times: 1 + random(12) }),
      () => fail({ operation: "changes", status: 503 }),
      () => fail({ operation: "changes", lostResponse: true }),
      () => fail({ operation: "query", status: 503, times: 1 + random(8) }),
      () => this.save(),
      () => this.#restore(),
    ];
    await choices[random(choices.length)]();
  }

  async save() {
    this.#restore = await this.service.backup();
  }

  async run(steps, ms) {
    const { random } = this;
    await this.create(this.writer, "r0", "in");
    await this.save();
    for (let step = 0; step < steps; step += 1) {
      const choice = random(10);
      if (choice < 6) await this.write();
      else if (choice < 7) await this.writeOwn();
      else await this.disturb();
      if (random(3) === 0) await later(random(140));
    }
    for (const end of this.#faults) end();
    // No pause has to end first. The last frame shows whether others were lost.
    network.dispatchEvent(new Event("online"));
    await this.create(this.writer, "r0", "in");
    await this.#settle(ms);
    for (const state of this.#seen) assert.ok(this.#states.has(state), `no response had this state: ${state}`);
  }

  /** Waits until everything has the service's state. */
  async #settle(ms) {
    const read = async (params) => (await this.writer.query({ limit: 500, sort: "id", ...params })).results;
    const [all, matching] = [await read({}), await read({ where: WHERE })];
    const wanted = [all, matching, all, matching, all.slice(0, 4)].map((list) => JSON.stringify(list));
    await eventually(() => {
      const copied = this.copies.map(({ items }) => [...items.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
      const shown = this.views.map((view) => view.getSnapshot().items);
      const found = [...copied, ...shown].map((list) => JSON.stringify(list));
      assert.deepEqual(found, wanted);
    }, ms);
  }

  end() {
    this.#isEnding = true;
    this.#ended.abort();
    for (const view of this.views) view.close();
    for (const client of [this.reader, this.writer]) client.close();
    this.service.close();
  }
}

/**
 * Runs `watch` and `live` of a module in such a world. In the end, in which nothing fails, they may need `ms`
 * milliseconds.
 * @param {{ watch: any, live: any }} module
 * @param {number} seed
 * @param {number} ms
 */
export async function runWorld(module, seed, ms, steps = 60) {
  const numbers = new Random(seed);
  const world = new World(module, await createService({ log() {} }), (bound) => numbers.below(bound));
  const uncaught = catchUncaught();
  try {
    await Promise.race([world.run(steps, ms), world.failed, uncaught.promise]);
  } finally {
    world.end();
    uncaught.end();
  }
}

/**
 * Runs a program with a function that opens a view of a client, and one by which another client writes.
 * @param {{ live: any }} module
 * @param {(open: (query?: object) => any, create: (id: string, custom?: string) => Promise<any>) => Promise<void>} run
 */
async function withViews({ live }, run) {
  const service = await createService({ log() {} });
  const [reader, writer] = [1, 2].map(() => new ResourceClient(service.clientOptions()));
  const views = [];
  const open = (query) => {
    const view = live(reader, query);
    view.subscribe(() => {});
    views.push(view);
    return view;
  };
  try {
    await run(open, (id, custom) => writer.createOrUpdate({ id, custom, objectTypeProperty: {} }));
  } finally {
    for (const end of [...views, reader, writer, service]) end.close();
  }
}

/** Waits until a view shows the resources with these IDs. */
const shows = (view, wanted, ms) =>
  eventually(
    () =>
      assert.equal(
        view
          .getSnapshot()
          .items.map(({ id }) => id)
          .join(),
        wanted,
      ),
    ms,
  );

/** Changes arrive that are too large for a frame, so it has only their positions. */
export const passLargeFrame = (module, ms) =>
  withViews(module, async (open, create) => {
    const view = open();
    await create("a");
    await shows(view, "a", ms);
    // The socket opens meanwhile.
    await later(300);
    await Promise.all(["b", "c", "d", "e"].map((id) => create(id, "x".repeat(250_000))));
    await shows(view, "a,b,c,d,e", ms);
  });

/** The first view needs only what changes. The second needs everything, while the request of the first is under way. */
export const passRestart = (module, ms) =>
  withViews(module, async (open, create) => {
    await create("a");
    open({ sort: "id" });
    await shows(open(), "a", ms);
  });

/** Errors of subscribers are uncaught. Returns a promise that the first of them rejects. */
function catchUncaught() {
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  let listener;
  const promise = new Promise((_, reject) => {
    listener = reject;
    process.on("uncaughtException", listener);
  });
  promise.catch(() => {});
  const end = () => {
    process.removeListener("uncaughtException", listener);
    for (const one of listeners) process.on("uncaughtException", one);
  };
  return { promise, end };
}
