// The collection: a table to sort and page through, under a condition. What is shown stands in the address.

import { h, mount } from "./dom.js";
import { addressOf, noteAddress } from "./address.js";
import { emptyView, failureView, skeleton, time } from "./parts.js";
import { FURTHEST, LARGEST, PAGE, pager, whole } from "./paging.js";
import { PredicateBox, predicateProblem } from "./predicate.js";
import { sparkline } from "./charts.js";

const COLUMNS = [
  { label: "Key", sort: "key", cell: nameCell, header: true },
  { label: "Version", sort: "version", cell: ({ version }) => String(version), class: "end" },
  { label: "Integers", sort: "arrayOfIntExample", cell: ({ objectTypeProperty }) => numbersCell(objectTypeProperty.arrayOfIntExample), class: "wide" },
  { label: "Texts", sort: "arrayOfStringExample", cell: ({ objectTypeProperty }) => textsCell(objectTypeProperty.arrayOfStringExample), class: "wide" },
  { label: "Property", sort: "someProperty", cell: ({ someProperty }) => (someProperty === undefined ? none() : h("span", { class: "clip" }, someProperty)), class: "wide" },
  { label: "Changed", sort: "lastModifiedAt", cell: ({ lastModifiedAt }) => time(lastModifiedAt) },
  { label: "Created", sort: "createdAt", cell: ({ createdAt }) => time(createdAt), class: "wide" },
];

/** The view; `tools` are the buttons beside its heading, from the condition that is applied. */
export function collectionView({ address, client, project, onLeave, tools = () => [] }) {
  const state = read(address.params);
  let controller = new AbortController();
  onLeave(() => controller.abort());
  const list = h("div", { class: "stack" }, skeleton(12));
  const toolbar = h("div", { class: "toolbar push" });
  const box = new PredicateBox({ client, value: state.where, onLeave, apply: (where) => change({ where, offset: 0 }) });

  function change(changes) {
    Object.assign(state, changes);
    noteAddress({ project, params: written(state) });
    if (changes.where !== undefined) box.set(changes.where);
    return load();
  }

  async function load() {
    controller.abort();
    const { signal } = (controller = new AbortController());
    const { sort, limit, offset } = state;
    const where = state.where.trim() === "" ? undefined : state.where;
    mount(toolbar, tools(where));
    list.setAttribute("aria-busy", "true");
    try {
      const page = await client.query({ where, sort: sort || undefined, limit, offset }, { signal });
      mount(list, page.count === 0 ? nothing(page.total, where, { change, tools }) : [table(page.results, { project, sort, sortBy }), pager({ offset, limit, shown: page.count, total: page.total }, change)]);
    } catch (error) {
      if (!signal.aborted) mount(list, failed(error, { box, load }));
    } finally {
      if (!signal.aborted) list.removeAttribute("aria-busy");
    }
  }

  function sortBy(field) {
    const [path, direction] = state.sort.split(" ");
    // Rising, falling, and back to the order of creation.
    const next = path !== field ? `${field} asc` : direction === "desc" ? "" : `${field} desc`;
    return change({ sort: next, offset: 0 }).then(() => list.querySelector(`[data-sort="${field}"]`)?.focus());
  }

  load();
  return h("div", { class: "stack" }, h("div", { class: "toolbar" }, h("h1", {}, "Resources"), toolbar), box.element, list);
}

/** What an address says is shown. */
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

/** A condition that is wrong is explained at the condition. */
function failed(error, { box, load }) {
  if (predicateProblem(error) === undefined) return failureView(error, load);
  return emptyView("The condition is not right yet", "What is wrong with it stands under it, and the place is marked.", button("Go to the condition", () => box.focus()));
}

function nothing(total, where, { change, tools }) {
  if (total > 0) return emptyView("This page is empty", "The list is shorter now.", button("Go to the first page", () => change({ offset: 0 })));
  if (where !== undefined) return emptyView("Nothing matches", "No resource satisfies the condition.", button("Clear the condition", () => change({ where: "", offset: 0 })));
  return emptyView("No resources yet", "This project is empty. Make its first resource, or bring many from a file.", tools.start?.());
}

const button = (label, onclick) => h("button", { class: "button", type: "button", onclick }, label);

/** The resources in a table whose headings sort. */
function table(results, { project, sort: order, sortBy }) {
  const [path, direction = "asc"] = order.split(" ");
  const head = ({ label, sort, class: kind }) => {
    const sorted = path === sort ? direction : undefined;
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" }, sorted === "desc" ? "↓" : "↑");
    return h("th", { scope: "col", class: kind, "aria-sort": sorted && `${sorted}ending` }, h("button", { type: "button", class: "sort", dataset: { sort }, onclick: () => sortBy(sort) }, label, arrow));
  };
  const row = (resource) => h("tr", {}, COLUMNS.map(({ cell, class: kind, header }) => h(header ? "th" : "td", { class: kind, scope: header && "row" }, cell(resource, project))));
  return h(
    "div",
    { class: "table-frame", tabindex: "0", role: "region", "aria-label": "Resources" },
    h("table", { class: "table collection" }, h("caption", { class: "visually-hidden" }, "Resources; the headings sort"), h("thead", {}, h("tr", {}, COLUMNS.map(head))), h("tbody", { onkeydown: walk }, results.map(row))),
  );
}

/** The arrows lead from row to row. */
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll("th a")];
  const at = links.findIndex((link) => link.closest("tr").contains(document.activeElement));
  event.preventDefault();
  links[at + step]?.focus();
}

/** A resource's link: its key over its id. */
export function nameCell({ id, key }, project) {
  return h("a", { class: "name", href: addressOf({ project, view: "resource", id }) }, h("span", { class: "clip" }, key ?? id), key !== undefined && h("span", { class: "mono muted small clip" }, id));
}

const none = () => h("span", { class: "muted", "aria-label": "none" }, "–");

function numbersCell(numbers) {
  if (numbers.length === 0) return none();
  return h("span", { class: "numbers" }, sparkline(numbers, { name: "Integers", small: true }), h("span", { class: "clip" }, numbers.slice(0, 4).join(", "), numbers.length > 4 && " …"));
}

function textsCell(texts) {
  if (texts.length === 0) return none();
  return h("span", { class: "clip" }, texts.slice(0, 3).join(", "), texts.length > 3 && ` +${texts.length - 3}`);
}
