// The table of a list: a row for each resource, and headings that sort.

import type { ResourceModel } from "../../model/fields.js";
import type { Column, Columns } from "../../model/query/columns.js";
import type { Resource } from "../../pkg/browser.js";
import { go } from "../../state/address.js";
import { may } from "../../state/session.js";
import { framedTable, h } from "../base/dom.js";
import { cellOf, nameCell } from "../values/cells.js";
import type { Selection } from "./selection.js";

interface TableOptions {
  model: ResourceModel;
  project: string;
  columns: Columns;
  selection: Selection;
  sortBy: (sort: string) => unknown;
}

/** The table of a project's resources. */
export class ResourceTable {
  #options;
  #shown: readonly Column[] = [];

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** Creates the table with a body that is filled later. `sort` is the order of the rows, if it is that of a column. */
  element(names: readonly string[], sort: string, body: HTMLElement) {
    const { columns, selection } = this.#options;
    this.#shown = columns.named(names);
    const headings = [columns.first, ...this.#shown].map((column) => this.#heading(column, sort));
    return framedTable(
      "Resources",
      "collection",
      h("caption", { class: "visually-hidden" }, "Resources; the headings sort"),
      h("thead", h("tr", h("td", { class: "select" }, selection.all()), headings)),
      body,
    );
  }

  /** Creates the row of a resource. */
  row(resource: Resource) {
    const { model, project, selection } = this.#options;
    return h(
      "tr",
      h("td", { class: "select" }, selection.box(resource)),
      h("th", { scope: "row" }, nameCell(resource, model, project)),
      this.#shown.map((column) => {
        const edit = () =>
          go({ project, id: resource.id, view: "edit", params: { field: column.field.path.join(".") } });
        const ondblclick = may("update") && model.content.includes(column.field) ? edit : undefined;
        return h("td", { class: this.#classOf(column), ondblclick }, cellOf(column.field, resource));
      }),
    );
  }

  /** Returns the classes of a column: numbers are at its end, and narrow windows leave some columns out. */
  #classOf(column: Column) {
    const isNumber = column.field.kind === "number";
    return `${isNumber ? "end " : ""}${this.#options.columns.widthOf(column)}`;
  }

  #heading(column: Column, sort: string) {
    const { label, name, sortable, help: title } = column;
    const kind = this.#classOf(column);
    if (!sortable) return h("th", { scope: "col", class: kind, title }, label);
    const [path, direction = "asc"] = sort.split(" ");
    const sorted = path === name ? direction : undefined;
    // Cycles through ascending, descending, and the usual order.
    const next = sorted === undefined ? `${name} asc` : sorted === "asc" ? `${name} desc` : "";
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" }, sorted === "desc" ? "↓" : "↑");
    return h(
      "th",
      { scope: "col", class: kind, title, "aria-sort": sorted && `${sorted}ending` },
      h(
        "button",
        { type: "button", class: "sort", dataset: { sort: name }, onclick: () => this.#options.sortBy(next) },
        label,
        arrow,
      ),
    );
  }
}
