// The facets of a list: values and ranges with their counts, of which a click adds or removes a filter.

import type { ResourceModel } from "../../model/fields.js";
import type { Facets } from "../../model/query/facets.js";
import { facetText, filterTexts, sameFilter, type Extent, type Filter, type Range } from "../../model/query/filters.js";
import type { Facet, ResourceClient, SearchPage, SearchParams } from "../../pkg/browser.js";
import { placeOf } from "../../model/wording.js";
import { short } from "../values/charts.js";
import { crossButton, h, mount } from "../base/dom.js";
import { failure } from "../base/failure.js";
import { count } from "../base/format.js";
import { skeleton } from "../base/placeholders.js";
import { ChoiceCounts } from "./choice-counts.js";

type FacetRow = { label: string; count: number; filter: Filter };

/** What the facets count: the matches of `params`. */
export interface Counted {
  client: ResourceClient;
  params: SearchParams;
  filters: readonly Filter[];
  /** The fields that a person chose; without them, those that help. */
  chosen: readonly string[] | undefined;
  /**
   * The condition of the list, if it has one, with the filters of other fields. The facets of a search do not count
   * its matches (operation 12 has no `where`).
   */
  conditions: ((field: string) => readonly string[]) | undefined;
}

interface FacetPanelOptions {
  model: ResourceModel;
  facets: Facets;
  toggle: (filter: Filter) => unknown;
  choose: (names: readonly string[]) => unknown;
}

const SHOWN = 8;

/** The panel beside a list. It is read after the list, and again after each change. */
export class FacetPanel {
  element = h("aside", { class: "facets stack wide-gap", "aria-label": "Filters", hidden: true });
  #options;
  /** The extents of ranged fields for the text, without filters, so that ranges do not move while filters are added. */
  #extents = new Map<string, Extent | undefined>();
  #extentsOf = "";
  #controller = new AbortController();
  /** Facets that are not shown yet. */
  #newest: (() => void) | undefined;
  /** Whether a person waits for facets: those that are shown belong to another list. */
  #isAwaited = false;

  constructor(options: FacetPanelOptions) {
    this.#options = options;
    // When a person leaves the facets, the browser still says that they are in use.
    for (const type of ["pointerleave", "focusout"])
      this.element.addEventListener(type, () => setTimeout(() => this.#renew()));
  }

  stop() {
    this.#controller.abort();
  }

  /** Reads and shows the facets. With `isLate`, no value moves while a person is about to choose one. */
  async load(counted: Counted, { isLate = false } = {}) {
    if (this.element.hidden) return;
    this.#controller.abort();
    const { signal } = (this.#controller = new AbortController());
    if (this.element.childElementCount === 0) mount(this.element, skeleton(12));
    if (!isLate) {
      this.#newest = undefined;
      this.#isAwaited = true;
    }
    const names = counted.chosen ?? this.#tried(counted.filters);
    try {
      const found = await this.#read(names, counted, signal);
      this.#newest = () => this.#show(names, found, counted);
      this.#renew();
    } catch (error) {
      if (!signal.aborted && this.#isAwaited) mount(this.element, failure(error));
    }
  }

  /** Adds and removes filters of a value that has the focus, which the new one gets. */
  async toggle(filter: Filter) {
    const focused = document.activeElement;
    const facet = focused?.closest(".facet")?.getAttribute("aria-label");
    const value = focused?.querySelector(".clip")?.textContent;
    await this.#options.toggle(filter);
    const box = [...this.element.querySelectorAll(".facet")].find((one) => one.getAttribute("aria-label") === facet);
    const rows = [...(box?.querySelectorAll<HTMLElement>(".facet-value") ?? [])];
    rows.find((row) => row.querySelector(".clip")?.textContent === value)?.focus();
  }

  #tried(filters: readonly Filter[]) {
    // No facet moves when a person chooses one of its values.
    return [...new Set([...this.#options.facets.first, ...filters.map(({ field }) => field)])];
  }

  async #read(names: readonly string[], counted: Counted, signal: AbortSignal): Promise<SearchPage> {
    const { model, facets } = this.#options;
    const { client, params, filters } = counted;
    const text = JSON.stringify(params);
    if (this.#extentsOf !== text) this.#extents.clear();
    this.#extentsOf = text;
    const ranged = names.filter((name) => facets.kindOf(name) === "ranges");
    const unknown = ranged.filter((name) => !this.#extents.has(name));
    const read = (facet: readonly string[], more = {}) =>
      client.search({ ...params, ...more, facet, limit: 0 }, { signal });
    if (unknown.length > 0) {
      const found = await read(unknown.map((name) => facetText(name, "ranges", model)));
      for (const name of unknown) this.#extents.set(name, extentOf(found, name));
    }
    // Each filter narrows all facets except its own, so that a second value can be chosen.
    const found = await read(
      names.map((name) => facetText(name, facets.kindOf(name), model, this.#extents.get(name))),
      { "filter.facets": filterTexts(filters, model) },
    );
    if (!ranged.some((name) => isBeyond(extentOf(found, name), this.#extents.get(name)))) return found;
    // Others have written numbers outside of the known ranges.
    this.#extents.clear();
    return this.#read(names, counted, signal);
  }

  #renew() {
    if (this.#isAwaited || !this.element.matches(":hover, :focus-within")) this.#newest?.();
  }

  #show(names: readonly string[], found: SearchPage, counted: Counted) {
    this.#newest = undefined;
    this.#isAwaited = false;
    const { filters, chosen, conditions } = counted;
    const { model, facets, choose } = this.#options;
    const counts = conditions && new ChoiceCounts(model, counted.client, conditions);
    const filtered = new Set(filters.map(({ field }) => field));
    const shown = chosen ?? facets.helpful(names, found.facets, filtered);
    const box = (field: string) =>
      facetBox({
        field,
        label: labelAt(model, field),
        rows:
          facets.kindOf(field) === "terms"
            ? termRows(field, found.facets[field])
            : rangeRows(field, model.isWhole(field), found.facets[field]),
        facet: found.facets[field],
        filters,
        counts,
        toggle: (filter) => this.toggle(filter),
        remove: () => choose(shown.filter((name) => name !== field)),
      });
    mount(
      this.element,
      shown.map(box),
      shown.length === 0 && h("p", { class: "muted small" }, "No field has values that several resources share."),
      facetAdder(
        [...facets.all.keys()].filter((name) => !shown.includes(name)),
        (name) => labelAt(model, name),
        (name) => choose([...shown, name]),
      ),
    );
    void counts?.read(this.#controller.signal);
  }
}

interface FacetBoxOptions {
  field: string;
  label: string;
  rows: FacetRow[];
  facet: Facet | undefined;
  filters: readonly Filter[];
  counts: ChoiceCounts | undefined;
  toggle: (filter: Filter) => unknown;
  remove: () => unknown;
}

/** A facet's box: clickable values with their counts and bars. */
function facetBox({ field, label, rows, facet, filters, counts, toggle, remove }: FacetBoxOptions) {
  const hasCounts = counts === undefined;
  const top = Math.max(1, ...rows.map((row) => row.count));
  const line = ({ label, count: number, filter }: FacetRow) => {
    const pressed = filters.some((one) => sameFilter(one, filter));
    return h(
      "li",
      h(
        "button",
        { type: "button", class: "facet-value", "aria-pressed": String(pressed), onclick: () => toggle(filter) },
        h("span", { class: "clip" }, label),
        counts ? counts.place(filter) : h("span", { class: "numeric muted" }, count(number)),
        hasCounts && h("span", { class: "bar", "aria-hidden": "true", vars: { "--share": String(number / top) } }),
      ),
    );
  };
  const { missing = 0, other = 0 } = facet?.type === "terms" ? facet : {};
  const notes = [
    hasCounts && missing > 0 && `${count(missing)} without a value`,
    (rows.length > SHOWN || other > 0) && `the ${Math.min(rows.length, SHOWN)} most frequent`,
  ].filter((note) => note !== false);
  return h(
    "section",
    { class: "facet stack tight", "aria-label": `Facet ${field}` },
    h("div", { class: "row" }, h("h2", label), crossButton(`Remove the facet ${field}`, remove)),
    rows.length === 0
      ? h("p", { class: "muted small" }, "No values.")
      : h("ul", chosenFirst(rows, filters).slice(0, SHOWN).map(line)),
    notes.length > 0 && h("p", { class: "muted small" }, notes.join(", ")),
  );
}

/** Puts the chosen values first, so that they remain visible even if their counts are low. */
function chosenFirst(rows: FacetRow[], filters: readonly Filter[]) {
  const chosen = ({ filter }: FacetRow) => filters.some((one) => sameFilter(one, filter));
  return rows.length <= SHOWN ? rows : [...rows.filter(chosen), ...rows.filter((row) => !chosen(row))];
}

function termRows(field: string, facet: Facet | undefined): FacetRow[] {
  if (facet?.type !== "terms") return [];
  const { dataType } = facet;
  return facet.terms.map(({ term: text, count }) => {
    const term = dataType === "number" ? Number(text) : dataType === "boolean" ? text === "true" : text;
    return { label: termLabel(term), count, filter: { field, term } };
  });
}

const termLabel = (term: string | number | boolean) =>
  typeof term === "boolean" ? (term ? "Yes" : "No") : term === "" ? "empty text" : String(term);

/** Returns the name of a field for people. */
const labelAt = (model: ResourceModel, name: string) =>
  placeOf(model.fields, model.find(name)?.path ?? [name])?.label ?? name;

function rangeRows(field: string, isWhole: boolean, facet: Facet | undefined): FacetRow[] {
  if (facet?.type !== "range") return [];
  return facet.ranges
    .filter(({ fromStr }) => fromStr !== "")
    .map(({ from, to, count }) => ({
      label: rangeLabel({ from, to }, isWhole),
      count,
      filter: { field, from, to },
    }));
}

function rangeLabel({ from, to }: Range, isWhole: boolean) {
  if (!isWhole) return `${short(from)} to below ${short(to)}`;
  return to - 1 === from ? String(from) : `${count(from)} to ${count(to - 1)}`;
}

/** A chip that shows a filter and removes it. */
export function filterChip(filter: Filter, model: ResourceModel, remove: () => unknown) {
  const { field, term } = filter;
  const value = term === undefined ? rangeLabel(filter, model.isWhole(field)) : termLabel(term);
  const text = `${labelAt(model, field)}: ${value}`;
  return chip(text, `Remove the filter ${text}`, remove);
}

/** A chip that removes what it names. */
export const chip = (text: string, label: string, remove: () => unknown) =>
  h(
    "button",
    { class: "chip", type: "button", "aria-label": label, onclick: remove },
    h("span", { class: "clip" }, text),
    h("span", { "aria-hidden": "true" }, "✕"),
  );

/** The select that adds the facet of a field. */
function facetAdder(names: readonly string[], label: (name: string) => string, add: (name: string) => unknown) {
  return h(
    "select",
    { "aria-label": "Add a facet", onchange: ({ currentTarget }) => add(currentTarget.value) },
    h("option", { value: "" }, "Add a field…"),
    names.map((name) => h("option", { value: name }, label(name))),
  );
}

/** Returns the extent of all numbers of a field, with the filters of others. */
function extentOf(found: SearchPage, name: string): Extent | undefined {
  const facet = found.facets[name];
  return facet?.type === "range" ? facet.ranges[0] : undefined;
}

/** Returns whether there are numbers outside of an extent. */
const isBeyond = (newest: Extent | undefined, known: Extent | undefined) =>
  newest !== undefined &&
  newest.count > 0 &&
  (known === undefined || known.count === 0 || newest.min < known.min || newest.max > known.max);
