// Derives a body's fields from its JSON Schema (resource-edge/json-schema): names, order, and kinds. No field is listed
// here, so a new field of the schema automatically appears in the forms.

/**
 * Returns the fields of a body in the order of presentation: the name, path, and kind of each, and its inner fields.
 */
export function describe(body) {
  const schema = body["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  const resolve = (part) => {
    const named = part.$ref ?? part.anyOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
    return named === undefined ? part : resolve(schema.$defs[named.slice(named.lastIndexOf("/") + 1)]);
  };
  return fieldsOf(schema, [], resolve);
}

function fieldsOf(schema, above, resolve) {
  return Object.entries(schema.properties).map(([name, part]) => {
    const path = [...above, name];
    return { name, path, ...kindOf(resolve(part), path, resolve) };
  });
}

/** Returns the kind of a part. */
function kindOf(part, path, resolve) {
  if (part.properties !== undefined) return { kind: "group", fields: fieldsOf(part, path, resolve) };
  if (part.items !== undefined) return listOf(part, resolve(part.items), resolve);
  if (isOf(part, "integer", "number")) return { kind: "number" };
  if (part.format === "date-time") return { kind: "moment" };
  return { kind: part.minLength === undefined ? "text" : "name" };
}

function listOf(list, item, resolve) {
  if (item.oneOf !== undefined) return actionsOf(item.oneOf.map(resolve));
  if (item.properties !== undefined) return { kind: "objects", columns: Object.keys(item.properties) };
  if (isOf(item, "string")) return { kind: "texts" };
  const pair = list.maxItems === 2 && list.anyOf?.some(({ minItems }) => minItems === 2) === true;
  return { kind: "numbers", whole: isOf(item, "integer"), unique: list.uniqueItems === true, pair };
}

/** Actions: the member with the name of each, and its other fields. */
function actionsOf(actions) {
  const [tag] = Object.entries(actions[0].properties).find(([, part]) => part.const !== undefined);
  const entry = ({ properties }) => [properties[tag].const, Object.keys(properties).filter((name) => name !== tag)];
  return { kind: "actions", tag, actions: Object.fromEntries(actions.map(entry)) };
}

const isOf = ({ type }, ...names) => [type].flat().some((name) => names.includes(name));

/** Returns the fields that contain a value. A group for one thing, such as a person, remains whole. */
export function leaves(fields) {
  return fields.flatMap((field) =>
    field.kind === "group" && field.fields.some(isList) ? leaves(field.fields) : [field],
  );
}

const isList = ({ kind }) => ["numbers", "texts", "objects"].includes(kind);

/** Returns the value at a path, or `undefined` if there is none. */
export function valueAt(value, path) {
  return path.reduce((at, name) => (typeof at === "object" && at !== null ? at[name] : undefined), value);
}

/**
 * Returns a copy of an object with a value at a path; `undefined` removes it. Values on the path that are not objects
 * are replaced.
 */
export function withValue(value, path, next) {
  const [name, ...rest] = path;
  const known = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const inner = rest.length === 0 ? next : withValue(known[name], rest, next);
  if (inner !== undefined) return { ...known, [name]: inner };
  const { [name]: gone, ...others } = known;
  return others;
}

/** Returns whether two JSON values are equal. Null equals absent, and the order of members does not matter. */
export function same(a, b) {
  if (a === b || (a ?? undefined) === (b ?? undefined)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => same(a[name], b[name]));
}
