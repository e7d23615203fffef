// A single value as people read it, by the kind and the format of its field.

import { decimalsOf, type Field } from "../../model/schema.js";
import { h, type Child } from "../base/dom.js";
import { day, number, time } from "../base/format.js";
import { choiceMark } from "./cells.js";

/** A single value. */
export function singleView({ kind, schema }: Pick<Field, "kind" | "schema">, value: unknown): Child {
  if (typeof value === "number") return h("span", { class: "numeric" }, number(value, decimalsOf(schema.multipleOf)));
  if (typeof value === "boolean") return h("span", { class: value ? "badge success" : "badge" }, value ? "Yes" : "No");
  if (typeof value !== "string") return h("pre", { class: "long" }, JSON.stringify(value, null, 2));
  if (value === "") return h("span", { class: "muted" }, "empty text");
  if (kind === "date") return time(value);
  return choiceMark({ schema }, value) ?? textView(schema.format, value);
}

function textView(format: string | undefined, text: string) {
  switch (format) {
    case "date":
      return day(text);
    case "email":
      return h("a", { href: `mailto:${encodeURIComponent(text).replace("%40", "@")}` }, text);
    case "uri":
      // Another scheme could run a program.
      if (/^https?:/i.test(text)) return h("a", { href: text, target: "_blank", rel: "noopener noreferrer" }, text);
  }
  return h("span", { class: "long" }, text);
}
