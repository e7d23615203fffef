// A deployed service, as the points of a proof call it: with tokens for an API client, in projects of the run.

import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { connectTo, eventually, later, tokenRequest } from "../workerd/support.mjs";

/** How many projects a token names, because a service may limit the requests for tokens. */
const TOGETHER = 32;
/** How many requests delete data at once. */
const LANES = 16;
/** How often a request for a token is tried. */
const TRIES = 10;

/** Runs a function on every item, on so many at a time, until there are no more or the time is over. */
export async function inLanes(count, items, run, until = Infinity) {
  const waiting = [...items];
  const lane = async () => {
    while (waiting.length > 0 && Date.now() < until) await run(waiting.shift());
  };
  await Promise.all(Array.from({ length: count }, lane));
  return items.length - waiting.length;
}

/** Returns the response once it is not 503: while an object ends and starts, the service asks for another attempt. */
export const settled = (call) =>
  eventually(async () => {
    const answer = await call();
    assert.notEqual(answer.status, 503, answer.text);
    return answer;
  }, 60_000);

/**
 * Returns the service. Beside what `connectTo` gives, it has counts, the name of the run, and `project`, which returns
 * the name of a new project. That begins with the name of the run.
 * @param {string} address
 * @param {{ id: string, secret: string }} client
 */
export function openService(address, client) {
  const run = `prove-${randomBytes(5).toString("hex")}`;
  const service = connectTo({}, new URL(address));
  const { send } = service;
  /** The projects that may have data. */
  const written = new Set();
  let projects = 0;
  /** The signal of the point that calls. */
  const limits = new AsyncLocalStorage();
  const requestToken = async (scope) => {
    for (let left = TRIES; ; left -= 1) {
      const { status, headers, text } = await service.send(tokenRequest(client.id, client.secret, scope));
      if (status === 200) return JSON.parse(text);
      const isBusy = status === 429 || status === 503;
      if (!isBusy || left === 0) throw new Error(`the service gave no token: ${status} ${text.slice(0, 300)}`);
      await later(1000 * Number(headers["retry-after"] ?? 1));
    }
  };
  Object.assign(service, {
    run,
    requestToken,
    /** Whether nothing more may be sent. */
    isOver: false,
    /** Runs a function, all of whose requests fail after the signal. */
    within: (signal, run) => limits.run(signal, run),
    counts: { requests: 0, writes: 0 },
    project: () => `${run}-${(projects += 1)}`,
    /** Notes that a project has data, and how many writes and other requests there were. */
    uses(project, writes = 1, others = 0) {
      written.add(project);
      service.counts.writes += writes;
      service.counts.requests += writes + others;
    },
    async send(request) {
      limits.getStore()?.throwIfAborted();
      if (service.isOver) throw new Error("it was interrupted");
      const answer = await send(request);
      const project = request.target.split(/[/?]/)[1];
      const isWrite = !["GET", "HEAD", "OPTIONS"].includes(request.method) && answer.status < 300;
      if (isWrite && project.startsWith(run)) service.uses(project);
      else service.counts.requests += 1;
      return answer;
    },
    async token(project, permission = "manage_test") {
      const number = Number(project.slice(run.length + 1));
      const first = number - (number % TOGETHER);
      const names = Number.isInteger(number)
        ? Array.from({ length: TOGETHER }, (_, at) => `${run}-${first + at}`)
        : [project];
      const scope = names.map((name) => `${permission}:${name}`).join(" ");
      const known = await service.tokens.get(scope);
      if (known !== undefined && known.expires > Date.now()) return known.access_token;
      // Renewed after half of its time.
      const renewed = requestToken(scope).then((one) => ({ ...one, expires: Date.now() + 500 * one.expires_in }));
      service.tokens.set(scope, renewed);
      renewed.catch(() => service.tokens.delete(scope));
      return (await renewed).access_token;
    },
    /** Deletes all data that the run made. Returns the projects that may still have some. */
    async clear(until) {
      service.isOver = false;
      await inLanes(
        LANES,
        [...written],
        async (project) => {
          for (let isDone = false; !isDone && Date.now() < until; ) {
            const answer = await service.call(`DELETE /${project}/data?confirm=${project}`).catch(() => undefined);
            isDone = answer?.json?.isDone === true;
            if (isDone) written.delete(project);
            else if (answer?.status !== 200) await later(1000);
          }
        },
        until,
      );
      service.agent.destroy();
      return [...written];
    },
  });
  return service;
}

/** Returns a table of Markdown. Numbers are at the right. */
export const table = (head, rows) =>
  [head, head.map((_, at) => (Number.isNaN(Number(rows[0][at])) ? "---" : "--:")), ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
