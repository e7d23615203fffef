// Facets: their values, of which a click adds or removes a filter, and the choice of facets.

import type { FacetKind, Facets } from "../../model/query/facets.js";
import { sameFilter, type Filter, type Range } from "../../model/query/filters.js";
import type { SearchState } from "../../model/query/search-state.js";
import type { Facet } from "../../pkg/browser.js";
import { short } from "../values/charts.js";
import { crossButton, h } from "../base/dom.js";
import { count } from "../base/format.js";
import type { ChangeSearch } from "./search-form.js";

type FacetRow = { label: string; count: number; filter: Filter };

const SHOWN = 8;

interface FacetBoxOptions {
  field: string;
  kind: FacetKind;
  isWhole: boolean;
  facet: Facet | undefined;
  filters: readonly Filter[];
  toggle: (filter: Filter) => unknown;
  remove: () => unknown;
}

/** A facet's box: clickable values with their counts and bars. `toggle(filter)` adds or removes a filter. */
export function facetBox({ field, kind, isWhole, facet, filters, toggle, remove }: FacetBoxOptions) {
  const rows = kind === "terms" ? termRows(field, facet) : rangeRows(field, isWhole, facet);
  const top = Math.max(1, ...rows.map((row) => row.count));
  const line = ({ label, count: number, filter }: FacetRow) => {
    const pressed = filters.some((one) => sameFilter(one, filter));
    return h(
      "li",
      h(
        "button",
        { type: "button", class: "facet-value", "aria-pressed": String(pressed), onclick: () => toggle(filter) },
        h("span", { class: "clip" }, label),
        h("span", { class: "numeric muted" }, count(number)),
        h("span", { class: "bar", "aria-hidden": "true", vars: { "--share": String(number / top) } }),
      ),
    );
  };
  const notes = [];
  const { missing = 0, other = 0 } = facet?.type === "terms" ? facet : {};
  if (missing > 0) notes.push(`${count(missing)} without a value`);
  if (rows.length > SHOWN || other > 0) notes.push(`the ${Math.min(rows.length, SHOWN)} most frequent`);
  return h(
    "section",
    { class: "facet stack tight", "aria-label": `Facet ${field}` },
    h("div", { class: "row" }, h("h3", field), crossButton(`Remove the facet ${field}`, remove)),
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
    return { label: term === "" ? "empty text" : String(term), count, filter: { field, term } };
  });
}

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
export function filterChip(filter: Filter, isWhole: boolean, remove: () => unknown) {
  const { field } = filter;
  const text = filter.term !== undefined ? String(filter.term) : rangeLabel(filter, isWhole);
  return h(
    "button",
    { class: "chip", type: "button", "aria-label": `Remove the filter ${field}: ${text}`, onclick: remove },
    h("span", { class: "clip" }, `${field}: ${text}`),
    h("span", { "aria-hidden": "true" }, "✕"),
  );
}

/**
 * Creates the select that adds a facet. Choosing one replaces the field's other facet and removes the field's filters.
 */
export function facetAdder(offered: Facets, { facets, filters }: SearchState, change: ChangeSearch) {
  const free = (kind: FacetKind) =>
    offered[kind]
      .filter((name) => !facets.some(([other, its]) => other === name && its === kind))
      .map((name) => h("option", { value: `${name} ${kind}` }, name));
  const select = h(
    "select",
    { "aria-label": "Add a facet" },
    h("option", { value: "" }, "Add a facet…"),
    h("optgroup", { label: "Values" }, free("terms")),
    h("optgroup", { label: "Ranges" }, free("ranges")),
  );
  select.addEventListener("change", () => {
    const [name = "", kind] = select.value.split(" ");
    void change({
      facets: [...facets.filter(([other]) => other !== name), [name, kind === "ranges" ? "ranges" : "terms"]],
      filters: filters.filter(({ field }) => field !== name),
    });
  });
  return select;
}

/** The facets beside the results. If there is no room, they are above and initially closed. */
export function facetDrawer(facets: HTMLElement, onLeave: (run: () => void) => void) {
  const narrow = matchMedia("(max-width: 60rem)");
  const drawer = h("details", { class: "facet-drawer", open: !narrow.matches }, h("summary", "Facets"), facets);
  const fit = () => (drawer.open = !narrow.matches);
  narrow.addEventListener("change", fit);
  onLeave(() => narrow.removeEventListener("change", fit));
  return h("aside", { "aria-label": "Facets" }, drawer);
}
