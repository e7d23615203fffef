// A module around the built Worker that causes the faults of the platform that tests request, and records the calls of
// the platform. Tests load this module instead of the Worker, beside its entry.js.
//
// - `POST /__faults` sets the faults. The header `X-Faults` sets them before its request.
// - `POST /__resources` sets the resources.
// - `POST /__sweep?project=…` starts a project's slow sweep.
// - `POST /__reindex?project=…` lets the next start rebuild a project's index.
// - `GET /__calls` returns the calls of bindings since the last such call, and counts them. Statements and rows are
//   only counted after the first one.

import worker, { ProjectObject as Real, setResources } from "./entry.js";

const faults = {
  // Until they are set again.
  puts: "pass",
  reads: "pass",
  sqlAfter: null,
  // The disk is full: a statement that writes ends the object, as it does on a real full disk.
  full: false,
  // Pages have no deletions.
  lostDeletions: false,
  // How many bytes a database seems to have in addition to its own.
  bytes: 0,
  // The platform knows no sockets of an object.
  lostSockets: false,
  // Once: the object that has the epoch of a project is unavailable.
  epoch: false,
  // Alarms do nothing.
  lostAlarms: false,
  // The number of next puts that fail.
  failPuts: 0,
  // The number of next reads of KV, and of next replies of objects, that wait until `waiting` is 0 again.
  waitingReads: 0,
  waitingReplies: 0,
  waiting: 0,
  // Once: there is no randomness, and an object receives a message of another format.
  random: false,
  format: false,
};

/** Returns whether a fault occurs, which it does once. */
function take(name) {
  const found = faults[name];
  faults[name] = false;
  return found;
}

/** Waits until a condition holds. Another request's promise would end nothing in this one. */
async function until(holds) {
  while (!holds()) await scheduler.wait(5);
}

/** Waits for the test, if the next call has to. */
async function wait(name) {
  if (faults[name] === 0) return;
  faults[name] -= 1;
  faults.waiting += 1;
  await until(() => faults.waiting === 0);
}

const none = () => ({ objects: [], reads: [], puts: [], lists: 0, requests: 0, alarms: 0 });
let calls = none();
// `null` until the first count, because most tests do not count.
let cursors = null;

/** Returns the calls since the last time. */
function takeCalls() {
  const rows = (member) => (cursors ?? []).reduce((sum, cursor) => sum + cursor[member], 0);
  const taken = {
    ...calls,
    statements: cursors?.length ?? 0,
    rowsRead: rows("rowsRead"),
    rowsWritten: rows("rowsWritten"),
  };
  calls = none();
  cursors = [];
  return taken;
}

const failing = () => new Error("KV is made to fail: 503");

const getRandomValues = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (bytes) => {
  // Rust does not catch it: it passes through the instance like a trap.
  if (take("random")) throw new Error("no randomness");
  return getRandomValues(bytes);
};

function put(kv, args) {
  const [entry, , options] = args;
  const failed = faults.failPuts > 0;
  calls.puts.push({ entry, at: Date.now(), revision: options?.metadata?.revision, failed });
  if (failed) {
    faults.failPuts -= 1;
    return Promise.reject(new Error("KV PUT failed: 429 Too Many Requests"));
  }
  switch (faults.puts) {
    case "fail":
      return Promise.reject(failing());
    case "hold":
      return until(() => faults.puts !== "hold").then(() => kv.put(...args));
    case "slow":
      return scheduler.wait(60).then(() => kv.put(...args));
    default:
      return kv.put(...args);
  }
}

function read(kv, args) {
  const [entry, options] = args;
  calls.reads.push({ entry, options });
  switch (faults.reads) {
    case "fail":
      return Promise.reject(failing());
    case "odd":
      return Promise.reject("not even an Error");
    case "trap":
      // Traps like WebAssembly in the middle of a request that waited.
      return Promise.resolve({
        value: new ArrayBuffer(0),
        get metadata() {
          throw new WebAssembly.RuntimeError("made to trap");
        },
      });
    case "bare":
      return Promise.resolve({ value: new TextEncoder().encode("{").buffer, metadata: null });
    case "garbage":
      return Promise.resolve({ value: new TextEncoder().encode("{").buffer, metadata: { revision: "x", deleted: 0 } });
  }
  return wait("waitingReads").then(() => kv.getWithMetadata(...args));
}

function kvOf(kv) {
  return {
    put: (...args) => put(kv, args),
    getWithMetadata: (...args) => read(kv, args),
    list(...args) {
      calls.lists += 1;
      return kv.list(...args);
    },
    delete: (...args) => kv.delete(...args),
  };
}

/** Returns the object. Its next reply may wait. */
const stubOf = (stub) =>
  new Proxy(stub, {
    get:
      (target, name) =>
      async (...args) => {
        if (name === "epoch" && take("epoch")) throw new Error("the object is made to be unavailable");
        const reply = await target[name](...args);
        if (name === "perform") await wait("waitingReplies");
        return reply;
      },
  });

/** Returns the namespace without what the local platform rejects: jurisdictions and options. */
const objectsOf = (objects, jurisdiction) => ({
  jurisdiction: (name) => objectsOf(objects, name),
  getByName(name, options) {
    calls.objects.push({ name, jurisdiction, options });
    return stubOf(objects.getByName(name));
  },
});

const wrapped = (env) => ({ ...env, RESOURCES: kvOf(env.RESOURCES), PROJECTS: objectsOf(env.PROJECTS) });

/** Returns an object of the platform with other members of the given names. */
const replacing = (object, members) =>
  new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return members[name];
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

/** Returns the storage. Its SQL fails after `faults.sqlAfter` statements, and if the disk is full. */
function storageOf(ctx) {
  const { storage } = ctx;
  const sql = {
    get databaseSize() {
      return storage.sql.databaseSize + faults.bytes;
    },
    exec(...args) {
      if (faults.full && /^(INSERT|UPDATE|DELETE)/.test(args[0])) ctx.abort("database or disk is full: SQLITE_FULL");
      if (faults.sqlAfter !== null) {
        if (faults.sqlAfter <= 0) throw new Error("SQL is made to fail");
        faults.sqlAfter -= 1;
      }
      if (faults.lostDeletions) args[0] = args[0].replace("FROM tombstone WHERE", "FROM tombstone WHERE 0 AND");
      const cursor = storage.sql.exec(...args);
      cursors?.push(cursor);
      return cursor;
    },
  };
  const setAlarm = (at) => {
    calls.alarms += 1;
    return storage.setAlarm(at);
  };
  return replacing(storage, { sql, setAlarm });
}

export class ProjectObject extends Real {
  constructor(ctx, env) {
    const getWebSockets = ctx.getWebSockets.bind(ctx);
    Object.assign(ctx, { getWebSockets: () => (faults.lostSockets ? [] : getWebSockets()) });
    super(ctx, wrapped(env));
    Object.defineProperty(this, "ctx", { value: replacing(ctx, { storage: storageOf(ctx) }) });
  }

  perform(message) {
    calls.requests += 1;
    return super.perform(take("format") ? Uint8Array.of(250) : message);
  }

  alarm() {
    calls.requests += 1;
    return faults.lostAlarms ? undefined : super.alarm();
  }

  /** Schedules the sweep and the alarm for now. */
  async sweepNow() {
    const { storage } = this.ctx;
    storage.sql.exec("INSERT INTO meta(name, value) VALUES('sweep', 0) ON CONFLICT(name) DO UPDATE SET value = 0");
    await storage.setAlarm(Date.now());
  }

  /** Outdates the index. */
  reindex() {
    this.ctx.storage.sql.exec("UPDATE meta SET value = 0 WHERE name = 'index'");
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    const object = () => env.PROJECTS.getByName(`v1/${searchParams.get("project")}`);
    switch (pathname) {
      case "/__faults":
        return Response.json(Object.assign(faults, await request.json()));
      case "/__resources":
        setResources(await request.text());
        return new Response(null, { status: 204 });
      case "/__sweep":
        await object().sweepNow();
        return new Response(null, { status: 204 });
      case "/__reindex":
        await object().reindex();
        return new Response(null, { status: 204 });
      case "/__calls":
        return Response.json(takeCalls());
    }
    const changes = request.headers.get("X-Faults");
    if (changes !== null) Object.assign(faults, JSON.parse(changes));
    return worker.fetch(request, wrapped(env), ctx);
  },
};
