// Random operations by several writers, whose history the checker of the torture test checks, and followers of the
// changes meanwhile. Nothing is killed.

import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { watch } from "../../pkg/dist/live.js";
import { ResourceClient } from "../../pkg/dist/node.js";
import { eventually, later, ROOT } from "../workerd/support.mjs";
import { exportOf, Follower, FOLLOWERS } from "../world/torture/lib/followers.mjs";
import { check, Load } from "../world/torture/lib/load.mjs";
import { Random } from "../support/random.mjs";

const PROJECTS = 2;
/** The followers of the npm package, in each project. */
const TRANSPORTS = /** @type {const} */ (["socket", "wait"]);
/** The part of the time that the followers and the checker have at the end. */
const END = 0.3;

/** Follows a project with the npm package, and keeps a copy of it. */
class Watcher {
  #copy = new Map();
  #end = new AbortController();

  constructor(origin, token, project, transport) {
    this.project = project;
    this.name = `the package's \`watch\` by ${transport} in ${project}`;
    const client = new ResourceClient({ baseUrl: origin, token, projectKey: project });
    this.failure = undefined;
    this.running = this.#run(watch(client, { transport, signal: this.#end.signal })).catch((error) => {
      this.failure = error.message;
    });
  }

  async #run(changes) {
    for await (const change of changes) {
      if (change.type === "reset") this.#copy.clear();
      else if (change.type === "set") this.#copy.set(change.id, `${change.id} ${change.resource.version}`);
      else if (change.type === "delete") this.#copy.delete(change.id);
    }
  }

  /** Ends it. */
  stop() {
    this.#end.abort();
    return this.running;
  }

  /** Ends it, and compares it with an export. */
  async end({ records }) {
    const wanted = records.map((line) => JSON.parse(line)).map(({ id, version }) => `${id} ${version}`);
    const lacking = () => wanted.filter((one) => !new Set(this.#copy.values()).has(one));
    const isSame = () => this.#copy.size === wanted.length && lacking().length === 0;
    await eventually(() => {
      if (!isSame() && this.failure === undefined) throw new Error("not yet");
    }, 30_000).catch(() => {});
    this.#end.abort();
    if (this.failure !== undefined) return [`${this.name}: ${this.failure}`];
    if (isSame()) return [];
    return [`${this.name}: it has ${this.#copy.size} records, not ${wanted.length}; it lacks ${lacking().slice(0, 3)}`];
  }
}

/** @type {import("./points.mjs").Point} */
export const histories = {
  name: "histories",
  share: 3,
  plan: `lets 12 writers and readers contend for resources of ${PROJECTS} projects, while ${
    PROJECTS * (FOLLOWERS.length + TRANSPORTS.length)
  } followers keep copies`,
  meaning:
    "The order of the operations contradicts the guarantees (a lost write, a read of the past, a key twice), or a " +
    "follower missed a change, or the service responded irregularly under load.",
  remedy:
    "If responses are 5xx, look at the log (`npx wrangler tail`). Else stop using the service, and report the " +
    "history, whose file the problem names.",
  async run({ service, until, isLocal, note, signal }) {
    const projects = Array.from({ length: PROJECTS }, service.project);
    for (const project of projects) service.uses(project, 0);
    const folder = join(ROOT, "artifacts");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${service.run}.ndjson`);
    const history = createWriteStream(file);
    const { access_token: token } = await service.requestToken(projects.map((one) => `manage_test:${one}`).join(" "));
    const origin = service.address;
    const up = async () => {};
    const where = projects.map((project) => ({ origin, token, project, up, signal }));
    const followers = where.flatMap((one) => FOLLOWERS.map((how) => new Follower(how, one)));
    const watchers = projects.flatMap((project) =>
      TRANSPORTS.map((transport) => new Watcher(origin, token, project, transport)),
    );
    const load = new Load({
      ...{ origin, token, projects, up, signal, raw: 8, sessions: 4, pauseMs: 100 },
      attemptMs: isLocal ? 2_000 : 8_000,
      random: (stream) => new Random(service.run, stream),
      record: (entry) => history.write(`${JSON.stringify(entry)}\n`),
    });
    const timer = setInterval(() => note(`${load.counts.operations} operations`), 10_000);
    const problems = [];
    try {
      await load.round(1, () => later((until - Date.now()) * (1 - END), undefined, { signal }));
      for (const one of where) {
        const exported = await exportOf(one);
        const own = [...followers, ...watchers].filter(({ project }) => project === one.project);
        problems.push(...(await Promise.all(own.map((follower) => follower.end(exported)))).flat());
      }
    } finally {
      clearInterval(timer);
      const { operations, acknowledged } = load.counts;
      for (const project of projects)
        service.uses(project, acknowledged / PROJECTS, (operations - acknowledged) / PROJECTS);
      await Promise.all([...followers, ...watchers].map((follower) => follower.stop()));
      await new Promise((resolve) => history.end(resolve));
    }
    const { operations, acknowledged, unknown } = load.counts;
    const { code, text } = await check(file);
    if (code === 0) rmSync(file);
    else problems.push(`the history in ${file}: ${text}`);
    const did =
      `${operations} operations ran: ${acknowledged} are acknowledged writes, and ${unknown} got no response. ` +
      `The checker found ${code === 0 ? "an order that explains them all" : "no such order, or could not end"}. ` +
      `${followers.length + watchers.length} followers, over sockets and over requests that wait, were compared with ` +
      "an export at the end.";
    return { did, problems };
  },
};
