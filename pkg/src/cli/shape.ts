// The resource that resources.json declares for a project, and what of a stored resource does not fit it.

import { existsSync } from "node:fs";

import type { SystemFields } from "../own/bodies.js";
import { declarationOf, formsOf, type Resources } from "../own/declare.js";
import type { DeclaredResource } from "../own/resource.js";
import type { Issue } from "../validate/validate.js";
import { CommandError } from "./command.js";
import { readJson } from "./files.js";
import { RESOURCES } from "./resources.js";

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

export const SHAPE_OPTION = {
  resources: { value: "FILE", about: `your resources (default: ${RESOURCES})` },
};

/** The resource of a project: its name in the file, its schema without references, and its validator. */
export interface Shape {
  readonly name: string;
  readonly file: string;
  readonly schema: { readonly [keyword: string]: any };
  readonly declared: DeclaredResource<any>;
}

/** A resource as it is stored, perhaps with another shape. */
export type StoredResource = SystemFields & { readonly [field: string]: any };

/** Returns how specific a row is for a project: a key is more so than patterns. −1 if the row is of other projects. */
function weight(pattern: string, project: string) {
  const [before = "", after, ...more] = pattern.split("*");
  if (after === undefined) return before === project ? Infinity : -1;
  const fits = project.length >= before.length + after.length && project.startsWith(before) && project.endsWith(after);
  return fits && more.length === 0 ? before.length + after.length : -1;
}

/** Returns the name of the resource that a project has: that of the most specific row, of two alike the last. */
export function resourceOf({ resources, projects }: Resources, project: string) {
  const names = Object.keys(resources);
  const rows = Object.entries(projects ?? (names.length === 1 ? { "*": names[0] as string } : {}));
  let [found, most] = [undefined as string | undefined, 0];
  for (const [pattern, name] of rows) {
    if (weight(pattern, project) >= most) [found, most] = [name, weight(pattern, project)];
  }
  return found;
}

/** Returns the resource of a project. */
export async function shapeOf(file: string = RESOURCES, project: string): Promise<Shape> {
  const content = await readResources(file);
  const name = resourceOf(content, project);
  if (name === undefined)
    throw new CommandError(
      `${file} has no resource for the project '${project}'. ${
        content.projects === undefined
          ? 'Add "projects", which says which projects have which resource.'
          : `Its projects are ${Object.keys(content.projects).join(", ")}.`
      } Choose another one with --project.`,
    );
  const { resource } = await import("../node.js");
  const { readSchemaNow } = await import("../expressions/inline-syntax.js");
  try {
    const { described } = formsOf(declarationOf(content, name), readSchemaNow);
    return { name, file, schema: described, declared: resource(content, name) };
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message}`);
  }
}

const SYSTEM: { readonly [Name in keyof SystemFields]-?: true } = {
  id: true,
  version: true,
  key: true,
  createdAt: true,
  createdBy: true,
  lastModifiedAt: true,
  lastModifiedBy: true,
};

export const isSystem = (field: string) => Object.hasOwn(SYSTEM, field);

/** What of a resource does not fit. */
export interface Misfit {
  readonly issues: readonly Issue[];
  /** The number of further issues. */
  readonly more: number;
  /** The places of fields that the shape does not have. The next write removes their values. */
  readonly removed: readonly Pick<Issue, "path" | "pointer">[];
}

/** Returns what the validator says about a resource, if a write replaced the resource by the same one. */
export function misfitOf({ declared }: Pick<Shape, "declared">, resource: StoredResource): Misfit {
  const removed: Issue[] = [];
  for (let known = resource; ; ) {
    const result = declared.validate("overwrite", known);
    if (result.valid) return { issues: [], more: 0, removed };
    const unknown = result.issues.filter(({ reason }) => reason === "unknownField");
    if (unknown.length === 0) return { issues: result.issues, more: result.more ?? 0, removed };
    // The validator lists a limited number of issues: these must not hide others.
    if (removed.length === 0) known = structuredClone(resource);
    for (const { path } of unknown) {
      const outer: any = path.slice(0, -1).reduce((value: any, name) => value[name], known);
      delete outer[path.at(-1) as string];
    }
    removed.push(...unknown);
  }
}

/** Returns the names in a path, without the indexes of items: `variants.stock`. */
export const fieldOf = (path: readonly (string | number)[]) =>
  path.filter((name) => typeof name === "string").join(".");

/** Returns how a line names a resource. */
export const nameOf = ({ id, key }: Pick<StoredResource, "id" | "key">) => (key === undefined ? id : `${id} (${key})`);
