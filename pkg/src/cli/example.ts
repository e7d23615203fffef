// An example of a write and of a query, for the resources that a service has.

import type { Resources } from "../own/declare.js";

/** A project, a body for it, and a condition that finds the body. */
interface Example {
  project: string;
  /** `undefined` if no body is found that the schema accepts. */
  body: string | undefined;
  where: string;
}

/** What the values of types are. */
const VALUES: { readonly [type: string]: unknown } = { string: "Desk lamp", number: 40, integer: 40, boolean: true };

/** Returns a value that a schema probably accepts. */
function sampleOf({ examples, default: usual, const: only, enum: choices, type }: { [keyword: string]: any }) {
  return examples?.[0] ?? usual ?? only ?? choices?.[0] ?? VALUES[[type].flat()[0]];
}

/** The example for the resource of the interface. */
const USUAL: Example = { project: "demo", body: '{"key":"first","objectTypeProperty":{}}', where: "version >= 1" };

/** Returns an example for the first project that the content of resources.json names. */
export async function exampleFor(resources: Resources | undefined): Promise<Example> {
  if (resources === undefined) return USUAL;
  const rows = Object.entries(resources.projects ?? { "*": Object.keys(resources.resources)[0] });
  // A key is more specific than patterns.
  const [pattern, name] = rows.find(([key]) => !key.includes("*")) ?? rows[0] ?? [];
  if (pattern === undefined || name === undefined) return USUAL;
  const { required = [], properties = {} }: { [keyword: string]: any } = resources.resources[name];
  const entries = Object.entries<any>(properties);
  const first = (type: string) => entries.find(([, schema]) => [schema.type].flat()[0] === type)?.[0];
  const wanted = [...required, first("string"), first("number")];
  const content = entries.filter(([name]) => wanted.includes(name)).map(([name, schema]) => [name, sampleOf(schema)]);
  const body = { key: "first", ...Object.fromEntries(content) };
  // Only here: the help of the commands needs no WebAssembly.
  const { resource } = await import("../node.js");
  const { valid } = resource(resources, name).validate("draft", body);
  const number = valid ? entries.find(([name]) => typeof (body as any)[name] === "number")?.[0] : undefined;
  return {
    project: pattern.replace("*", "demo"),
    // In a shell, it is in quotation marks of this kind.
    body: valid ? JSON.stringify(body).replaceAll("'", "\\u0027") : undefined,
    where: number === undefined ? USUAL.where : `${number} <= ${(body as any)[number]}`,
  };
}
