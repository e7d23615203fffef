// The work of an import, without a page: reads a file's items, validates them, and sends a few at a time.

import { ResourceError, validate } from "../pkg/browser.js";
import { Splitter } from "./ndjson.js";
import { randomHex } from "./random.js";
import { expectedOf } from "./wording.js";

const TOGETHER = 16;
const PIECE_MS = 40;

/** What happens to an item whose resource already exists. */
export const MODES = {
  update: "Update it: what the file says replaces what is there",
  create: "Leave it as it is: only what is missing is created",
  version: "Update it only where its version is still the file's",
};

/**
 * Yields the items of a file in pieces: `{ items, read }`. `read` is the number of bytes so far. Lets the page run
 * between pieces.
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
      const items = splitter.push(text(decoder, value, done, read));
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

function text(decoder, bytes, done, read) {
  try {
    return done ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new SyntaxError(
      `The file is not UTF-8 text (within its first ${read} bytes). Save it as UTF-8, and try again.`,
    );
  }
}

/** Validates an item: `{ body, issues }`. */
function judged(item) {
  const result = validate("resourceDraft", item.text);
  if (result.valid) return { body: result.value, issues: [] };
  return { body: undefined, issues: result.issues };
}

/** Returns the report's entry of an item that was not imported. */
function failed(item, issues, body = parsed(item.text)) {
  const { text, number, line } = item;
  const name = (value) => (typeof value === "string" ? value : undefined);
  const errors = issues.map((issue) => inFile(issue, item));
  return {
    text,
    number,
    line,
    id: name(body?.id),
    key: name(body?.key),
    message: errors.map(({ message }) => message).join(" "),
    errors,
  };
}

/** Converts an issue's line and column in the item to those in the file. */
function inFile(issue, { line, column }) {
  if (issue.line === undefined) return issue;
  const place = { line: line + issue.line - 1, column: issue.line === 1 ? column + issue.column - 1 : issue.column };
  const wanted = expectedOf(issue);
  const message = `This is not JSON at line ${place.line}, column ${place.column}${wanted === undefined ? "." : `: expected ${wanted}.`}`;
  return { ...issue, ...place, message };
}

/** Reads a whole file and validates each item: `{ total, valid, failures, fault }`. Sends nothing. */
export async function check(file, { signal, progress }) {
  const found = { total: 0, valid: 0, identified: 0, failures: [], fault: undefined };
  try {
    for await (const { items, read } of pieces(file, signal)) {
      for (const item of items) {
        found.total++;
        const { body, issues } = judged(item);
        if (issues.length > 0) found.failures.push(failed(item, issues));
        else found.valid++;
        if (body?.id != null || body?.key != null) found.identified++;
      }
      progress({ read, ...found });
    }
  } catch (error) {
    if (signal.aborted) throw error;
    // If the file breaks off, the items before that remain.
    found.fault = error.message;
  }
  return found;
}

/** Returns the body and the options of an item's request. */
function sending(body, { mode, fresh }) {
  const { id, version, key, ...rest } = body;
  if (fresh) return { body: rest, headers: undefined };
  const named = { ...(id == null ? {} : { id }), ...(key == null ? {} : { key }), ...rest };
  if (mode === "version" && version != null) return { body: { ...named, version }, headers: undefined };
  // Without a version, the file cannot show that it is based on the existing resource. Such an item can only be
  // created.
  return { body: named, headers: mode === "update" ? undefined : { "If-None-Match": "*" } };
}

/**
 * Sends a file's items.
 *
 * `progress(counts)` receives the results so far. `halted(error)` is called if nothing can be sent (no connection, no
 * permission). It resolves with whether to continue with the same items. Once `stopped()` returns true, nothing more is
 * sent. Aborting the signal also ends the running requests. Resolves with the counts and the failures.
 */
export async function importFile(file, options) {
  const sender = new Sender(options);
  const { signal, stopped } = options;
  let fault;
  try {
    for await (const { items } of pieces(file, signal)) {
      for (const item of items) {
        if (stopped() || signal.aborted) break;
        await sender.take(item);
      }
      if (stopped() || signal.aborted) break;
    }
  } catch (error) {
    if (!signal.aborted) fault = error.message;
  }
  await sender.idle();
  return { ...sender.counts, failures: sender.failures, fault };
}

/** Sends a limited number of items at a time. */
class Sender {
  counts = { done: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  failures = [];
  #options;
  #busy = new Set();
  // The last task of each ID and key. Items of the same resource are sent one after the other, in the file's order.
  #last = new Map();
  #halt;

  constructor(options) {
    this.#options = options;
  }

  /** Sends a valid item. Resolves once there is room for the next. */
  async take(item) {
    const { body, issues } = judged(item);
    if (issues.length > 0) return this.#failed(item, issues, body);
    const names = this.#options.fresh
      ? []
      : [body.id != null && `id ${body.id}`, body.key != null && `key ${body.key}`].filter(Boolean);
    const task = Promise.all(names.map((name) => this.#last.get(name))).then(() => this.#send(item, body));
    this.#busy.add(task);
    for (const name of names) this.#last.set(name, task);
    task.finally(() => {
      this.#busy.delete(task);
      for (const name of names) if (this.#last.get(name) === task) this.#last.delete(name);
    });
    if (this.#busy.size >= TOGETHER) await Promise.race(this.#busy);
  }

  idle() {
    return Promise.all(this.#busy);
  }

  async #send(item, body) {
    const { client, mode, signal, halted } = this.#options;
    const request = sending(body, this.#options);
    // All attempts of an item share a key, so that an item whose response was lost is not written twice (D18).
    const idempotencyKey = randomHex(16);
    let unsent = "Not sent: the import was ended.";
    for (;;) {
      if (this.#halt !== undefined && !(await this.#halt)) return this.#failed(item, [{ message: unsent }], body);
      try {
        let status;
        await client.createOrUpdate(request.body, {
          signal,
          headers: request.headers,
          idempotencyKey,
          onResponse: (answer) => (status = answer.status),
        });
        return this.#finish(status === 201 ? "created" : "updated");
      } catch (error) {
        if (error.status === 412 && mode === "create") return this.#finish("skipped");
        if (error.status === 412) return this.#failed(item, [{ message: UNVERSIONED }], body);
        if (!isHalting(error)) return this.#failed(item, reasonsOf(error), body);
        if (error.status === undefined) unsent = UNKNOWN;
        this.#halt ??= Promise.race([halted(error), ended(signal)]).finally(() => (this.#halt = undefined));
      }
    }
  }

  #failed(item, issues, body) {
    this.failures.push(failed(item, issues, body));
    this.#finish("failed");
  }

  #finish(kind) {
    this.counts.done++;
    this.counts[kind]++;
    this.#options.progress(this.counts);
  }
}

/** Resolves with false (do not continue) once the signal is aborted. */
function ended(signal) {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(false), { once: true }));
}

const UNVERSIONED = "It is there already, and this item has no version to compare: nothing was changed.";
const UNKNOWN = "Sent and not answered when the import was ended: it may be written.";

function reasonsOf({ kind, errors, message }) {
  if (kind === "aborted") return [{ message: UNKNOWN }];
  return errors?.length > 0 ? errors : [{ message }];
}

/** Returns whether the failure is independent of the item, so that the next item would fail too. */
function isHalting(error) {
  if (!(error instanceof ResourceError)) return true;
  if (error.kind === "aborted") return false;
  return (
    ["network", "timeout", "unexpected"].includes(error.kind) ||
    error.retryable ||
    error.status === 401 ||
    error.status === 403
  );
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const RAW_BREAKS = { "\n": "\\n", "\r": "\\r" };

/** Puts an item on one line: a line break between its parts becomes a space, one inside a string its escape. */
function inOneLine(text) {
  return text.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"?|\s+/g, (part) => {
    if (part.startsWith('"')) return part.replace(/[\n\r]/g, (sign) => RAW_BREAKS[sign]);
    return part.includes("\n") ? " " : part;
  });
}

/** The failed items as a file that can be imported after they are corrected: each on one line, otherwise unchanged. */
export const failedLines = (failures) => failures.map(({ text }) => `${inOneLine(text)}\n`).join("");

/** The reasons of the failures, one object per line. */
export const reasonLines = (failures) => failures.map(({ text, ...reason }) => `${JSON.stringify(reason)}\n`).join("");
