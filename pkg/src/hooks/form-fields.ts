// The inputs of a form, from the schema of a resource: their texts, and the values that these mean.

import { wordsOf } from "../items/words.js";

/** An input of a form: a value, or a list of values, which a person separates by commas. */
export interface FormValue {
  readonly kind: "value";
  /** Its place in the body, as a JSON Pointer, such as `/size/width`. */
  readonly path: string;
  /** Its name in words, such as `Size width`. */
  readonly label: string;
  readonly isRequired: boolean;
  /** What an `<input>` or a `<select>` gets. */
  readonly input: {
    readonly name: string;
    readonly value: string;
    readonly type: "text" | "date";
    readonly inputMode: "text" | "decimal" | "numeric" | "email" | "url";
    /** How to write a list. */
    readonly placeholder: string | undefined;
    readonly "aria-invalid": boolean;
    readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
  };
  /** The options of a `<select>`, if only some values are possible. An empty one means no value. */
  readonly choices: readonly string[] | undefined;
  /** What is wrong with it. */
  readonly error: string | undefined;
}

/** A list of objects in a form. */
export interface FormList {
  readonly kind: "list";
  readonly path: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly items: readonly { readonly fields: readonly FormField[]; readonly remove: () => void }[];
  /** Adds an item. */
  readonly add: () => void;
  readonly error: string | undefined;
}

/** A part of a form. */
export type FormField = FormValue | FormList;

/** The plain form of a schema (src/shape/schema/plain.rs). */
export interface PlainSchema {
  readonly type: string;
  readonly properties?: { readonly [name: string]: PlainSchema };
  readonly required?: readonly string[];
  readonly items?: PlainSchema;
  readonly enum?: readonly (string | number | boolean)[];
  readonly format?: string;
}

export type Path = readonly (string | number)[];

/** What a form shows, and what changes it. */
export interface Shown {
  readonly values: unknown;
  /** What a person has typed, by the places of inputs. */
  readonly texts: { readonly [path: string]: string };
  /** Returns what is wrong at a place, or in it if it has no inputs inside. */
  readonly errorAt: (path: string, isWhole: boolean) => string | undefined;
  /** Sets a value; `text` is what a person has typed for it. */
  readonly set: (path: Path, value: unknown, text?: string) => void;
  /** Changes the items of a list. */
  readonly setItems: (path: Path, change: (items: readonly unknown[]) => unknown) => void;
}

export const pointerOf = (path: Path) => path.map((name) => `/${name}`).join("");

/** Returns the names in a place. Names of fields need no escapes. */
export const pathOf = (pointer: string): Path => pointer.split("/").slice(1);

/** Returns the words of a place within its list. */
export const labelOf = (path: Path) =>
  wordsOf(path.slice(path.map((name) => typeof name).lastIndexOf("number") + 1).join(" "));

/** Returns the inputs of an object, and of the objects inside it. */
export function fieldsOf(
  { properties = {}, required = [] }: PlainSchema,
  shown: Shown,
  names: readonly string[] = Object.keys(properties),
  above: Path = [],
): FormField[] {
  return names.flatMap((name) => {
    const part = properties[name];
    if (part === undefined) return [];
    const path = [...above, name];
    if (part.type === "object") return fieldsOf(part, shown, undefined, path);
    const isRequired = required.includes(name);
    const { items } = part;
    return items?.type === "object" ? listOf(items, shown, path, isRequired) : inputOf(part, shown, path, isRequired);
  });
}

function listOf(item: PlainSchema, shown: Shown, path: Path, isRequired: boolean): FormList {
  return {
    kind: "list",
    path: pointerOf(path),
    label: labelOf(path),
    isRequired,
    items: itemsAt(shown.values, path).map((_, at) => ({
      fields: fieldsOf(item, shown, undefined, [...path, at]),
      remove: () => shown.setItems(path, (items) => items.filter((_, other) => other !== at)),
    })),
    add: () => shown.setItems(path, (items) => [...items, {}]),
    error: shown.errorAt(pointerOf(path), false),
  };
}

const MODES: { [kind: string]: FormValue["input"]["inputMode"] } = {
  number: "decimal",
  integer: "numeric",
  email: "email",
  uri: "url",
};

function inputOf(part: PlainSchema, shown: Shown, path: Path, isRequired: boolean): FormValue {
  const name = pointerOf(path);
  const error = shown.errorAt(name, true);
  const choices = part.enum ?? (part.type === "boolean" ? [true, false] : undefined);
  return {
    kind: "value",
    path: name,
    label: labelOf(path),
    isRequired,
    input: {
      name,
      value: shown.texts[name] ?? textOf(valueAt(shown.values, path)),
      type: part.format === "date" ? "date" : "text",
      inputMode: MODES[part.format ?? part.type] ?? "text",
      placeholder: part.type === "array" ? "separated by commas" : undefined,
      "aria-invalid": error !== undefined,
      onChange: ({ target }) => shown.set(path, parse(part, target.value), target.value),
    },
    choices: choices && ["", ...choices.map(String)],
    error,
  };
}

/** Returns the text of an input that has a value. */
const textOf = (value: unknown) => (Array.isArray(value) ? value.join(", ") : String(value ?? ""));

/** Returns what a text means; `undefined` if it is empty. What is no number stays text, and gets an error. */
function parse({ type, items }: PlainSchema, text: string): unknown {
  if (type === "array") {
    const parts = text.split(",").map((part) => parse(items ?? { type: "string" }, part.trim()));
    return parts.filter((part) => part !== undefined);
  }
  if (text.trim() === "") return undefined;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  const isNumber = (type === "number" || type === "integer") && !Number.isNaN(Number(text));
  return isNumber ? Number(text) : text;
}

/** Returns the items of a list. */
export function itemsAt(value: unknown, path: Path): readonly unknown[] {
  const items = valueAt(value, path);
  return Array.isArray(items) ? items : [];
}

/** Returns the value at a path; `undefined` if there is none. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce((at: any, name) => at?.[name], value);

/** Returns a copy with another value at a path; `undefined` removes it, and objects that are empty then. */
export const withValue = (value: object, path: Path, next: unknown): any => placed(value, path, next) ?? {};

function placed(value: any, [name, ...rest]: Path, next: unknown): any {
  if (name === undefined) return next;
  const inner = placed(value?.[name], rest, next);
  if (Array.isArray(value)) return value.map((item, at) => (at === name ? (inner ?? {}) : item));
  if (inner !== undefined) return { ...value, [name]: inner };
  const { [name]: removed, ...others } = value ?? {};
  return Object.keys(others).length > 0 ? others : undefined;
}
