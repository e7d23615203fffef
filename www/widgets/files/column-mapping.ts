// The choice of a field for each column of a CSV file.

import { fieldSetTwice, guessMapping, type Mapping } from "../../model/import/mapping.js";
import type { ResourceModel } from "../../model/fields.js";
import { placeOf } from "../../model/wording.js";
import { button, framedTable, h, tableHead } from "../base/dom.js";

/** The card. `done` is called with the chosen fields. */
export function columnMapping(
  file: File,
  names: readonly string[],
  { columns, fields }: ResourceModel,
  done: (mapping: Mapping) => unknown,
) {
  const labelOf = (field: string) => placeOf(fields, columns.named.get(field)?.path ?? [field])?.label ?? field;
  const guess = guessMapping(names, columns, labelOf);
  const chosen = new Map(guess);
  const problem = h("p", { class: "field-error", role: "alert" });
  const select = (name: string) =>
    h(
      "select",
      {
        "aria-label": `Field of the column ${name}`,
        value: guess.get(name) ?? "",
        onchange: ({ currentTarget }) => chosen.set(name, currentTarget.value),
      },
      h("option", { value: "" }, "Ignore"),
      [...columns.named.keys()].map((field) => h("option", { value: field }, labelOf(field))),
    );
  const next = () => {
    const twice = fieldSetTwice(chosen);
    problem.textContent =
      twice === undefined ? "" : `Two columns set the field '${labelOf(twice)}'. Ignore one of them.`;
    if (twice === undefined) done(chosen);
  };
  const row = (name: string) => h("tr", h("th", { scope: "row" }, name), h("td", select(name)));
  return h(
    "section",
    { class: "card stack", "aria-label": "Columns of the file" },
    h("h2", { tabindex: -1 }, file.name),
    h("p", { role: "status" }, "Some columns have no field of the same name. Choose what each column sets."),
    framedTable("Columns", "mapping", tableHead("Column", "Field"), h("tbody", [...chosen.keys()].map(row))),
    problem,
    h("div", button("Continue", next, "primary")),
  );
}
