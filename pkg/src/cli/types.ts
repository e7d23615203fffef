// `resource-edge types`: declares the own fields for TypeScript.

import { existsSync, readFileSync, statSync } from "node:fs";

import type { FieldTable } from "../own/table.js";
import { type Command, CommandError, plural } from "./command.js";
import { readJson, writeFile } from "./files.js";

const FILE = "fields.json";

/** Returns the table of own fields in a file, after checking it. */
export async function readFields(file: string): Promise<FieldTable> {
  if (!existsSync(file))
    throw new CommandError(
      `There is no ${file}. Write one: { "fields": [{ "name": "title", "type": "text" }] }, or name another file.`,
    );
  const table: FieldTable = readJson(file);
  // Only here: the help of the commands needs no WebAssembly.
  const { setFields } = await import("../node.js");
  try {
    setFields(table);
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message}`);
  }
  return table;
}

/** The option of commands that serve with own fields. */
export const FIELDS_OPTION = {
  fields: { value: "FILE", about: "the table of own fields (default: fields.json, if this folder has it)" },
};

/** Returns the file of that option, or the one of this folder, if there is one. */
export const fieldsFile = (file: string | undefined) => file ?? (existsSync(FILE) ? FILE : undefined);

/** How the module begins that the command writes. */
const MARK = "// Written by `npx resource-edge types`";

/** Returns whether the command would replace a file that it has not written. */
const isForeign = (file: string) =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === true && !readFileSync(file, "utf8").startsWith(MARK);

/** Returns the module that declares the fields. */
function declaration(file: string, { fields }: FieldTable) {
  const members = fields.map(({ name, type }) => `    ${name}: "${type}";\n`).join("");
  return `${MARK} from ${file}. Do not edit.
import "resource-edge";

declare module "resource-edge" {
  interface OwnFields {
${members}  }
}
`;
}

export const types: Command = {
  about: "declare the fields of fields.json for TypeScript",
  parameters: [{ name: "FILE", about: "the table of own fields (default: fields.json)", isOptional: true }],
  options: {
    out: { value: "FILE", about: "the file to write (default: resource-edge-fields.d.ts)" },
    force: { about: "replace the file even if this command has not written it" },
  },
  more: `Bodies, resources, update actions, and predicates of the package then have the fields, in every program whose
configuration of TypeScript includes the written file. The command also checks the table, and exits with 1 if it is
wrong.`,
  async run({ values: { out = "resource-edge-fields.d.ts", force }, parameters: [file = FILE], output }) {
    const table = await readFields(file);
    if (!force && isForeign(out))
      throw new CommandError(`${out} exists, and this command has not written it. Use another --out, or --force.`);
    await writeFile(out, declaration(file, table));
    output.result({ file: out, fields: table.fields }, `Declared ${plural(table.fields.length, "field")} in ${out}.`);
  },
};
