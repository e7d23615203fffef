// `resource-edge batch`: several writes, all or nothing.

import type { BatchWriteOf } from "../../own/bodies.js";
import { type Command, plural } from "../command.js";
import { CONNECTION } from "../connection.js";
import { parseJson } from "../files.js";
import { openBodies } from "./resource.js";
import { RESOURCES_OPTION } from "../resources.js";
import { nameOf, type StoredResource } from "../shape.js";

/** Returns the writes of a text, one in each line. */
function writesOf(text: string, place: string) {
  const lines = text.split("\n").map((line, at) => ({ line, place: `${place}, line ${at + 1}` }));
  const writes = lines.filter(({ line }) => line.trim() !== "").map(({ line, place }) => parseJson(line, place));
  return writes as BatchWriteOf[];
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
    const { output, signal } = input;
    const { content: writes, client } = await openBodies(input, writesOf);
    const results = await client.batch(writes, { signal });
    for (const [at, { status, resource }] of results.entries()) {
      const verb = VERBS[writes[at].operation] ?? (status === 201 ? "Created" : "Updated");
      output.result({ status, resource }, `${verb} ${nameOf(resource as StoredResource)}.`);
    }
    output.note(`Performed ${plural(results.length, "write")}.`);
  },
};
