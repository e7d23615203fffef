// Schemas of parts of a body, for forms that validate field by field. accept.js checks a part as it does inside a body.
// If it does not accept the part, the part is serialized inside the smallest body that contains it, so that it has the
// same issues as in a body.

import { clean, kinds, numberOf, types } from "./generated/accept.js";
import { core } from "./core.js";
import { invalidObject, standard } from "./validate.js";
import { write } from "./write.js";

/** @typedef {import("./generated/accept.js").Type} Type */

/**
 * A part of a value: its type, its name, and the text around it.
 * @typedef {{ type: Type, name: string | number, before: string, after: string, required: boolean }} Inside
 */

/**
 * Returns the schema of the part of a body at a path, such as `createdBy.firstName` or `actions.0`.
 * @param {string} kind
 * @param {string} path
 */
export function fieldSchema(kind, path) {
  const part = find(kind, path);
  /** @param {unknown} value */
  const validate = (value) => validatePart(part, value);
  return { validate, ...standard(validate) };
}

/**
 * Returns the type of a part, and the text of the smallest body around it.
 * @param {string} kind
 * @param {string} path
 */
function find(kind, path) {
  const number = numberOf(kind);
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  /** @type {Type | undefined} */
  let type = types[number];
  let [before, after, pointer, required] = ["", "", "", true];
  for (const name of names) {
    /** @type {Inside | undefined} */
    const inside = type?.items !== undefined && /^\d+$/.test(name) ? item(type.items) : member(type, name);
    type = inside?.type;
    if (inside === undefined) break;
    before += inside.before;
    after = inside.after + after;
    pointer += `/${inside.name}`;
    required = inside.required;
  }
  if (type === undefined || names.length === 0)
    throw new TypeError(`No field '${path}' in '${kind}'. The kinds are ${kinds.join(", ")}.`);
  return { number, type, before, after, pointer, required, depth: names.length };
}

/**
 * @param {Type} type
 * @returns {Inside}
 */
function item(type) {
  return { type, name: 0, before: "[", after: "]", required: true };
}

/**
 * Returns a member of an object, and the text around it with the object's required members.
 * @param {Type | undefined} type
 * @param {string} name
 * @returns {Inside | undefined}
 */
function member(type, name) {
  const entries = type?.variants === undefined ? [[undefined, type]] : Object.entries(type.variants);
  const [variant, shape] = entries.find(([, shape]) => shape?.fields?.[name] !== undefined) ?? [];
  if (!shape?.fields) return undefined;
  const { fields, required = [] } = shape;
  const others = required
    .filter((other) => other !== name)
    .map((other) => {
      return `${JSON.stringify(other)}:${other === type?.tag ? JSON.stringify(variant) : fields[other]?.standIn}`;
    });
  return {
    type: /** @type {Type} */ (fields[name]),
    name,
    before: `{${[...others, JSON.stringify(name)].join(",")}:`,
    after: "}",
    required: required.includes(name),
  };
}

/**
 * @param {ReturnType<typeof find>} part
 * @param {unknown} value
 * @returns {import("./validate.js").Validation<any>}
 */
function validatePart({ number, type, before, after, pointer, required, depth }, value) {
  // Throws if the WebAssembly has not started, whatever the value is.
  core();
  const isAbsent = value === undefined && !before.endsWith("[");
  if ((isAbsent || value === null) && !required) return { valid: true, value };
  try {
    if (clean() && type.accepts?.(value)) return { valid: true, value };
  } catch {
    // Reading the value threw an error. The serialization finds the place.
  }
  const text = isAbsent ? "null" : write(value, type);
  const invalid = invalidObject(number, text && before + text + after);
  if (invalid === undefined || text === undefined) return invalid ?? { valid: true, value };
  const { issues, ...result } = invalid;
  const own = [];
  for (const issue of issues) {
    // An array around the part may have too few items.
    if (issue.pointer !== pointer && !issue.pointer.startsWith(`${pointer}/`)) continue;
    own.push({ ...issue, path: issue.path.slice(depth), pointer: issue.pointer.slice(pointer.length) });
  }
  return own.length === 0 ? { valid: true, value } : { ...result, issues: own };
}
