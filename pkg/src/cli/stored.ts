// The stored resources of a project, or of a file that `export` wrote, each once and as it was written.

import { BackupImportError, END, stateOf } from "../backup/backup.js";
import { BackupError, linesOf } from "../backup/file-lines.js";
import type { ResourceClient } from "../client/client.js";
import { limits } from "../generated/limits.js";
import { CommandError, type Input, plural } from "./command.js";
import { fileOf, placeOf, sourceOf } from "./files.js";
import type { StoredResource } from "./shape.js";

/** Yields the resources of a project in groups, in the order of their IDs. */
export async function* ofProject(client: ResourceClient, { output, signal }: Input): AsyncGenerator<StoredResource[]> {
  for await (const page of client.pages({ limit: limits.pageMax, withTotal: true }, { signal })) {
    yield page.results as StoredResource[];
    output.progress(`${page.seen.toLocaleString("en")} of ${plural(page.total ?? page.seen, "resource")}`);
  }
}

/** Adds the file and the line to an error about a line. */
export function inFile(error: unknown, name: string) {
  const file = placeOf(name);
  if (error instanceof BackupError) return new CommandError(`${file}, line ${error.line}: ${error.message}`);
  if (!(error instanceof BackupImportError) || error.line === undefined) return (error as Error).cause ?? error;
  return Object.assign(error.cause as Error, { message: `${file}, line ${error.line}: ${error.message}` });
}

/** Yields the resources of a file in groups, each in its last state there. */
export async function* ofFile(name: string, { output, signal }: Input): AsyncGenerator<StoredResource[]> {
  const source = sourceOf(await fileOf(name, signal));
  // An ID that changed during the export has several lines.
  const last = new Map<string, number>();
  let isComplete = false;
  try {
    for await (const lines of linesOf(source, { signal })) {
      for (const line of lines) {
        isComplete = line.text.startsWith(END);
        if (!isComplete) last.set(stateOf(line).id, line.number);
      }
      output.progress(`Reading the file: line ${lines.at(-1)?.number.toLocaleString("en")}`);
    }
    for await (const lines of linesOf(source, { signal })) {
      const states = lines.filter(({ text }) => !text.startsWith(END));
      const found = states.map((line) => ({ line, value: JSON.parse(line.text) }));
      yield found
        .filter(({ line, value }) => last.get(value.id) === line.number && value.deletedAt === undefined)
        .map(({ value }) => value);
    }
  } catch (error) {
    throw inFile(error, name);
  }
  if (!isComplete) output.note("The file has no end, so it is not a complete export.");
}
