// What the forms know of a body, read off the package's own types (pkg/accept.js): which fields there are, in which order,
// and what each holds. Nothing is listed here, so that a field which joins the schema joins the forms.

/** The fields of a body's type in the order of presentation: each its name, path and kind, and what is inside it. */
export function describe(type, above = []) {
  return Object.entries(type.fields).map(([name, inner]) => {
    const path = [...above, name];
    return { name, path, ...kindOf(inner, path) };
  });
}

/** What a type holds, found out by what it accepts. */
function kindOf(type, path) {
  if (type.fields !== undefined) return { kind: "group", fields: describe(type, path) };
  if (type.items !== undefined) return listOf(type);
  if (type.accepts("")) return { kind: "text" };
  if (type.accepts("x")) return { kind: "name" };
  if (type.accepts(0)) return { kind: "number" };
  return { kind: "moment" };
}

function listOf(type) {
  if (type.items.variants !== undefined) return { kind: "actions", variants: type.items.variants, tag: type.items.tag };
  if (type.items.fields !== undefined) return { kind: "objects", columns: Object.keys(type.items.fields) };
  if (type.accepts([""])) return { kind: "texts" };
  const whole = !type.accepts([0.5]) && !type.accepts([0.5, 1.5]);
  return { kind: "numbers", whole, unique: !type.accepts([0, 0]), pair: !type.accepts([0]) && type.accepts([0, 1]) };
}

/** The fields that hold something by themselves: a group that stands for one thing, as a person does, stays whole. */
export function leaves(fields) {
  return fields.flatMap((field) => (field.kind === "group" && field.fields.some(isList) ? leaves(field.fields) : [field]));
}

const isList = ({ kind }) => ["numbers", "texts", "objects"].includes(kind);

/** The value at a path; `undefined` where nothing is. */
export function valueAt(value, path) {
  return path.reduce((at, name) => (typeof at === "object" && at !== null ? at[name] : undefined), value);
}

/** A copy of an object with a value put at a path; `undefined` takes it away. What stood there that is no object goes. */
export function withValue(value, path, next) {
  const [name, ...rest] = path;
  const known = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const inner = rest.length === 0 ? next : withValue(known[name], rest, next);
  if (inner !== undefined) return { ...known, [name]: inner };
  const { [name]: gone, ...others } = known;
  return others;
}

/** Whether two JSON values are the same; null is as good as absent, whatever the order of members. */
export function same(a, b) {
  if (a === b || (a ?? undefined) === (b ?? undefined)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => same(a[name], b[name]));
}
