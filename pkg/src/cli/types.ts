// `resource-edge types`: declares resources or own fields for TypeScript.

import { existsSync, readFileSync, statSync } from "node:fs";

import type { Resources } from "../own/declare.js";
import type { FieldTable } from "../own/table.js";
import { type Command, CommandError, plural } from "./command.js";
import { declarationOf, typeName } from "./declarations.js";
import { readJson, writeFile } from "./files.js";
import { resourcesFile } from "./resources.js";

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

/** How the module begins that the command writes. */
const MARK = "// Written by `npx resource-edge types`";

/** Returns whether the command would replace a file that it has not written. */
const isForeign = (file: string) =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === true && !readFileSync(file, "utf8").startsWith(MARK);

/** Returns the module that declares the fields. */
function fieldsModule(file: string, { fields }: FieldTable) {
  const members = fields.map(({ name, type }) => `    ${name}: "${type}";\n`).join("");
  return `${MARK} from ${file}. Do not edit.
import "resource-edge";

declare module "resource-edge" {
  interface OwnFields {
${members}  }
}
`;
}

/** Returns the module that declares a type for each resource, and the names of the types by those of the resources. */
async function resourcesModule(file: string, content: Resources) {
  const names: { [resource: string]: string } = {};
  // Only here: the help of the commands needs no WebAssembly.
  const { resource } = await import("../node.js");
  const declarations = Object.entries(content.resources).map(([name, schema]) => {
    const type = typeName(name);
    const [same] = Object.entries(names).find(([, known]) => known === type) ?? [];
    if (same !== undefined)
      throw new CommandError(`${file}: The types of '${same}' and '${name}' would both be ${type}.`);
    names[name] = type;
    try {
      resource(content, name);
    } catch (error) {
      throw new CommandError(`${file}: ${(error as Error).message}`);
    }
    return declarationOf(type, schema);
  });
  return { names, text: `${MARK} from ${file}. Do not edit.\n\n${declarations.join("\n")}` };
}

/** Returns what is in a file, which has resources or own fields, and the file of the types. */
async function read(file: string) {
  const content: Partial<Resources> | undefined = existsSync(file) ? readJson(file) : undefined;
  if (typeof content?.resources === "object" && content.resources !== null) {
    const { names, text } = await resourcesModule(file, content as Resources);
    return {
      out: "resource-edge.d.ts",
      text,
      found: { resources: names },
      said: plural(Object.keys(names).length, "type"),
    };
  }
  const table = await readFields(file);
  const said = plural(table.fields.length, "field");
  return { out: "resource-edge-fields.d.ts", text: fieldsModule(file, table), found: { fields: table.fields }, said };
}

export const types: Command = {
  about: "declare the resources of resources.json for TypeScript, or the fields of fields.json",
  parameters: [
    {
      name: "FILE",
      about: "the resources, or the table of own fields (default: resources.json, or else fields.json)",
      isOptional: true,
    },
  ],
  options: {
    out: { value: "FILE", about: "the file to write (default: resource-edge.d.ts, or resource-edge-fields.d.ts)" },
    force: { about: "replace the file even if this command has not written it" },
  },
  more: `For resources, the file has a type for each, which you import and pass to \`resource\`. For own fields, bodies,
resources, update actions, and predicates of the package then have the fields, in every program whose configuration of
TypeScript includes the written file. The command also checks the schemas or the table, and exits with 1 if something is
wrong.`,
  async run({ values: { out: given, force }, parameters: [named], output }) {
    const { resources, fields = FILE } = named === undefined ? resourcesFile({}) : { resources: named };
    const file = resources ?? fields;
    const { out: usual, text, found, said } = await read(file);
    const out: string = given ?? usual;
    if (!force && isForeign(out))
      throw new CommandError(`${out} exists, and this command has not written it. Use another --out, or --force.`);
    await writeFile(out, text);
    output.result({ file: out, ...found }, `Declared ${said} in ${out}.`);
  },
};
