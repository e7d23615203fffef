// The stored resources of a project, or of a file that `export` wrote, each once and as it was written.

import { END, stateOf } from "../backup/backup.js";
import { linesOf } from "../backup/file-lines.js";
import type { ResourceClient } from "../client/client.js";
import { limits } from "../generated/limits.js";
import { fileOf, inFile, sourceOf } from "./backup.js";
import { type Input, plural } from "./command.js";
import type { StoredResource } from "./shape.js";

/** Yields the resources of a project in groups, in the order of their IDs. */
export async function* ofProject(client: ResourceClient, { output, signal }: Input): AsyncGenerator<StoredResource[]> {
  for await (const page of client.pages({ limit: limits.pageMax, withTotal: true }, { signal })) {
    yield page.results as StoredResource[];
    output.progress(`${page.seen.toLocaleString("en")} of ${plural(page.total ?? page.seen, "resource")}`);
  }
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
    throw inFile(error, name === "-" ? "standard input" : name);
  }
  if (!isComplete) output.note("The file has no end, so it is not a complete export.");
}
