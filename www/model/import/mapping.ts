// Which field each column of a CSV file sets, if its names are not those of fields.

import type { Columns } from "../../pkg/items/columns.js";

/** The field of each name in the first row. A column with an empty one is ignored. */
export type Mapping = ReadonlyMap<string, string>;

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Returns the fields that the names mean most likely: their own, or those whose name or label differs only in case and
 * spaces.
 */
export function guessMapping(
  names: readonly string[],
  { named }: Columns,
  labelOf: (field: string) => string,
): Mapping {
  const taken = new Set(names.filter((name) => named.has(name)));
  return new Map(
    names
      .filter((name) => name !== "")
      .map((name) => {
        if (named.has(name)) return [name, name];
        const free = [...named.keys()].filter((field) => !taken.has(field));
        const means = (text: string) => plain(text) === plain(name);
        const alike = free.find(means) ?? free.find((field) => means(labelOf(field))) ?? "";
        taken.add(alike);
        return [name, alike];
      }),
  );
}

/** Returns a field that two columns would set, also as a part of an object. */
export function fieldSetTwice(mapping: Mapping) {
  const fields = [...mapping.values()].filter((field) => field !== "");
  return fields.find((field, at) => fields.some((other, its) => its !== at && `${field}.`.startsWith(`${other}.`)));
}

/** Returns the columns of a file with a mapping. */
export const mappedColumns = ({ named, empty }: Columns, mapping: Mapping): Columns => ({
  named: new Map([...mapping].map(([name, field]) => [name, named.get(field)])),
  empty,
});
