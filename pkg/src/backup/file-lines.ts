// The lines of a file, which may be larger than the memory.

import type { Line } from "../client/project-calls.js";
import { limits } from "../generated/limits.js";

// How long a page works on a file before it lets other code run.
const WORK_MS = 40;
const NEWLINE = 10;

/** A file, or a part of one. `Blob` is such a source. */
export interface FileSource {
  slice(start: number): { stream(): ReadableStream<Uint8Array> };
}

/** A line of a file. `next` is the offset in bytes of the line after it. */
interface FileLine extends Line {
  readonly next: number;
}

/** A file that is not a backup, or a damaged one. `line` is the line, from 1. */
export class BackupError extends Error {
  line;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Yields a file from an offset on, in pieces. Lets the page run between them. */
export async function* piecesOf(
  file: FileSource,
  signal: AbortSignal,
  offset = 0,
): AsyncGenerator<Uint8Array<ArrayBufferLike>, void, undefined> {
  signal.throwIfAborted();
  const reader = file.slice(offset).stream().getReader();
  // A disk may never respond.
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  let since = performance.now();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
      if (performance.now() - since > WORK_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/**
 * Yields the lines of a file in groups, without empty lines. Starts at an offset in bytes, with the number of its line.
 * Keeps at most a piece of the file and one line in memory.
 */
export async function* linesOf(
  file: FileSource,
  { offset = 0, number = 1, signal }: { offset?: number; number?: number; signal: AbortSignal },
): AsyncGenerator<FileLine[], void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest: Uint8Array<ArrayBufferLike> = new Uint8Array();
  let from = offset;
  let lines: FileLine[] = [];
  const add = (line: Uint8Array<ArrayBufferLike>) => {
    const bytes = line.length + 1;
    from += bytes;
    const text = decode(decoder, line, number);
    if (text !== "") lines.push({ text, number, bytes, next: from });
    number += 1;
  };
  for await (const piece of piecesOf(file, signal, offset)) {
    const bytes = joinBytes(rest, piece);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      add(bytes.subarray(start, end));
      start = end + 1;
    }
    rest = bytes.slice(start);
    if (rest.length > limits.bodyBytes) throw new BackupError(number, "The line is longer than any resource.");
    if (lines.length > 0) yield lines;
    lines = [];
  }
  add(rest);
  if (lines.length > 0) yield lines;
}

function joinBytes(rest: Uint8Array<ArrayBufferLike>, piece: Uint8Array<ArrayBufferLike>) {
  if (rest.length === 0) return piece;
  const all = new Uint8Array(rest.length + piece.length);
  all.set(rest);
  all.set(piece, rest.length);
  return all;
}

function decode(decoder: TextDecoder, bytes: Uint8Array<ArrayBufferLike>, number: number) {
  try {
    return decoder.decode(bytes).trim();
  } catch {
    throw new BackupError(number, "The line is not UTF-8 text.");
  }
}
