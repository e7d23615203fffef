// A module around the built Worker that counts the starts of objects and their alarms, and moves the clock. Tests load
// this module instead of the Worker, beside its entry.js.
//
// - `POST /__clock?ms=…` moves the clock forward, for the Worker and its objects.
// - `GET /__counts?project=…` returns how often the project's object started, was called, and its alarm rang. It calls
//   no object.

let ahead = 0;
const { now } = Date;
Date.now = () => now() + ahead;

const { default: worker, ProjectObject: Real } = await import("./entry.js");

const counts = new Map();
function countsOf({ id: { name } }) {
  const known = counts.get(name) ?? { starts: 0, calls: 0, alarms: 0 };
  counts.set(name, known);
  return known;
}

export class ProjectObject extends Real {
  constructor(ctx, env) {
    super(ctx, env);
    countsOf(ctx).starts += 1;
  }

  perform(message) {
    countsOf(this.ctx).calls += 1;
    return super.perform(message);
  }

  alarm() {
    countsOf(this.ctx).alarms += 1;
    return super.alarm();
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/__clock") return Response.json((ahead += Number(searchParams.get("ms"))));
    if (pathname === "/__counts") return Response.json(counts.get(`v1/${searchParams.get("project")}`));
    return worker.fetch(request, env, ctx);
  },
};
