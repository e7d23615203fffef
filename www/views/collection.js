// The collection: a table to sort, filter by a predicate, and page through. The address contains its state.

import { h, mount } from "../widgets/dom.js";
import { addressOf, noteAddress } from "../state/address.js";
import { emptyView, failureView, skeleton, time } from "../widgets/common.js";
import { FURTHEST, LARGEST, PAGE, pager, whole } from "../widgets/pager.js";
import { PredicateBox, predicateProblem } from "../widgets/predicate-box.js";
import { sparkline } from "../widgets/charts.js";

const COLUMNS = [
  { label: "Key", sort: "key", cell: nameCell, header: true },
  { label: "Version", sort: "version", cell: ({ version }) => String(version), class: "end" },
  {
    label: "Integers",
    sort: "arrayOfIntExample",
    cell: ({ objectTypeProperty }) => numbersCell(objectTypeProperty.arrayOfIntExample),
    class: "wide",
  },
  {
    label: "Texts",
    sort: "arrayOfStringExample",
    cell: ({ objectTypeProperty }) => textsCell(objectTypeProperty.arrayOfStringExample),
    class: "wide",
  },
  {
    label: "Property",
    sort: "someProperty",
    cell: ({ someProperty }) => (someProperty === undefined ? none() : h("span", { class: "clip" }, someProperty)),
    class: "wide",
  },
  { label: "Changed", sort: "lastModifiedAt", cell: ({ lastModifiedAt }) => time(lastModifiedAt) },
  { label: "Created", sort: "createdAt", cell: ({ createdAt }) => time(createdAt), class: "wide" },
];

/** The view. `tools` returns the buttons beside its heading for the applied predicate. */
export function collectionView(context) {
  return new Collection(context).element;
}

class Collection {
  #client;
  #project;
  #tools;
  #state;
  #box;
  #controller = new AbortController();
  #list = h("div", { class: "stack" }, skeleton(12));
  #toolbar = h("div", { class: "toolbar push" });

  constructor({ address, client, project, onLeave, tools = (/** @type {string} */ _where) => [] }) {
    this.#client = client;
    this.#project = project;
    this.#tools = tools;
    this.#state = read(address.params);
    onLeave(() => this.#controller.abort());
    this.#box = new PredicateBox({
      client,
      value: this.#state.where,
      onLeave,
      apply: (where) => this.#change({ where, offset: 0 }),
    });
    this.element = h(
      "div",
      { class: "stack" },
      h("div", { class: "toolbar" }, h("h1", {}, "Resources"), this.#toolbar),
      this.#box.element,
      this.#list,
    );
    this.#load();
  }

  #change(changes) {
    Object.assign(this.#state, changes);
    noteAddress({ project: this.#project, params: written(this.#state) });
    if (changes.where !== undefined) this.#box.set(changes.where);
    return this.#load();
  }

  async #load() {
    this.#controller.abort();
    const { signal } = (this.#controller = new AbortController());
    const { sort, limit, offset } = this.#state;
    const where = this.#state.where.trim() === "" ? undefined : this.#state.where;
    mount(this.#toolbar, this.#tools(where));
    this.#list.setAttribute("aria-busy", "true");
    try {
      this.#show(await this.#client.query({ where, sort: sort || undefined, limit, offset }, { signal }), where);
    } catch (error) {
      if (!signal.aborted) mount(this.#list, failed(error, { box: this.#box, load: () => this.#load() }));
    } finally {
      if (!signal.aborted) this.#list.removeAttribute("aria-busy");
    }
  }

  #show({ results, count, total }, where) {
    const { sort, limit, offset } = this.#state;
    const change = (changes) => this.#change(changes);
    if (count === 0) return mount(this.#list, nothing(total, where, { change, tools: this.#tools }));
    const sortBy = (field) => this.#sortBy(field);
    return mount(
      this.#list,
      table(results, { project: this.#project, sort, sortBy }),
      pager({ offset, limit, shown: count, total }, change),
    );
  }

  #sortBy(field) {
    const [path, direction] = this.#state.sort.split(" ");
    // Cycles through ascending, descending, and the order of creation.
    const next = path !== field ? `${field} asc` : direction === "desc" ? "" : `${field} desc`;
    return this.#change({ sort: next, offset: 0 }).then(() =>
      this.#list.querySelector(`[data-sort="${field}"]`)?.focus(),
    );
  }
}

/** Reads the state from an address's parameters. */
function read(params) {
  return {
    where: params.get("where") ?? "",
    sort: params.get("sort") ?? "",
    limit: whole(params.get("limit"), PAGE, LARGEST) || PAGE,
    offset: whole(params.get("offset"), 0, FURTHEST),
  };
}

function written({ where, sort, limit, offset }) {
  return { where: where.trim() === "" ? "" : where, sort, limit: limit === PAGE ? "" : limit, offset: offset || "" };
}

/** Shows a predicate's problem at the predicate box, and other errors in the list's place. */
function failed(error, { box, load }) {
  if (predicateProblem(error) === undefined) return failureView(error, load);
  return emptyView(
    "The condition is not right yet",
    "What is wrong with it stands under it, and the place is marked.",
    button("Go to the condition", () => box.focus()),
  );
}

function nothing(total, where, { change, tools }) {
  if (total > 0)
    return emptyView(
      "This page is empty",
      "The list is shorter now.",
      button("Go to the first page", () => change({ offset: 0 })),
    );
  if (where !== undefined)
    return emptyView(
      "Nothing matches",
      "No resource satisfies the condition.",
      button("Clear the condition", () => change({ where: "", offset: 0 })),
    );
  return emptyView(
    "No resources yet",
    "This project is empty. Make its first resource, or bring many from a file.",
    tools.start?.(),
  );
}

const button = (label, onclick) => h("button", { class: "button", type: "button", onclick }, label);

/** A table of resources. Its headings sort. */
function table(results, { project, sort: order, sortBy }) {
  const [path, direction = "asc"] = order.split(" ");
  const head = (/** @type {{ label: string, sort: string, class?: string }} */ { label, sort, class: kind }) => {
    const sorted = path === sort ? direction : undefined;
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" }, sorted === "desc" ? "↓" : "↑");
    return h(
      "th",
      { scope: "col", class: kind, "aria-sort": sorted && `${sorted}ending` },
      h("button", { type: "button", class: "sort", dataset: { sort }, onclick: () => sortBy(sort) }, label, arrow),
    );
  };
  const row = (resource) =>
    h(
      "tr",
      {},
      COLUMNS.map(({ cell, class: kind, header }) =>
        h(header ? "th" : "td", { class: kind, scope: header && "row" }, cell(resource, project)),
      ),
    );
  return h(
    "div",
    { class: "table-frame", tabindex: "0", role: "region", "aria-label": "Resources" },
    h(
      "table",
      { class: "table collection" },
      h("caption", { class: "visually-hidden" }, "Resources; the headings sort"),
      h("thead", {}, h("tr", {}, COLUMNS.map(head))),
      h("tbody", { onkeydown: walk }, results.map(row)),
    ),
  );
}

/** Moves the focus between rows with the arrow keys. */
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll("th a")];
  const at = links.findIndex((link) => link.closest("tr").contains(document.activeElement));
  event.preventDefault();
  links[at + step]?.focus();
}

/** A resource's link: its key above its ID. */
export function nameCell({ id, key }, project) {
  return h(
    "a",
    { class: "name", href: addressOf({ project, view: "resource", id }) },
    h("span", { class: "clip" }, key ?? id),
    key !== undefined && h("span", { class: "mono muted small clip" }, id),
  );
}

const none = () => h("span", { class: "muted", "aria-label": "none" }, "–");

function numbersCell(numbers) {
  if (numbers.length === 0) return none();
  return h(
    "span",
    { class: "numbers" },
    sparkline(numbers, { name: "Integers", small: true }),
    h("span", { class: "clip" }, numbers.slice(0, 4).join(", "), numbers.length > 4 && " …"),
  );
}

function textsCell(texts) {
  if (texts.length === 0) return none();
  return h("span", { class: "clip" }, texts.slice(0, 3).join(", "), texts.length > 3 && ` +${texts.length - 3}`);
}
