// A module around the built Worker that counts the starts of objects and their alarms, and moves the clock. Tests load
// this module instead of the Worker, beside its entry.js.
//
// - `POST /__clock?ms=…` moves the clock forward, for the Worker and its objects.
// - `GET /__counts?project=…` returns how often the project's object started, was called, and its alarm rang. It calls
//   no object.
// - `POST /__break?project=…&rule=…` lets the project's object break a rule of sockets on purpose. A test that does not
//   notice would not notice the same fault in the code.

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

/** Returns a rule that is broken when the object accepts a socket. */
const atAccept = (act) => (ctx) => {
  const acceptWebSocket = ctx.acceptWebSocket.bind(ctx);
  return {
    acceptWebSocket(socket) {
      act(ctx);
      acceptWebSocket(socket);
    },
  };
};

/** The rules that an object may break, each with the members of its `ctx` that break it. */
const RULES = {
  // The object responds to each ping itself.
  "pings wake no object": () => ({ setWebSocketAutoResponse() {} }),
  "idle sockets have no alarm": atAccept((ctx) => ctx.storage.setAlarm(now() + 8_000)),
  "idle sockets have no timer": atAccept(() => setInterval(() => {}, 5_000)),
  // Each frame seems to follow a ping.
  "unread frames are counted": () => ({ getWebSocketAutoResponseTimestamp: () => new Date(Math.random() * 1e12) }),
};
const broken = new Map();

export class ProjectObject extends Real {
  constructor(ctx, env) {
    Object.assign(ctx, RULES[broken.get(ctx.id.name)]?.(ctx));
    super(ctx, env);
    countsOf(ctx).starts += 1;
  }

  webSocketMessage(socket, text) {
    if (broken.get(this.ctx.id.name) === "pings wake no object") socket.send("pong");
    else super.webSocketMessage(socket, text);
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
    if (pathname === "/__break") {
      const [project, rule] = ["project", "rule"].map((name) => searchParams.get(name));
      if (!Object.hasOwn(RULES, rule)) return new Response(null, { status: 400 });
      broken.set(`v1/${project}`, rule);
      return Response.json(rule);
    }
    if (pathname === "/__counts") return Response.json(counts.get(`v1/${searchParams.get("project")}`));
    return worker.fetch(request, env, ctx);
  },
};
