// A resource that a search found, with marks where its texts match.

import type { ResourceModel } from "../../model/fields.js";
import { innermost, valueAt, type Field } from "../../model/schema.js";
import type { Resource } from "../../pkg/browser.js";
import { nameCell } from "../values/cells.js";
import { h, type Child } from "../base/dom.js";
import { time } from "../base/format.js";

const SHOWN_CHARS = 240;

interface FoundOptions {
  words: readonly string[];
  model: ResourceModel;
  project: string;
  /** Whether the last word may be the beginning of a longer one. */
  isOpen: boolean;
}

/** Returns the fields whose texts are searched, also those of objects. */
const searchedFields = (fields: readonly Field[]): Field[] =>
  innermost(fields)
    .flatMap((field) => (field.kind === "objects" ? searchedFields(field.fields) : field))
    .filter(({ kind, schema }) => (kind === "texts" || kind === "text") && schema["x-search"] !== false);

/** Returns the texts at a path, of each item if there are lists on it. */
const textsAt = (value: unknown, path: Field["path"]) =>
  path.reduce<unknown[]>((all, name) => all.flatMap((one) => valueAt(one, [name]) ?? []), [value]).map(String);

/** The resource, with the texts that contain the words. */
export function foundResource(resource: Resource, { words, model, project, isOpen }: FoundOptions) {
  const all = searchedFields(model.content).flatMap((field) =>
    textsAt(resource, field.path).map((text) => ({ field, name: model.queryName(field), text })),
  );
  const hits = words.length === 0 ? all : all.filter(({ text }) => wordPattern(words, isOpen).test(text));
  const isShown = ({ field }: (typeof all)[number]) => field !== model.title || words.length > 0;
  const shown = (hits.length > 0 ? hits : all).filter(isShown).slice(0, 4);
  return [
    h(
      "div",
      { class: "row" },
      nameCell(resource, model, project),
      h("span", { class: "muted small" }, `version ${resource.version} · `, time(resource.lastModifiedAt)),
    ),
    shown.length > 0 &&
      h(
        "dl",
        { class: "snippets" },
        shown.map(({ name, text }) => h("div", h("dt", name), h("dd", highlight(text, words, isOpen)))),
      ),
  ];
}

/** Returns a pattern for the words as whole words, ignoring case. The last one may be the beginning of a word. */
export function wordPattern(words: readonly string[], isOpen = false) {
  // Escape only what a Unicode pattern allows: `\-` would be an error.
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const any = escaped.join("|") + (isOpen ? "[\\p{L}\\p{N}]*" : "");
  return new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, "iu");
}

/** Returns the beginning of a text with its words marked: texts and `mark` elements. */
function highlight(text: string, words: readonly string[], isOpen = false): Child {
  const cut = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  if (words.length === 0) return cut;
  return cut.split(wordPattern(words, isOpen)).map((part, at) => (at % 2 === 1 ? h("mark", part) : part));
}
