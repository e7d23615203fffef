// A module around the built Worker that adds a history to objects, which the local platform lacks: their storage has
// the methods of point-in-time recovery. A restore is effective when the object starts again. Tests load this module
// instead of the Worker, beside its entry.js.
//
// - `POST /__keep?project=…` keeps the project's present, and returns its bookmark.
// - `POST /__lose?calls=…` ignores this number of calls that would end an object.
// - `POST /__hold?calls=true` delays the calls that would end an object, until `calls=false`.
// - `GET /__called` returns the calls of the platform's methods since the last request.

import worker, { ProjectObject as Real } from "./entry.js";

/** The tables that are kept. The index and the words are rebuilt from the records. */
const TABLES = ["resource", "tombstone", "outbox", "idempotency", "replaced", "meta"];
const OUTDATED = "UPDATE meta SET value = 0 WHERE name = 'index'";

/** The contents of tables, by bookmark. */
const past = new Map();
/** The bookmark that the next start of an object restores, by the object's ID. */
const pending = new Map();
let called = [];
let lost = 0;
let isHeld = false;

function contents({ sql }) {
  return TABLES.map((table) => [table, [...sql.exec(`SELECT * FROM ${table}`).raw()]]);
}

function restore({ sql }, tables) {
  for (const [table, rows] of tables) {
    sql.exec(`DELETE FROM ${table}`);
    for (const row of rows) sql.exec(`INSERT INTO ${table} VALUES(${row.map(() => "?").join()})`, ...row);
  }
  sql.exec(OUTDATED);
}

export class ProjectObject extends Real {
  constructor(ctx, env) {
    const { storage, id } = ctx;
    const restored = pending.get(String(id));
    if (restored !== undefined) {
      pending.delete(String(id));
      restore(storage, restored.tables);
      storage.deleteAlarm();
      // The storage has the alarm of its time. Nobody rings it.
      Object.defineProperty(storage, "getAlarm", { value: async () => restored.time });
    }
    const abort = ctx.abort.bind(ctx);
    Object.defineProperties(storage, {
      getBookmarkForTime: {
        async value(time) {
          called.push(["getBookmarkForTime", time]);
          return [...past.keys()].findLast((bookmark) => past.get(bookmark).time <= time) ?? "before";
        },
      },
      onNextSessionRestoreBookmark: {
        async value(bookmark) {
          called.push(["onNextSessionRestoreBookmark", bookmark]);
          if (!past.has(bookmark)) throw new Error("made to refuse the bookmark");
          const undo = `undo-${past.size}`;
          pending.set(String(id), { ...past.get(bookmark), undo });
          return undo;
        },
      },
    });
    Object.defineProperty(ctx, "abort", {
      value(reason) {
        called.push(["abort"]);
        past.set(pending.get(String(id)).undo, { time: Date.now(), tables: contents(storage) });
        abort(reason);
      },
    });
    super(ctx, env);
  }

  keep() {
    const bookmark = `kept-${past.size}`;
    past.set(bookmark, { time: Date.now(), tables: contents(this.ctx.storage) });
    return { bookmark, time: past.get(bookmark).time };
  }

  async restart() {
    lost -= 1;
    if (lost >= 0) throw new Error("made to be lost");
    while (isHeld) await scheduler.wait(5);
    await super.restart();
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/__keep")
      return Response.json(await env.PROJECTS.getByName(`v1/${searchParams.get("project")}`).keep());
    if (pathname === "/__lose") return Response.json((lost = Number(searchParams.get("calls"))));
    if (pathname === "/__hold") return Response.json((isHeld = searchParams.get("calls") === "true"));
    if (pathname !== "/__called") return worker.fetch(request, env, ctx);
    const recorded = called;
    called = [];
    return Response.json(recorded);
  },
};
