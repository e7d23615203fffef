// The collection: a table to sort, filter by a predicate, and page through. The address contains its state.

import { Columns, type Column } from "../model/query/columns.js";
import { readPlace, writePlace, type Place } from "../model/query/paging.js";
import type { QueryPage, Resource, ResourceClient } from "../pkg/browser.js";
import { setAddress } from "../state/address.js";
import { mayWrite } from "../state/session.js";
import { cellOf, linkTo, nameCell } from "../widgets/values/cells.js";
import { button, framedTable, h, mount, uniqueId } from "../widgets/base/dom.js";
import { exportButton } from "../widgets/files/export-dialog.js";
import { failureView } from "../widgets/base/failure.js";
import { renew } from "../widgets/base/renew.js";
import { LiveRows } from "../widgets/list/live-rows.js";
import { closeWithFocus } from "../widgets/base/menu.js";
import { pager } from "../widgets/list/pager.js";
import { Selection } from "../widgets/list/selection.js";
import { emptyPage, emptyView, skeleton } from "../widgets/base/placeholders.js";
import { PredicateBox, predicateProblem } from "../widgets/list/predicate-box.js";
import type { ViewContext } from "./context.js";

/**
 * The state of the view, as in the address. `sort` is a field with a direction, or empty. `columns` are the shown
 * fields.
 */
type State = Place & { where: string; sort: string; columns: string[] };

export class Collection {
  element;
  #client;
  #project;
  #model;
  #columns;
  #state;
  #box;
  #follow;
  #rows = new LiveRows({ row: (resource) => this.#row(resource), parts: "th, td", load: () => this.#load() });
  #pager = h("div");
  #list = h("div", { class: "stack" }, skeleton(12));
  #toolbar = h("div", { class: "toolbar push" });
  #shown: { page: QueryPage; where: string | undefined } | undefined;
  #selection;

  constructor({ address, client, project, model, onLeave, follow }: ViewContext) {
    this.#client = client;
    this.#follow = follow;
    this.#project = project;
    this.#model = model;
    this.#columns = new Columns(model);
    this.#state = read(address.params, this.#columns);
    this.#selection = new Selection({ client, model, project, done: () => this.#load() });
    this.#box = new PredicateBox({
      client,
      model,
      value: this.#state.where,
      onLeave,
      apply: (where) => this.#change({ where, offset: 0 }),
    });
    this.element = h(
      "div",
      { class: "stack" },
      h("div", { class: "toolbar" }, h("h1", "Resources"), this.#rows.news, this.#toolbar),
      this.#box.element,
      this.#list,
    );
    void this.#load();
  }

  #change(changes: Partial<State>) {
    this.#setState(changes);
    if (changes.where !== undefined) this.#box.set(changes.where);
    return this.#load();
  }

  #setState(changes: Partial<State>) {
    Object.assign(this.#state, changes);
    setAddress({ project: this.#project, params: write(this.#state, this.#columns) });
  }

  get #where() {
    return this.#state.where.trim() === "" ? undefined : this.#state.where;
  }

  #query(client: ResourceClient, signal: AbortSignal) {
    const { sort, limit, offset } = this.#state;
    return client.query({ where: this.#where, sort: sort || undefined, limit, offset }, { signal });
  }

  async #load() {
    const where = this.#where;
    mount(this.#toolbar, this.#columnMenu(), exportButton(this.#client, this.#project, where), this.#create());
    this.#list.setAttribute("aria-busy", "true");
    try {
      const page = await this.#follow({
        read: (client, signal) => this.#query(client, signal),
        show: (page) => this.#refresh(page),
        onChange: (change) => this.#rows.note(change),
      });
      this.#shown = { page, where };
      this.#selection.clear();
      this.#show();
    } catch (error) {
      this.#shown = undefined;
      this.#rows.start();
      mount(this.#list, this.#failed(error));
    }
    this.#list.removeAttribute("aria-busy");
  }

  /** Shows what others have changed. */
  #refresh(page: QueryPage) {
    if (this.#shown === undefined) return;
    const before = this.#shown.page;
    this.#shown = { ...this.#shown, page };
    this.#box.count(this.#where, page.total ?? 0);
    if (!this.#rows.update(page.results)) return page.total === before.total ? undefined : this.#show();
    this.#selection.update(this.#rows.resources);
    renew(this.#pager, h("div", this.#pagerOf(page)), ".pager > *");
  }

  #show() {
    if (this.#shown === undefined) return;
    const { page, where } = this.#shown;
    this.#rows.start();
    this.#selection.update(page.results);
    if (page.count === 0) return void mount(this.#list, this.#nothing(page.total ?? 0, where));
    mount(this.#pager, this.#pagerOf(page));
    mount(this.#list, this.#selection.bar, this.#table(page.results), this.#pager);
  }

  #create() {
    return mayWrite() && linkTo("New resource", { project: this.#project, view: "new" }, "primary");
  }

  #pagerOf({ count, total = 0 }: QueryPage) {
    const { limit, offset } = this.#state;
    return pager({ offset, limit, shown: count, total }, (place) => this.#change(place));
  }

  async #sortBy(field: string) {
    const [path, direction] = this.#state.sort.split(" ");
    // Cycles through ascending, descending, and the order of creation.
    const next = path !== field ? `${field} asc` : direction === "desc" ? "" : `${field} desc`;
    await this.#change({ sort: next, offset: 0 });
    this.#list.querySelector<HTMLElement>(`[data-sort="${field}"]`)?.focus();
  }

  /** The menu of the columns. The first one is always shown. */
  #columnMenu() {
    const choice = ({ name, help }: Column) => {
      const hint = h("span", { class: "muted small", id: uniqueId("column") }, help);
      const box = h("input", {
        type: "checkbox",
        "aria-describedby": hint.id,
        checked: this.#state.columns.includes(name),
        onchange: () => {
          const chosen = this.#columns.all.filter((one) =>
            one.name === name ? box.checked : this.#state.columns.includes(one.name),
          );
          const names = chosen.map((one) => one.name);
          this.#columns.store(names);
          this.#setState({ columns: names });
          this.#show();
        },
      });
      return h("div", { class: "row" }, h("label", { class: "check" }, box, h("code", name)), hint);
    };
    const summary = h("summary", { class: "button" }, "Columns");
    const menu = h(
      "details",
      { class: "menu" },
      summary,
      h("div", { class: "card", role: "group", "aria-label": "Columns" }, this.#columns.all.map(choice)),
    );
    return closeWithFocus(menu, summary);
  }

  /** Shows a predicate's problem at the predicate box, and other errors in the list's place. */
  #failed(error: unknown) {
    if (predicateProblem(error) === undefined) return failureView(error, () => this.#load());
    return emptyView(
      "The condition is invalid",
      "The problem is shown below it, and its place is marked.",
      button("Go to the condition", () => this.#box.focus()),
    );
  }

  #nothing(total: number, where: string | undefined) {
    if (total > 0) return emptyPage(() => this.#change({ offset: 0 }));
    if (where !== undefined)
      return emptyView(
        "No matches",
        "No resource satisfies the condition.",
        button("Clear the condition", () => this.#change({ where: "", offset: 0 })),
      );
    return emptyView(
      "No resources yet",
      "This project is empty. Create its first resource, or import a file.",
      mayWrite() && [this.#create(), linkTo("Import", { project: this.#project, view: "import" })],
    );
  }

  /** A table of resources. Its headings sort. */
  #table(results: readonly Resource[]) {
    const body = h("tbody", { onkeydown: moveFocus });
    this.#rows.start(body, results);
    const headings = [this.#columns.first, ...this.#shownColumns].map((column) => this.#heading(column));
    return framedTable(
      "Resources",
      "collection",
      h("caption", { class: "visually-hidden" }, "Resources; the headings sort"),
      h("thead", h("tr", h("td", { class: "select" }, this.#selection.all()), headings)),
      body,
    );
  }

  get #shownColumns() {
    return this.#columns.all.filter(({ name }) => this.#state.columns.includes(name));
  }

  #row(resource: Resource) {
    return h(
      "tr",
      h("td", { class: "select" }, this.#selection.box(resource)),
      h("th", { scope: "row" }, nameCell(resource, this.#model, this.#project)),
      this.#shownColumns.map((column) => h("td", { class: this.#classOf(column) }, cellOf(column.field, resource))),
    );
  }

  /** Returns the classes of a column: numbers are at its end, and narrow windows leave some columns out. */
  #classOf(column: Column) {
    const isNumber = column.field.kind === "number";
    return [isNumber && "end", this.#columns.isWide(column) && "wide"].filter(Boolean).join(" ") || undefined;
  }

  #heading(column: Column) {
    const { label, name, sortable, help: title } = column;
    const kind = this.#classOf(column);
    if (!sortable) return h("th", { scope: "col", class: kind, title }, label);
    const [path, direction = "asc"] = this.#state.sort.split(" ");
    const sorted = path === name ? direction : undefined;
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" }, sorted === "desc" ? "↓" : "↑");
    return h(
      "th",
      { scope: "col", class: kind, title, "aria-sort": sorted && `${sorted}ending` },
      h(
        "button",
        { type: "button", class: "sort", dataset: { sort: name }, onclick: () => this.#sortBy(name) },
        label,
        arrow,
      ),
    );
  }
}

/** Reads the state from an address's parameters. */
function read(params: URLSearchParams, columns: Columns): State {
  return {
    where: params.get("where") ?? "",
    sort: params.get("sort") ?? "",
    ...readPlace(params),
    columns: params.get("columns")?.split(",").filter(columns.has) ?? columns.stored() ?? [...columns.defaults],
  };
}

function write({ where, sort, columns, ...place }: State, { defaults }: Columns) {
  const isDefault = columns.join() === defaults.join();
  return {
    where: where.trim() === "" ? "" : where,
    sort,
    ...writePlace(place),
    columns: isDefault ? "" : columns.join() || "none",
  };
}

/** Moves the focus between rows with the arrow keys. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  event.preventDefault();
  links[at + step]?.focus();
}
