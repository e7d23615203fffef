// The work of an import, without a page: reads a file's items, validates them, and sends a few at a time.

import { piecesOf } from "../../pkg/backup/file-lines.js";
import type { ResourceModel } from "../fields.js";
import { failedItem, validateItem, type FailedItem, type Item } from "./items.js";
import { Sender, type Counts, type SenderOptions } from "./sender.js";
import { Splitter } from "./ndjson.js";

/** The contents of a file. `identified` counts items with an ID or a key. `fault` is why the rest cannot be read. */
export interface Checked {
  total: number;
  valid: number;
  identified: number;
  failures: FailedItem[];
  fault: string | undefined;
}

export type Imported = Counts & { failures: FailedItem[]; fault: string | undefined };

/** Yields the items of a file in pieces. `read` is the number of bytes so far. */
async function* pieces(
  file: File,
  model: ResourceModel,
  signal: AbortSignal,
): AsyncGenerator<{ items: Item[]; read: number }> {
  const splitter = new Splitter(model, file.name);
  // Fail on other encodings: replacement characters would change the data without notice.
  const decoder = new TextDecoder(encodingOf(new Uint8Array(await file.slice(0, 2).arrayBuffer())), { fatal: true });
  let read = 0;
  for await (const bytes of piecesOf(file, signal)) {
    read += bytes.length;
    yield { items: splitter.push(decode(decoder, bytes, read)), read };
  }
  yield { items: [...splitter.push(decode(decoder, undefined, read)), ...splitter.finish()], read };
}

/** Returns the encoding of a file. Excel writes UTF-16 as "Unicode text", with a byte order mark. */
function encodingOf([first, second]: Uint8Array) {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Decodes the next bytes of a file, or ends it without any. */
function decode(decoder: TextDecoder, bytes: Uint8Array | undefined, read: number) {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    const name = decoder.encoding.toUpperCase();
    throw new SyntaxError(
      `The file is not ${name} text (within its first ${read} bytes). Save it as UTF-8, and try again.`,
    );
  }
}

/** Reads a whole file and validates each item. Sends nothing. */
export async function check(
  file: File,
  {
    model,
    signal,
    progress,
  }: { model: ResourceModel; signal: AbortSignal; progress: (found: Checked & { read: number }) => void },
): Promise<Checked> {
  const found: Checked = { total: 0, valid: 0, identified: 0, failures: [], fault: undefined };
  try {
    for await (const { items, read } of pieces(file, model, signal)) {
      for (const item of items) {
        found.total++;
        const result = validateItem(item, model);
        if (!result.valid) found.failures.push(failedItem(item, result.issues));
        else {
          found.valid++;
          if (result.value.id != null || result.value.key != null) found.identified++;
        }
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
export async function importFile(file: File, options: SenderOptions): Promise<Imported> {
  const sender = new Sender(options);
  const { model, task } = options;
  let fault: string | undefined;
  try {
    for await (const { items } of pieces(file, model, task.signal)) {
      for (const item of items) if (await task.goesOn()) await sender.add(item);
      if (task.isStopped) break;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (!task.isCanceled) fault = error.message;
  }
  await sender.idle();
  return { ...sender.counts, failures: sender.failures, fault };
}
