// What an edit of a resource compares and sends, and the items by which two lists differ.

import type { Resource, ResourceClient, ResourceDraft, ResourceOverwrite } from "../../pkg/browser.js";
import type { ResourceModel } from "../fields.js";
import { same, valueAt, withValue, type Field } from "../schema.js";

/** Returns the members of a resource that a person edits. */
export function editablePart(fields: readonly Field[], resource: object): { [name: string]: unknown } {
  return fields.reduce((part: { [name: string]: unknown }, { path }) => {
    const value = valueAt(resource, path);
    return value === undefined ? part : withValue(part, path, value);
  }, {});
}

/** Returns a list, or an empty one for another value. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns the items that others do not have. */
export const without = (items: unknown[], others: unknown[]) =>
  items.filter((item) => !others.some((other) => same(item, other)));

/**
 * Returns the count of each item of a list, ignoring the order of an item's members. Returns no counts for other
 * values.
 */
export function countOf(items: unknown): Map<string, number> {
  const counts = new Map();
  for (const item of listOf(items)) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

/** Removes an occurrence of an item from the counts. Returns whether there was one. */
export function take(counts: Map<string, number>, item: unknown) {
  const left = counts.get(nameOf(item)) ?? 0;
  counts.set(nameOf(item), left - 1);
  return left > 0;
}

const nameOf = (item: unknown) =>
  JSON.stringify(typeof item === "object" && item !== null ? Object.entries(item).sort() : item);

/**
 * Returns the body that changes a resource to `value`, on the seen version. A field that a write leaves out or sets to
 * null remains (D11), so a removed text is sent empty.
 */
export function overwriteBody(
  fields: readonly Field[],
  seen: Pick<Resource, "id" | "version">,
  value: object,
): ResourceOverwrite {
  const { id, version } = seen;
  let body: { [name: string]: unknown } = { id, version, ...value };
  for (const { path, kind } of fields) {
    if (kind === "text" && valueAt(seen, path) != null && valueAt(value, path) == null)
      body = withValue(body, path, "");
  }
  if (body.objectTypeProperty === undefined) body = { ...body, objectTypeProperty: {} };
  // The form has checked the value.
  return body as unknown as ResourceOverwrite;
}

/**
 * Returns the body that changes the fields of a declared resource in which `value` differs from the seen version. Null
 * removes a field (D38). A field that the console does not know, or that nobody changed, keeps its value.
 */
export function changesBody(
  fields: readonly Field[],
  seen: Pick<Resource, "id" | "version">,
  value: { readonly [name: string]: unknown },
): { [name: string]: unknown } {
  const { id, version } = seen;
  const changed = fields.filter(({ path }) => !same(valueAt(seen, path), valueAt(value, path)));
  const known = fields.map(({ name }) => name);
  // The JSON may have other members. The service says what is wrong with them.
  const others = Object.entries(value).filter(([name]) => !known.includes(name));
  return Object.fromEntries([
    ["id", id],
    ["version", version],
    ...others,
    ...changed.map(({ name }) => [name, value[name] ?? null]),
  ]);
}

/** Returns a resource after actions. The result shows what they change. It is never sent. */
export function applyActions(
  resource: object,
  actions: readonly { [name: string]: unknown }[],
): { [name: string]: unknown } {
  const changed: { [name: string]: unknown } = { ...resource };
  for (const { action, ...fields } of actions)
    for (const [name, value] of Object.entries(fields))
      changed[name] = afterAction(String(action), changed[name], value);
  return changed;
}

/** Returns the value of a field after an action: with or without the items that it has, or the value that it sets. */
function afterAction(action: string, before: unknown, value: unknown) {
  if (action.startsWith("add")) return [...listOf(before), ...listOf(value)];
  if (action.startsWith("remove")) return without(listOf(before), listOf(value));
  return value;
}

/** Changes a resource of the seen version to `value`. */
export const saveChanges = (
  client: ResourceClient,
  { isDeclared }: ResourceModel,
  fields: readonly Field[],
  seen: Resource,
  value: { readonly [name: string]: unknown },
) =>
  isDeclared
    ? client.createOrUpdate(changesBody(fields, seen, value) as unknown as ResourceDraft)
    : client.overwrite(overwriteBody(fields, seen, value));
