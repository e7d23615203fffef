// `watch` and `live` under random writes and faults, and broken variants of them, which have to fail there.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import * as live from "../../pkg/dist/live.js";
import { passLargeFrame, passRestart, runWorld } from "./live-world.mjs";
import { root } from "./support.mjs";

const DIST = join(root, "pkg/dist");
const SEEDS = Number(process.env.SEEDS ?? 5);
const FIRST = Number(process.env.FIRST_SEED ?? 1);
/** In how many worlds a broken variant may have luck. */
const TRIES = 20;
/** How many milliseconds a test waits for a state. The machine may be busy, and a broken variant never has it. */
const WAIT_MS = 30_000;
const BROKEN_WAIT_MS = 3_000;

test("whatever is written and whatever fails, followers and views end in the state of the service", {
  timeout: 300_000,
}, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    await runWorld(live, seed, WAIT_MS).catch((error) => {
      throw new Error(`FIRST_SEED=${seed}: ${error.message}`, { cause: error });
    });
  }
});

/** Promises of a follower, and what breaks each: a file, a text in it, and another text. */
const BROKEN = {
  "a gap is requested": ["page.js", '"next" : "gap"', '"next" : "next"'],
  "what is in the past is not performed": ["page.js", 'return "past"', 'return "next"'],
  "after another history everything is discarded": ["follower.js", 'return { type: "reset" };', "return undefined;"],
  "what changed and does not match leaves": [
    "page.js",
    'page.steps.push(...outside.map((id) => ({ type: "leave", id })));',
    ";",
  ],
  "deletions are performed": ["shared-feed.js", "this.#present.delete(step.id)", "undefined"],
  "a view shows a restored project at once": [
    "shared-feed.js",
    "this.#steps = undefined;\n    }",
    "this.#steps = undefined;\n        if (this.isReady) {\n" +
      "this.items = []; for (const one of this.#listeners) one.onChange();\n}}",
  ],
  "a write waits for the views": ["shared-feed.js", "while (!arrives() && ", "while (false && "],
  "a write waits for views that are not connected": [
    "shared-feed.js",
    "this.#follower === undefined ||",
    "!this.isConnected ||",
  ],
};

/**
 * Returns the module with a text replaced.
 * @param {import("node:test").TestContext} t
 * @param {string[]} change
 */
async function breakModule(t, [file, from, to]) {
  // Not in pkg/dist, which other tests read meanwhile.
  const folder = mkdtempSync(join(root, "build/broken-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ["live.js", "feed"]) cpSync(join(DIST, name), join(folder, name), { recursive: true });
  for (const name of ["client", "core", "generated", "validate", "wasm"])
    symlinkSync(join(DIST, name), join(folder, name));
  const path = join(folder, "feed", file);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from), `${file} has no ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  return import(pathToFileURL(join(folder, "live.js")).href);
}

for (const [promise, change] of Object.entries(BROKEN)) {
  test(`without it a world fails: ${promise}`, { timeout: 300_000 }, async (t) => {
    const broken = await breakModule(t, change);
    for (let seed = 1; seed <= TRIES; seed += 1) {
      const reason = await runWorld(broken, seed, BROKEN_WAIT_MS).then(
        () => undefined,
        (error) => error,
      );
      if (reason !== undefined) return t.diagnostic(`seed ${seed}: ${String(reason.message).split("\n")[0]}`);
    }
    throw new Error(`${TRIES} worlds did not notice it`);
  });
}

/** Promises that a random world rarely needs: a situation that does, and what breaks each. */
const SITUATIONS = {
  "a frame without its changes is requested": {
    pass: passLargeFrame,
    change: ["follower.js", " || page.isBehind", ""],
  },
  "the response to a request before a restart is ignored": {
    pass: passRestart,
    change: ["follower.js", "if (position !== this.position)", "if (false)"],
  },
};

for (const [promise, { pass, change }] of Object.entries(SITUATIONS)) {
  test(`${promise}, and is noticed if it is not`, { timeout: 60_000 }, async (t) => {
    await pass(live, WAIT_MS);
    await assert.rejects(pass(await breakModule(t, change), BROKEN_WAIT_MS), { code: "ERR_ASSERTION" });
  });
}
