// Followers of a project's changes, by the rules of the specification (D36): over requests that wait, and over sockets,
// some with a predicate. They note whatever breaks a rule, and what differs from the project at the end.

import { setTimeout as pause } from "node:timers/promises";
import WebSocket from "ws";
import { eventually } from "../../../support/waiting.mjs";
import { send } from "./http.mjs";

/** How each follower of a project follows it: over which transport, and which records. */
export const FOLLOWERS = [
  { transport: "wait", query: "", matches: () => true },
  { transport: "socket", query: "", matches: () => true },
  { transport: "socket", query: "where=version%3E2", matches: ({ version }) => version > 2 },
];

/** How long an attempt may take, in milliseconds. */
const ATTEMPT_MS = 2_000;
/** How often a socket sends `ping`. Without a `pong` meanwhile, it is closed. */
const PING_MS = 500;

const historyOf = (position) => position.split(".")[0];
const revisionOf = (position) => Number(position.split(".")[1]);
const beganOf = (position) => position.split(".")[2];

/** Returns a page. Throws if there is no response, and after the signal. */
async function getPage({ origin, token, signal }, path, ms = ATTEMPT_MS) {
  signal?.throwIfAborted();
  return send(origin, { path, headers: { Authorization: `Bearer ${token}` } }, ms);
}

/** Returns the lines of an export. A page without a response, or with 503, is requested again. */
export async function exportOf(where) {
  const lines = [];
  for (let path = `/${where.project}/export`; path !== undefined; ) {
    const at = path;
    const { text, headers } = await eventually(async () => {
      const page = await getPage(where, at, 10 * ATTEMPT_MS);
      if (page.status !== 200) throw new Error(`${at}: ${page.status} ${page.text}`);
      return page;
    });
    lines.push(...text.trimEnd().split("\n"));
    path = /^<(.*)>; rel="next"$/.exec(String(headers.link ?? ""))?.[1];
  }
  const end = JSON.parse(lines.pop()).end;
  const records = lines.filter((line) => !line.startsWith('{"deletedAt"'));
  return { end, records };
}

export class Follower {
  /** What broke a rule. */
  problems = [];
  counts = { pages: 0, frames: 0, behind: 0, gaps: 0, sockets: 0 };
  #records = new Map();
  #position = "";
  #ended = false;

  constructor(how, where) {
    this.how = how;
    this.where = where;
    this.project = where.project;
    this.name = `${how.transport}${how.query && " with a predicate"} in ${where.project}`;
    this.running = this.#run();
  }

  async #run() {
    while (!this.#ended) {
      await this.where.up();
      try {
        if (this.how.transport === "wait") await this.#page(5);
        else await this.#listen();
      } catch {
        // The connection was cut, or the service does not run.
        await pause(20);
      }
    }
  }

  /** Reads the next page. Returns whether it is the last one. */
  async #page(wait) {
    const { project } = this.where;
    const after = this.#position && `&after=${this.#position}`;
    const path = `/${project}/changes?wait=${wait}${after}&${this.how.query}`;
    const { status, text } = await getPage(this.where, path, ATTEMPT_MS + (wait * 1000) / (this.where.speed ?? 1));
    if (status === 410) this.problems.push(`the position ${this.#position} is refused`);
    if (status !== 200) throw new Error(`${status} ${text}`);
    this.counts.pages += 1;
    const isLast = text.indexOf("\n") === text.length - 1;
    if (!this.#apply(text) && !isLast) this.problems.push(`a page does not continue ${this.#position}: ${text}`);
    return isLast;
  }

  async #catchUp() {
    while (!(await this.#page(0)));
  }

  /** Applies a page or a frame if it continues what the follower has. Returns whether it does. */
  #apply(text) {
    const [first, ...lines] = text.trimEnd().split("\n");
    const { from, to, behind } = JSON.parse(first);
    const own = this.#position;
    const isNext =
      own === "" ? revisionOf(from) === 0 : revisionOf(from) <= revisionOf(own) && revisionOf(own) < revisionOf(to);
    const isOtherReading = own !== "" && beganOf(from) !== undefined && beganOf(from) !== beganOf(own);
    if (behind || !isNext || isOtherReading) return false;
    if (own !== "" && historyOf(from) !== historyOf(own)) this.problems.push(`the history changed: ${own}, ${from}`);
    for (const line of lines) {
      const { id, deletedAt, outside } = JSON.parse(line);
      if (outside !== undefined) for (const one of outside) this.#records.delete(one);
      else if (deletedAt !== undefined) this.#records.delete(id);
      else this.#records.set(id, line);
    }
    this.#position = to;
    return true;
  }

  /** Follows over a socket until it is closed. */
  async #listen() {
    const { origin, token, project } = this.where;
    const url = `${origin.replace("http", "ws")}/${project}/changes?${this.how.query}`;
    const protocols = ["resource-edge.changes", `bearer.${token}`];
    const socket = new WebSocket(url, protocols, { handshakeTimeout: ATTEMPT_MS });
    let pongs = 0;
    const frames = [];
    let wake = () => {};
    socket.on("message", (data) => {
      const text = String(data);
      if (text === "pong") pongs += 1;
      else frames.push(text);
      wake();
    });
    let closed = false;
    socket.on("error", () => {});
    socket.on("close", (code) => {
      closed = true;
      if (code === 4410) this.problems.push("a socket is closed with another history");
      wake();
    });
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("close", () => reject(new Error("no socket")));
    });
    this.counts.sockets += 1;
    let pings = 0;
    const pinging = setInterval(() => {
      if (pings > pongs) socket.terminate();
      else if (!closed) socket.send("ping");
      pings += 1;
    }, PING_MS);
    try {
      // What happens meanwhile is in frames.
      await this.#catchUp();
      while (!closed && !this.#ended) {
        const frame = frames.shift();
        if (frame === undefined) {
          await new Promise((resolve) => (wake = () => resolve(undefined)));
          continue;
        }
        const { from, to, behind } = JSON.parse(frame.split("\n", 1)[0]);
        this.counts.frames += 1;
        if (behind) this.counts.behind += 1;
        const isNew = revisionOf(to) > revisionOf(this.#position);
        if (isNew && !this.#apply(frame)) {
          if (!behind) this.counts.gaps += revisionOf(from) > revisionOf(this.#position) ? 1 : 0;
          await this.#catchUp();
        }
      }
    } finally {
      clearInterval(pinging);
      socket.terminate();
    }
  }

  /** Ends it. */
  stop() {
    this.#ended = true;
    return this.running;
  }

  /** Ends it, and compares it with an export. The service must be at rest. */
  async end({ end, records }) {
    await this.stop();
    await eventually(() => this.#catchUp());
    if (this.#position !== end) this.problems.push(`it reaches ${this.#position}, not ${end}`);
    const wanted = records.filter((line) => this.how.matches(JSON.parse(line)));
    const has = [...this.#records.values()];
    const lacking = wanted.filter((line) => this.#records.get(JSON.parse(line).id) !== line);
    if (lacking.length > 0 || has.length !== wanted.length)
      this.problems.push(`it has ${has.length} records, not ${wanted.length}; it lacks ${lacking.slice(0, 3)}`);
    return this.problems.map((problem) => `the follower by ${this.name}: ${problem}`);
  }
}
