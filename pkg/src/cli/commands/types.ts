// `resource-edge types`: writes a module of the resources of resources.json, with their types.

import { readFileSync, statSync } from "node:fs";

import { declarationOf, formsOf, PLAIN_FORMAT, type Resources } from "../../own/declare.js";
import { type Command, CommandError, plural } from "../command.js";
import { typeDeclaration, typeName } from "../declarations.js";
import { writeFile } from "../files.js";
import { RESOURCES } from "../resources.js";
import { readResources } from "../shape.js";

export const MODULE = "resource-edge.js";
const PACKAGE = "resource-edge";
export const DECLARATIONS = "resource-edge.d.ts";

/** How the files begin that the command writes. */
const MARK = "// Written by `npx resource-edge types`";

/** Returns whether the command would replace a file that it has not written. */
const isForeign = (file: string) =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === true && !readFileSync(file, "utf8").startsWith(MARK);

/** Returns whether a variable of a module can have the name. */
function isFree(name: string) {
  try {
    new Function(`"use strict"; let ${name};`);
    return name !== "await";
  } catch {
    return false;
  }
}

/** Returns the name of the constant that a type's resource has. */
function constantName(type: string) {
  const name = type[0].toLowerCase() + type.slice(1);
  return isFree(name) ? name : `${name}Resource`;
}

/** The names of a resource in the module: of the type of its content, and of its constant. */
interface Names {
  readonly type: string;
  readonly constant: string;
}

/** Returns the names of resources in the module. */
function namesOf(file: string, { resources }: Resources) {
  const names: { [resource: string]: Names } = {};
  for (const name of Object.keys(resources)) {
    const type = typeName(name);
    const [same] = Object.entries(names).find(([, known]) => known.type === type) ?? [];
    if (same !== undefined)
      throw new CommandError(`${file}: The types of '${same}' and '${name}' would both be ${type}.`);
    names[name] = { type, constant: constantName(type) };
  }
  return names;
}

/** Returns the texts of the module and of its types. `from`: what it imports the package as. */
export async function moduleOf(file: string, content: Resources, from = PACKAGE) {
  const { readSchemaNow } = await import("../../expressions/inline-syntax.js");
  const names = namesOf(file, content);
  const constants = [];
  const types = [];
  for (const [name, { type, constant }] of Object.entries(names)) {
    const { plain, described } = formsOf(declarationOf(content, name), readSchemaNow);
    const key = JSON.stringify(name);
    const whole = `{ format: ${PLAIN_FORMAT}, plain: { ${key}: ${JSON.stringify(plain)} } }`;
    constants.push(`export const ${constant} = /* @__PURE__ */ $resource(${whole}, ${key});\n`);
    types.push(
      typeDeclaration(type, { ...content.resources[name], ...described }),
      `/** The resource \`${name}\`: its schemas for forms, and what \`ResourceClient\` needs of it. */\n`,
      `export declare const ${constant}: DeclaredResource<${type}>;\n\n`,
    );
  }
  const head = `${MARK} from ${file}. Do not edit.\n\n`;
  const module = `${head}import { resource as $resource } from "${from}";\n\n${constants.join("")}`;
  const declarations = `${head}import type { DeclaredResource } from "${from}";\n\n${types.join("").trimEnd()}\n`;
  return { names, module, declarations };
}

export const types: Command = {
  about: `write a module of the resources of ${RESOURCES}, with their types`,
  parameters: [{ name: "FILE", about: `the resources (default: ${RESOURCES})`, isOptional: true }],
  options: {
    out: {
      value: "FILE",
      about: "the module to write (default: resource-edge.js), and its types beside it if it ends with js",
    },
    from: { value: "NAME", about: "what the module imports the package as (default: resource-edge)" },
    force: { about: "replace the files even if this command has not written them" },
  },
  more: `The module exports each resource, ready for \`ResourceClient\` and forms, and the type of its content. Its
schemas were read already, so a page loads less. The command also checks the schemas, and exits with 1 if something is
wrong.`,
  async run({ values, parameters: [file = RESOURCES], output }) {
    const { out = MODULE, from = PACKAGE, force } = values;
    if (/\.[cm]?ts$/.test(out)) throw new CommandError(`${out}: Expected a file that ends with .js or .mjs.`);
    const { names, module, declarations } = await moduleOf(file, await readResources(file), from);
    const written: [string, string][] = [[out, module]];
    const [, name, end] = /^(.*)\.(m?)js$/s.exec(out) ?? [];
    if (name !== undefined) written.push([`${name}.d.${end}ts`, declarations]);
    const foreign = force ? undefined : written.find(([path]) => isForeign(path))?.[0];
    if (foreign !== undefined)
      throw new CommandError(`${foreign} exists, and this command has not written it. Use another --out, or --force.`);
    for (const [path, text] of written) await writeFile(path, text);
    const files = written.map(([path]) => path);
    output.result(
      { files, resources: names },
      `Wrote ${plural(Object.keys(names).length, "resource")} to ${files.join(" and ")}.`,
    );
  },
};
