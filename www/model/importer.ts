// The work of an import, without a page: reads a file's items, validates them, and sends a few at a time.

import { failedItem, validateItem, type FailedItem } from "./import-items.js";
import { Sender, type Counts, type ImportOptions } from "./import-sender.js";
import { Splitter, type Item } from "./ndjson.js";

const PIECE_MS = 40;

/** The contents of a file. `identified` counts items with an ID or a key. `fault` is why the rest cannot be read. */
export interface Checked {
  total: number;
  valid: number;
  identified: number;
  failures: FailedItem[];
  fault: string | undefined;
}

export type Imported = Counts & { failures: FailedItem[]; fault: string | undefined };

/** Yields the items of a file in pieces. `read` is the number of bytes so far. Lets the page run between pieces. */
async function* pieces(
  file: File,
  signal: AbortSignal,
): AsyncGenerator<{ items: Item[]; read: number }, void, undefined> {
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

function decode(decoder: TextDecoder, bytes: Uint8Array<ArrayBuffer> | undefined, done: boolean, read: number) {
  try {
    return done ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new SyntaxError(
      `The file is not UTF-8 text (within its first ${read} bytes). Save it as UTF-8, and try again.`,
    );
  }
}

/** Reads a whole file and validates each item. Sends nothing. */
export async function check(
  file: File,
  { signal, progress }: { signal: AbortSignal; progress: (found: Checked & { read: number }) => void },
): Promise<Checked> {
  const found: Checked = { total: 0, valid: 0, identified: 0, failures: [], fault: undefined };
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

/** Sends a file's items. Resolves with the counts and the failures. */
export async function importFile(file: File, options: ImportOptions): Promise<Imported> {
  const sender = new Sender(options);
  const { signal, stopped } = options;
  let fault: string | undefined;
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
