// A module around the built Worker that makes KV and the objects' SQL fail as the tests request. It is loaded instead
// of the Worker, beside its entry.js.
//
// - `POST /__faults` sets the faults.
// - `POST /__sweep?project=…` starts a project's slow sweep.
// - `POST /__confirm?project=…` skips the minute after which uncertain puts are confirmed, and returns their number.
//   The object must have just started.
// - `POST /__count` returns the statements and the rows written since the last such call.

import worker, { ProjectObject as Real } from "./entry.js";

const faults = { puts: "pass", reads: "pass", sqlAfter: null };
let held = [];
// `null` until the first count, because other tests do not count.
let cursors = null;

const failing = () => new Error("KV is made to fail: 503");

function put(kv, args) {
  switch (faults.puts) {
    case "fail":
      return Promise.reject(failing());
    case "throw":
      throw failing();
    case "hold":
      return new Promise((resolve, reject) => held.push(() => kv.put(...args).then(resolve, reject)));
    default:
      return kv.put(...args);
  }
}

function read(kv, args) {
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
    default:
      return kv.getWithMetadata(...args);
  }
}

function kvOf(kv) {
  return {
    put: (...args) => put(kv, args),
    getWithMetadata: (...args) => read(kv, args),
    list: (...args) => kv.list(...args),
    delete: (...args) => kv.delete(...args),
  };
}

const wrapped = (env) =>
  new Proxy(env, { get: (target, name) => (name === "RESOURCES" ? kvOf(target.RESOURCES) : target[name]) });

/** Returns the storage, whose SQL fails after so many statements. */
function storageOf(storage) {
  const sql = {
    exec(...args) {
      if (faults.sqlAfter !== null) {
        if (faults.sqlAfter <= 0) throw new Error("SQL is made to fail");
        faults.sqlAfter -= 1;
      }
      const cursor = storage.sql.exec(...args);
      cursors?.push(cursor);
      return cursor;
    },
  };
  return new Proxy(storage, {
    get(target, name) {
      if (name === "sql") return sql;
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

export class ProjectObject extends Real {
  constructor(ctx, env) {
    super(ctx, wrapped(env));
    const storage = storageOf(ctx.storage);
    Object.defineProperty(this, "ctx", { value: { storage } });
  }

  /** Makes the sweep due and the alarm ring. */
  async sweepNow() {
    const { storage } = this.ctx;
    storage.sql.exec("INSERT INTO meta(name, value) VALUES('sweep', 0) ON CONFLICT(name) DO UPDATE SET value = 0");
    await storage.setAlarm(Date.now());
  }

  /** Makes pending confirmations due and the alarm ring. */
  async confirmNow() {
    const { storage } = this.ctx;
    const { rowsWritten } = storage.sql.exec(
      "UPDATE outbox SET due = 0, confirm = 1 WHERE attempts = 0 AND confirm IS NOT NULL",
    );
    await storage.setAlarm(Date.now());
    return rowsWritten;
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/__sweep") {
      await env.PROJECTS.getByName(`v1/${searchParams.get("project")}`).sweepNow();
      return new Response(null, { status: 204 });
    }
    if (pathname === "/__confirm") {
      return Response.json(await env.PROJECTS.getByName(`v1/${searchParams.get("project")}`).confirmNow());
    }
    if (pathname === "/__count") {
      const counted = {
        statements: cursors?.length ?? 0,
        rowsWritten: (cursors ?? []).reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
      };
      cursors = [];
      return Response.json(counted);
    }
    if (pathname !== "/__faults") return worker.fetch(request, wrapped(env), ctx);
    Object.assign(faults, await request.json());
    if (faults.puts !== "hold") {
      for (const release of held) release();
      held = [];
    }
    return Response.json(faults);
  },
};
