// The fields of your own in this program: the WebAssembly validates them, and accept.ts accepts them.

import { put, whenStarted } from "../core/instance.js";
import { type Shape, type Type, type as typeOf, types, unknownType } from "../generated/accept.js";
import { type FieldRow, type FieldTable, linesOf, titled } from "./table.js";
import { dateTime, ownActions, ownTypes, text } from "../validate/checks.js";
import { set_fields } from "../wasm/resource_edge.js";

/** The types of values by their names in the table, without arrays. */
const scalars: { readonly [kind: string]: Type | null } = {
  __proto__: null,
  text: /* @__PURE__ */ typeOf(text, '""'),
  integer: /* @__PURE__ */ typeOf(Number.isSafeInteger, "0"),
  number: /* @__PURE__ */ typeOf(Number.isFinite, "0"),
  boolean: /* @__PURE__ */ typeOf((value) => typeof value === "boolean", "true"),
  datetime: /* @__PURE__ */ typeOf(dateTime, '"2000-01-01T00:00:00.000Z"'),
};

/** The lines of the table that this program uses. */
let used: string | undefined;
let rows: readonly FieldRow[] = [];

/** Returns the type that a table calls `kind`. The WebAssembly has accepted it. */
function find(kind: string): Type {
  const item = scalars[kind.replace("[]", "")] as Type;
  if (!kind.endsWith("[]")) return item;
  // A hole is undefined, which no type accepts.
  const accepts = (value: any) => {
    if (!Array.isArray(value)) return false;
    for (let at = 0; at < value.length; at++) if (!item.accepts?.(value[at])) return false;
    return true;
  };
  return typeOf(accepts, "[]", { items: item });
}

/**
 * Adds the fields of your own to those that every service has: pass the content of the `fields.json` that your service
 * uses. Validation and the client's calls accept them from then on, everywhere in the program. A program has one table.
 * Throws a `TypeError` if the table is wrong. If the WebAssembly is loaded later, `init()` rejects with it instead.
 */
export function setFields(table: FieldTable): void {
  const lines = linesOf(table);
  if (used !== undefined && used !== lines)
    throw new TypeError("This program already uses other own fields. A program has one table of own fields.");
  const isFirst = used === undefined;
  used = lines;
  if (!isFirst) return;
  whenStarted(() => {
    const wrong = set_fields(put(lines));
    if (wrong !== undefined) {
      used = undefined;
      throw new TypeError(wrong);
    }
    rows = table.fields.map(({ name, type }) => ({ name, type }));
    for (const { name, type } of rows) add(name, find(type));
  });
}

/** Returns the fields of your own that this program has set; none before. */
export function getFields(): readonly FieldRow[] {
  return rows;
}

function add(name: string, type: Type) {
  ownTypes[name] = type;
  const [draft, , update, complex] = types;
  for (const body of [draft, complex]) Object.assign(body.fields as object, { [name]: type });
  const action = `set${titled(name)}`;
  ownActions[action] = name;
  const variants = update.fields?.actions?.items?.variants as { [action: string]: Shape };
  const fields = { __proto__: null, action: unknownType, [name]: type };
  variants[action] = { fields, required: ["action"] };
}
