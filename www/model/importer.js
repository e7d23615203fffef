// The work of an import, without a page: reads a file's items, validates them, and sends a few at a time.

import { ResourceError, validate } from "../pkg/browser.js";
import { parseJson } from "./json.js";
import { Splitter } from "./ndjson.js";
import { randomHex } from "./random.js";
import { describeExpected } from "./wording.js";

/** @import { ErrorItem, Issue, ResourceClient, ResourceDraft } from "../pkg/browser.js" */
/** @import { Item } from "./ndjson.js" */

const TOGETHER = 16;
const PIECE_MS = 40;

/** What happens to an item whose resource already exists. */
export const MODES = {
  update: "Update it: the file's values replace the stored ones",
  create: "Skip it: create only missing resources",
  version: "Update it only if its version matches the file's",
};

/** @typedef {keyof typeof MODES} Mode */
/** @typedef {{ mode: Mode, fresh: boolean }} ImportChoices */

/**
 * A reason why an item was not imported: an issue of its body, an error of the service, or a sentence.
 * @typedef {Issue | ErrorItem | { message: string }} Problem
 */

/**
 * The report's entry of an item that was not imported.
 * @typedef {{
 *   text: string,
 *   number: number,
 *   line: number,
 *   id: string | undefined,
 *   key: string | undefined,
 *   message: string,
 *   errors: Problem[],
 * }} FailedItem
 */

/**
 * What a file contains. `identified` counts items with an ID or a key, `fault` says why the rest cannot be read.
 * @typedef {{
 *   total: number,
 *   valid: number,
 *   identified: number,
 *   failures: FailedItem[],
 *   fault: string | undefined,
 * }} Checked
 */

/** @typedef {{ done: number, created: number, updated: number, skipped: number, failed: number }} Counts */
/** @typedef {Counts & { failures: FailedItem[], fault: string | undefined }} Imported */

/**
 * Yields the items of a file in pieces. `read` is the number of bytes so far. Lets the page run between pieces.
 * @param {File} file
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<{ items: Item[], read: number }, void, undefined>}
 */
async function* pieces(file, signal) {
  const splitter = new Splitter(file.name);
  // Fail on other encodings: replacement characters would change the data without notice.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = file.stream().getReader();
  // A disk may never respond.
  const stop = () => reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  let read = 0;
  let since = performance.now();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { value, done } = await reader.read();
      signal.throwIfAborted();
      read += value?.length ?? 0;
      const items = splitter.push(decode(decoder, value, done, read));
      if (done) items.push(...splitter.finish());
      yield { items, read };
      if (done) return;
      if (performance.now() - since > PIECE_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await stop();
  }
}

/**
 * @param {TextDecoder} decoder
 * @param {Uint8Array<ArrayBuffer> | undefined} bytes
 * @param {boolean} done
 * @param {number} read
 */
function decode(decoder, bytes, done, read) {
  try {
    return done ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new SyntaxError(
      `The file is not UTF-8 text (within its first ${read} bytes). Save it as UTF-8, and try again.`,
    );
  }
}

/**
 * Validates an item.
 * @param {Item} item
 * @returns {{ body: ResourceDraft, issues?: undefined } | { body?: undefined, issues: readonly Issue[] }}
 */
function validateItem(item) {
  const result = validate("resourceDraft", item.text);
  return result.valid ? { body: result.value } : { issues: result.issues };
}

/**
 * Returns the report's entry of an item that was not imported.
 * @param {Item} item
 * @param {readonly Problem[]} problems
 * @param {unknown} [body]
 * @returns {FailedItem}
 */
function failedItem(item, problems, body = parseJson(item.text)) {
  const { text, number, line } = item;
  const { id, key } = /** @type {{ id?: unknown, key?: unknown }} */ (body ?? {});
  const name = (/** @type {unknown} */ value) => (typeof value === "string" ? value : undefined);
  const errors = problems.map((problem) => inFile(problem, item));
  return {
    text,
    number,
    line,
    id: name(id),
    key: name(key),
    message: errors.map(({ message }) => message).join(" "),
    errors,
  };
}

/**
 * Converts an issue's line and column in the item to those in the file.
 * @param {Problem} problem
 * @param {Item} item
 */
function inFile(problem, { line, column }) {
  if (!("line" in problem) || problem.line === undefined) return problem;
  const itsColumn = problem.column ?? 1;
  const place = { line: line + problem.line - 1, column: problem.line === 1 ? column + itsColumn - 1 : itsColumn };
  const expected = describeExpected(problem);
  const message =
    `Invalid JSON at line ${place.line}, column ${place.column}` +
    (expected === undefined ? "." : `: expected ${expected}.`);
  return { ...problem, ...place, message };
}

/**
 * Reads a whole file and validates each item. Sends nothing.
 * @param {File} file
 * @param {{ signal: AbortSignal, progress: (found: Checked & { read: number }) => void }} options
 * @returns {Promise<Checked>}
 */
export async function check(file, { signal, progress }) {
  /** @type {Checked} */
  const found = { total: 0, valid: 0, identified: 0, failures: [], fault: undefined };
  try {
    for await (const { items, read } of pieces(file, signal)) {
      for (const item of items) {
        found.total++;
        const { body, issues } = validateItem(item);
        if (issues !== undefined) found.failures.push(failedItem(item, issues));
        else found.valid++;
        if (body?.id != null || body?.key != null) found.identified++;
      }
      progress({ read, ...found });
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    // If the file is incomplete, the items before that remain.
    found.fault = error.message;
  }
  return found;
}

/**
 * Returns the body and the headers of an item's request.
 * @param {ResourceDraft} body
 * @param {ImportChoices} choices
 */
function requestOf(body, { mode, fresh }) {
  const { id, version, key, ...rest } = body;
  if (fresh) return { body: rest, headers: undefined };
  const named = { ...(id == null ? {} : { id }), ...(key == null ? {} : { key }), ...rest };
  if (mode === "version" && version != null) return { body: { ...named, version }, headers: undefined };
  // Without a version, the file cannot show that it is based on the existing resource. Such an item can only be
  // created.
  return { body: named, headers: mode === "update" ? undefined : { "If-None-Match": "*" } };
}

/**
 * `progress(counts)` receives the results so far. `halted(error)` is called if nothing can be sent (no connection, no
 * permission). It resolves with whether to continue with the same items. Once `stopped()` returns true, nothing more is
 * sent. Aborting the signal also ends the running requests.
 * @typedef {ImportChoices & {
 *   client: ResourceClient,
 *   signal: AbortSignal,
 *   stopped: () => boolean,
 *   progress: (counts: Counts) => void,
 *   halted: (error: unknown) => Promise<boolean>,
 * }} ImportOptions
 */

/**
 * Sends a file's items. Resolves with the counts and the failures.
 * @param {File} file
 * @param {ImportOptions} options
 * @returns {Promise<Imported>}
 */
export async function importFile(file, options) {
  const sender = new Sender(options);
  const { signal, stopped } = options;
  let fault;
  try {
    for await (const { items } of pieces(file, signal)) {
      for (const item of items) {
        if (stopped() || signal.aborted) break;
        await sender.add(item);
      }
      if (stopped() || signal.aborted) break;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (!signal.aborted) fault = error.message;
  }
  await sender.idle();
  return { ...sender.counts, failures: sender.failures, fault };
}

/** Sends a limited number of items at a time. */
class Sender {
  /** @type {Counts} */
  counts = { done: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  /** @type {FailedItem[]} */
  failures = [];
  #options;
  /** @type {Set<Promise<void>>} */
  #busy = new Set();
  /**
   * The last task of each ID and key. Items of the same resource are sent one after the other, in the file's order.
   * @type {Map<string, Promise<void>>}
   */
  #last = new Map();
  /** @type {Promise<boolean> | undefined} */
  #halt;

  /** @param {ImportOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Sends a valid item. Resolves once there is room for the next.
   * @param {Item} item
   */
  async add(item) {
    const { body, issues } = validateItem(item);
    if (issues !== undefined) return this.#fail(item, issues);
    const names = this.#options.fresh ? [] : namesOf(body);
    const task = Promise.all(names.map((name) => this.#last.get(name))).then(() => this.#send(item, body));
    this.#busy.add(task);
    for (const name of names) this.#last.set(name, task);
    void task.finally(() => {
      this.#busy.delete(task);
      for (const name of names) if (this.#last.get(name) === task) this.#last.delete(name);
    });
    if (this.#busy.size >= TOGETHER) await Promise.race(this.#busy);
  }

  idle() {
    return Promise.all(this.#busy);
  }

  /**
   * @param {Item} item
   * @param {ResourceDraft} body
   */
  async #send(item, body) {
    const { client, mode, signal, halted } = this.#options;
    const request = requestOf(body, this.#options);
    // All attempts of an item share a key, so that an item whose response was lost is not written twice (D18).
    const idempotencyKey = randomHex(16);
    let unsent = "Not sent: the import was cancelled.";
    for (;;) {
      if (this.#halt !== undefined && !(await this.#halt)) return this.#fail(item, [{ message: unsent }], body);
      try {
        let status;
        await client.createOrUpdate(request.body, {
          signal,
          headers: request.headers,
          idempotencyKey,
          onResponse: (response) => (status = response.status),
        });
        return this.#finish(status === 201 ? "created" : "updated");
      } catch (error) {
        const { status } = /** @type {{ status?: number }} */ (error);
        if (status === 412 && mode === "create") return this.#finish("skipped");
        if (status === 412) return this.#fail(item, [{ message: UNVERSIONED }], body);
        if (error instanceof ResourceError && !isHalting(error)) return this.#fail(item, reasonsOf(error), body);
        if (status === undefined) unsent = UNKNOWN;
        this.#halt ??= Promise.race([halted(error), stopOnAbort(signal)]).finally(() => (this.#halt = undefined));
      }
    }
  }

  /**
   * @param {Item} item
   * @param {readonly Problem[]} problems
   * @param {ResourceDraft} [body]
   */
  #fail(item, problems, body) {
    this.failures.push(failedItem(item, problems, body));
    this.#finish("failed");
  }

  /** @param {"created" | "updated" | "skipped" | "failed"} kind */
  #finish(kind) {
    this.counts.done++;
    this.counts[kind]++;
    this.#options.progress(this.counts);
  }
}

/**
 * Returns the names under which a body identifies its resource.
 * @param {ResourceDraft} body
 */
function namesOf({ id, key }) {
  const names = [];
  if (id != null) names.push(`id ${id}`);
  if (key != null) names.push(`key ${key}`);
  return names;
}

/**
 * Resolves with false (do not continue) once the signal is aborted.
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>}
 */
function stopOnAbort(signal) {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(false), { once: true }));
}

const UNVERSIONED = "The resource already exists, and this item has no version to compare. Nothing was changed.";
const UNKNOWN = "Sent, but the import was cancelled before the response. It may be written.";

/**
 * @param {ResourceError} error
 * @returns {readonly Problem[]}
 */
function reasonsOf({ kind, errors, message }) {
  if (kind === "aborted") return [{ message: UNKNOWN }];
  return errors.length > 0 ? errors : [{ message }];
}

/**
 * Returns whether the failure is independent of the item, so that the next item would fail too.
 * @param {ResourceError} error
 */
function isHalting(error) {
  if (error.kind === "aborted") return false;
  return (
    ["network", "timeout", "unexpected"].includes(error.kind) ||
    error.retryable ||
    error.status === 401 ||
    error.status === 403
  );
}

/**
 * Puts an item on one line: a line break between its parts becomes a space, one inside a string its escape.
 * @param {string} text
 */
function inOneLine(text) {
  return text.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"?|\s+/g, (part) => {
    if (part.startsWith('"')) return part.replace(/\n/g, "\\n").replace(/\r/g, "\\r");
    return part.includes("\n") ? " " : part;
  });
}

/**
 * Returns the failed items as a file that can be imported after they are corrected: each on one line, otherwise
 * unchanged.
 * @param {readonly Pick<FailedItem, "text">[]} failures
 */
export const failedLines = (failures) => failures.map(({ text }) => `${inOneLine(text)}\n`).join("");

/**
 * Returns the reasons of the failures, one object per line.
 * @param {FailedItem[]} failures
 */
export const reasonLines = (failures) => failures.map(({ text, ...reason }) => `${JSON.stringify(reason)}\n`).join("");
