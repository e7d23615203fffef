// The ways to change a field of several resources at once.

import type { Resource } from "../../pkg/browser.js";
import { valueAt, type Field } from "../schema.js";
import { listOf, without } from "./merge.js";

/**
 * A way to change a field. A person gives the value of `input`, and `value` returns that of a resource. With `isWhole`
 * the given value is that of the field, and an empty one removes it.
 */
export interface Way {
  label: string;
  isWhole: boolean;
  input: Field & { removable?: boolean };
  value: (resource: Resource, given: unknown) => unknown;
}

const PERCENT: Field = {
  kind: "number",
  whole: false,
  name: "percent",
  path: ["percent"],
  required: true,
  schema: { title: "Percent", description: "Such as 80 to take 20 % off, or 110 to add 10 %." },
};

/** Returns the ways to change a field, the most usual one first. `numbers` are those that it may be a part of. */
export function waysOf(field: Field, numbers: readonly { field: Field; label: string }[]): Way[] {
  const input = { ...field, removable: true };
  const set: Way = { label: "Set to", isWhole: true, input, value: (_, given) => given };
  const list = (resource: Resource) => listOf(valueAt(resource, field.path));
  switch (field.kind) {
    case "number":
      return [
        set,
        ...numbers.map(({ field: other, label }): Way => {
          const value: Way["value"] = (resource, given) => {
            const whole = valueAt(resource, other.path);
            if (typeof whole === "number") return partOf(whole, Number(given), field);
            throw new Error(`It has no value of ${label}.`);
          };
          return { label: `A percentage of ${label}`, isWhole: false, input: PERCENT, value };
        }),
      ];
    case "texts":
    case "numbers":
      return [
        {
          label: "Add",
          isWhole: false,
          input,
          value: (one, given) => [...list(one), ...without(listOf(given), list(one))],
        },
        { label: "Remove", isWhole: false, input, value: (one, given) => without(list(one), listOf(given)) },
        set,
      ];
    default:
      return [set];
  }
}

/** Returns so many percent of a number, in steps of the field. */
function partOf(number: number, percent: number, { schema, ...field }: Field) {
  const step = schema.multipleOf ?? ("whole" in field && field.whole ? 1 : undefined);
  const part = (number * percent) / 100;
  return Number((step === undefined ? part : Math.round(part / step) * step).toPrecision(12));
}
