// The table of own fields (fields.json) as the WebAssembly reads it: a line with name and type for each field. The
// WebAssembly checks names and types, so here is only what gets lost in the lines.

/** A field of your own: its name, and its type: `text`, `integer`, `number`, `boolean`, `datetime`, or an array of one
 * of them, such as `text[]`. */
export interface FieldRow {
  readonly name: string;
  readonly type: string;
}

/** The content of `fields.json`: the fields of your own, after those that every service has. */
export interface FieldTable {
  readonly $schema?: string;
  readonly fields: readonly FieldRow[];
}

/** @internal Returns a field's name as it follows `set` in the name of its update action. */
export const titled = (name: string) => `${name[0].toUpperCase()}${name.slice(1)}`;

const EXAMPLE = '{ "name": "title", "type": "text" }';

/** Throws an error that says what is wrong and where. */
function refuse(place: string, message: string): never {
  throw new TypeError(`The own fields are invalid${place}: ${message}`);
}

/** Checks that an object has no other members than these. */
function checkMembers(value: object, known: readonly string[], place: string) {
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) refuse(place, `unknown member '${name}'. Expected ${known.join(", ")}.`);
  }
}

/** @internal Returns the lines of a table. Throws a `TypeError` if the value is no table. */
export function linesOf(table: FieldTable): string {
  const fields: unknown = table?.fields;
  if (!Array.isArray(fields)) refuse("", `expected { "fields": [${EXAMPLE}] }.`);
  checkMembers(table, ["$schema", "fields"], "");
  const lines = fields.map((row, at) => {
    const place = ` at /fields/${at}`;
    // A line ends at the end of its type.
    const isText = (value: unknown) => typeof value === "string" && /^\S+$/.test(value);
    if (!isText(row?.name) || !isText(row.type)) refuse(place, `expected a field such as ${EXAMPLE}.`);
    checkMembers(row, ["name", "type"], place);
    return `${row.name} ${row.type}\n`;
  });
  return lines.join("");
}
