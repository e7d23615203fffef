// Callers that contend for resources, round after round. Every operation goes into a history, which the checker checks.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { outcomesOf, RawCaller, SessionCaller } from "./callers.mjs";
import { Groups } from "./groups.mjs";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

export class Load {
  counts = { operations: 0, acknowledged: 0, unknown: 0, full: 0 };
  #resting = false;
  /** Whether nothing more may be sent. */
  #isOver = false;
  #begun = 0;

  /**
   * - `record` adds an entry to the history, and `random` returns the random numbers of a part of the run.
   * - `up` resolves when the service is running.
   * - `raw` and `sessions` are the numbers of callers, and `pauseMs` is their longest pause between two operations.
   * - `signal` ends a round at once, which then throws.
   * @param {{
   *   origin: string, token: string, projects: string[], record: (entry: object) => void,
   *   random: (stream: string) => any, up: () => Promise<void>,
   *   raw: number, sessions: number, pauseMs: number, attemptMs?: number, signal?: AbortSignal,
   * }} options
   */
  constructor(options) {
    this.options = options;
  }

  /**
   * Performs operations until `over` has resolved. Then calls `calm`, and reads every group from the source of truth.
   * `over` gets the groups in use, and a function that reads one of them. After the end of the round nothing is sent,
   * also if it throws.
   * @param {number} count of the round
   * @param {(all: Groups[], audit: (groups: Groups, group: any) => Promise<void>) => Promise<unknown>} over
   */
  async round(count, over, calm = () => {}) {
    this.#resting = this.#isOver = false;
    const { projects, random, raw, sessions, signal } = this.options;
    const all = projects.map(
      (project, at) => new Groups(project, `r${count}${at}`, random(`load ${count} ${project}`)),
    );
    const callers = Array.from({ length: raw + sessions }, (_, at) => this.#caller(count, at + 1, all));
    const auditor = this.#caller(count, 0, all);
    const audit = (groups, group) => this.#audit(auditor.caller, groups, group);
    const working = callers.map((one) => this.#work(one));
    const retiring = [];
    const timer = setInterval(() => {
      for (const groups of all) retiring.push(...groups.takeRetired().map((group) => audit(groups, group)));
    }, 100);
    const end = () => {
      this.#resting = this.#isOver = true;
      clearInterval(timer);
      for (const { caller } of [...callers, auditor]) caller.close();
    };
    signal?.addEventListener("abort", end, { once: true });
    try {
      await Promise.race([over(all, audit), Promise.all(working)]);
      this.#resting = true;
      await Promise.all(working);
      clearInterval(timer);
      calm();
      for (const groups of all) {
        const left = [...groups.takeRetired(), ...groups.active.filter((group) => group.operations > 0)];
        retiring.push(...left.map((group) => audit(groups, group)));
      }
      await Promise.all(retiring);
      signal?.throwIfAborted();
    } finally {
      end();
      await Promise.allSettled([...working, ...retiring]);
    }
  }

  #caller(count, index, all) {
    const groups = all[index % all.length];
    const own = this.options.random(`caller ${count} ${index}`);
    const options = { ...this.options, random: own, ended: () => this.#resting, project: groups.project };
    const caller = index <= this.options.raw ? new RawCaller(options) : new SessionCaller(options);
    return { caller, index: count * 100 + index, groups, own };
  }

  async #perform(caller, index, groups, group, op) {
    group.operations += 1;
    group.inFlight += 1;
    this.#begun += 1;
    const { session } = caller;
    const entry = { type: "operation", n: this.#begun, caller: index, session, invoked: performance.now() };
    const outcome = await caller.perform(op);
    const returned = performance.now();
    group.inFlight -= 1;
    groups.finished(group, outcome);
    const reads = op.kind.startsWith("read") || op.kind === "query";
    this.counts.operations += 1;
    if (outcome.is === "unknown") this.counts.unknown += 1;
    else if (outcome.is === "full") this.counts.full += 1;
    else if (!reads && (outcome.is === "record" || outcome.is === "batch")) this.counts.acknowledged += 1;
    // A read without a response proves nothing. A write that was not performed would be found as one of nobody.
    if (outcome.is === "full" || (reads && outcome.is === "unknown")) return outcome;
    const batch = op.writes && { batch: entry.n };
    for (const [at, one] of outcomesOf(op, outcome).entries()) {
      if (at > 0) entry.n = this.#begun += 1;
      this.options.record({ ...entry, ...(op.writes?.[at] ?? op), ...batch, returned, outcome: one });
    }
    return outcome;
  }

  /** Performs operations until the round is over. */
  async #work({ caller, index, groups, own }) {
    while (!this.#resting) {
      const { group, op } = groups.next(caller.session);
      const first = this.#perform(caller, index, groups, group, op);
      // Two concurrent calls sometimes use the same session.
      const second = caller.session && own.chance(0.3) ? groups.next(true) : undefined;
      await Promise.all([first, second && this.#perform(caller, index, groups, second.group, second.op)]);
      await pause(own.between(0, this.options.pauseMs));
    }
  }

  /** Reads the whole group from the source of truth, until there is a response, or the round is over. */
  async #audit(caller, groups, group) {
    while (!this.#isOver) {
      const outcome = await this.#perform(caller, 0, groups, group, groups.operation(group, "query"));
      if (outcome.is !== "unknown") return;
    }
  }
}

/** Checks a history. Returns the exit code of the checker (.ci/checker builds it), and what it has printed. */
export function check(file) {
  const program = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "release/torture-checker");
  const checking = spawn(program, [file], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [checking.stdout, checking.stderr])
    stream.setEncoding("utf8").on("data", (part) => (text += part));
  return new Promise((resolve, reject) => {
    checking.once("error", reject);
    checking.once("close", (code) => resolve({ code, text }));
  });
}
