// `resource-edge batch`: several writes, all or nothing.

import type { BatchWriteOf } from "../own/bodies.js";
import { fileOf } from "./backup.js";
import { type Command, CommandError, plural } from "./command.js";
import { Connection, CONNECTION } from "./connection.js";
import { readText } from "./files.js";
import { RESOURCES_OPTION, resourcesFile } from "./resources.js";
import { nameOf, shapeOf, type StoredResource } from "./shape.js";

/** Returns the writes of a text, one in each line. */
function writesOf(text: string, name: string) {
  const writes: BatchWriteOf[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      writes.push(JSON.parse(line));
    } catch (error) {
      throw new CommandError(`${name}, line ${at + 1}: ${(error as Error).message}`);
    }
  }
  return writes;
}

const VERBS: { readonly [operation: string]: string } = { deleteById: "Deleted" };

export const batch: Command = {
  about: "perform the writes of a file, all or nothing",
  parameters: [{ name: "FILE", about: "up to 100 lines of JSON, each a write, or - for standard input" }],
  options: { ...CONNECTION, ...RESOURCES_OPTION },
  more: `A write is an operation and what it sends:
{"operation":"createOrUpdate","body":{...}}, or "overwrite", "createOrOverwrite";
{"operation":"updateById","id":"...","body":{"version":1,"actions":[...]}};
{"operation":"deleteById","id":"...","version":1}.`,
  async run(input) {
    const { values, output, signal } = input;
    const [name = "-"] = input.parameters;
    const connection = new Connection(input, "manage_test");
    const file = resourcesFile(values);
    const shape = file === undefined ? undefined : await shapeOf(file, connection.project);
    const writes = writesOf(readText(await fileOf(name, signal)), name === "-" ? "Standard input" : name);
    const client = await connection.client(shape?.declared);
    const results = await client.batch(writes, { signal });
    for (const [at, { status, resource }] of results.entries()) {
      const verb = VERBS[writes[at].operation] ?? (status === 201 ? "Created" : "Updated");
      output.result({ status, resource }, `${verb} ${nameOf(resource as StoredResource)}.`);
    }
    output.note(`Performed ${plural(results.length, "write")}.`);
  },
};
