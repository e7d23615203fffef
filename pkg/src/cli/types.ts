// `resource-edge types`: writes a module of the resources of resources.json, with their types.

import { existsSync, readFileSync, statSync } from "node:fs";

import { declarationOf, formsOf, PLAIN_FORMAT, type Resources } from "../own/declare.js";
import type { DeclaredResource } from "../own/resource.js";
import { type Command, CommandError, plural } from "./command.js";
import { typeDeclaration, typeName } from "./declarations.js";
import { readJson, writeFile } from "./files.js";
import { RESOURCES } from "./resources.js";

export const MODULE = "resource-edge.js";
const PACKAGE = "resource-edge";
export const DECLARATIONS = "resource-edge.d.ts";

const EXAMPLE = '{ "resources": { "product": { "type": "object", "properties": { "title": { "type": "string" } } } } }';

/** Returns the content of a file of resources, after checking their schemas and rules. */
export async function readResources(file: string): Promise<Resources> {
  if (!existsSync(file)) throw new CommandError(`There is no ${file}. Write one: ${EXAMPLE}, or name another file.`);
  const content: Resources = readJson(file);
  const names = Object.keys(content?.resources ?? {});
  if (names.length === 0) throw new CommandError(`${file}: There is no resource. Expected ${EXAMPLE}.`);
  // Only here: the help of the commands needs no WebAssembly.
  const { resource } = await import("../node.js");
  const { checkResourcesNow } = await import("../expressions/inline-syntax.js");
  try {
    // Without rules, a file may also be for programs alone, and say nothing of projects.
    const problem = "rules" in content ? checkResourcesNow(JSON.stringify(content)) : undefined;
    if (problem !== undefined) throw new TypeError(problem);
    for (const name of names) await checkDefaults(content, name, resource(content, name));
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message}`);
  }
  return content;
}

/** Throws a `TypeError` if a default breaks the rules of its field. */
async function checkDefaults(content: Resources, name: string, { validate }: DeclaredResource<any>) {
  const { readSchemaNow } = await import("../expressions/inline-syntax.js");
  const { properties } = formsOf(declarationOf(content, name), readSchemaNow).described;
  for (const [field, schema] of Object.entries(properties)) {
    if (schema.default === undefined) continue;
    const result = validate("complex", { [field]: schema.default });
    if (result.valid) continue;
    const place = `/resources/${name}/properties/${field}/default`;
    throw new TypeError(`The resources are invalid at ${place}: ${result.issues[0].message}`);
  }
}

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
  const { readSchemaNow } = await import("../expressions/inline-syntax.js");
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
