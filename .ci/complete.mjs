// A reporter of node's test runner (.ci/tests) that fails the run if a file ends without the results of its tests. The
// runner itself counts such a file as passed if it ends with code 0: after `process.exit()`, or if it defines no test.

import { relative, resolve } from "node:path";

/** @typedef {{ type: string, data: { name: string, nesting: number, file?: string } }} TestEvent */

/** The events that count. Others have no name, for example the diagnostics of a test. */
const EVENTS = new Set(["test:enqueue", "test:pass", "test:fail"]);

/** @param {AsyncIterable<TestEvent>} events */
export default async function* complete(events) {
  /**
   * The tests of each file that have no result yet, and whether it has had one.
   * @type {Map<string, { open: number, ended: boolean }>}
   */
  const files = new Map();
  for await (const { type, data } of events) {
    const { file, name, nesting } = data;
    if (file === undefined || !EVENTS.has(type)) continue;
    const state = files.get(file) ?? { open: 0, ended: false };
    files.set(file, state);
    // The runner reports the file itself as a test, too.
    if (nesting === 0 && resolve(name) === file) continue;
    const isResult = type !== "test:enqueue";
    state.open += isResult ? -1 : 1;
    state.ended ||= isResult;
  }
  for (const [file, { open, ended }] of files) {
    if (open <= 0 && ended) continue;
    process.exitCode = 1;
    yield `error: ${relative(".", file)} ended without the results of its tests.\n`;
  }
}
