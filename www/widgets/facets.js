// Facets: what is requested, how the results are drawn, and the filters that a click adds.

import { h } from "./dom.js";
import { count } from "./common.js";
import { isWhole, rangeFacets } from "../model/fields.js";
import { short } from "./charts.js";

const BUCKETS = 6;
const SHOWN = 8;

/** A range filter starts at `from` and ends before `to`. A term filter has one value. */
export const sameFilter = (a, b) => a.field === b.field && a.term === b.term && a.from === b.from && a.to === b.to;

/** Returns the filters as parameters: OR within a field, AND between fields. */
export function filterTexts(filters) {
  const fields = [...new Set(filters.map(({ field }) => field))];
  return fields.flatMap((field) => {
    const mine = filters.filter((filter) => filter.field === field);
    const terms = mine
      .filter(({ term }) => term !== undefined)
      .map(({ term }) => (typeof term === "number" ? String(term) : JSON.stringify(term)));
    const ranges = mine
      .filter(({ term }) => term === undefined)
      .map(({ from, to }) => `(${from} to ${below(to, isWhole(field))})`);
    // One parameter holds either terms or ranges. A field is shown as one of them, so they are never mixed.
    return [
      ...(terms.length > 0 ? [`${field}:${terms.join(",")}`] : []),
      ...(ranges.length > 0 ? [`${field}:range${ranges.join(",")}`] : []),
    ];
  });
}

/**
 * Returns the greatest number below. Ranges of filters include their end; ranges of facets do not (contract, section
 * 6).
 */
export function below(number, whole) {
  if (whole) return number - 1;
  if (number === 0) return -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + (number > 0 ? -1n : 1n));
  return view.getFloat64(0);
}

/** Returns ranges of a round width that cover a field's values. */
export function ranges({ min, max }, whole) {
  const span = max - min;
  if (!Number.isFinite(span) || !Number.isFinite(max * 2)) return [];
  const rough = span / BUCKETS || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough);
  const width = whole ? Math.max(1, Math.round(factor * power)) : factor * power;
  // Compare the numbers as they are shown: 6 × 0.05 is a little more than 0.3.
  const edge = (at) => tidy(at * width);
  let start = Math.floor(min / width);
  if (edge(start) > min) start -= 1;
  const all = [];
  for (let at = start; edge(at) <= max && all.length <= BUCKETS + 2; at++)
    all.push({ from: edge(at), to: edge(at + 1) });
  // If the numbers are too large for the step to change them, there are no ranges.
  return all.every(({ from, to }) => from < to) ? all : [];
}

const tidy = (number) => Number(number.toPrecision(12));

/**
 * Returns the facet to request, with or without a known range of its field. Returns `undefined` if the field's values
 * cannot be divided into ranges.
 */
export function facetText(field, kind, extent) {
  if (kind === "terms") return field;
  if (extent === undefined) return `${field}:range(* to *)`;
  const all = ranges(extent, isWhole(field));
  return all.length === 0 ? undefined : `${field}:range${all.map(({ from, to }) => `(${from} to ${to})`).join(",")}`;
}

/** Returns whether a field can be shown as terms and as ranges. */
export const hasRanges = (field) => rangeFacets.includes(field);

/** A facet's box: clickable values with their counts and bars. `toggle(filter)` adds or removes a filter. */
export function facetBox({ field, kind, facet, filters, toggle, remove }) {
  const rows = kind === "terms" ? termRows(field, facet) : rangeRows(field, facet);
  const top = Math.max(1, ...rows.map((row) => row.count));
  const line = ({ label, count: number, filter }) => {
    const pressed = filters.some((one) => sameFilter(one, filter));
    return h(
      "li",
      {},
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
  if (facet?.missing > 0) notes.push(`${count(facet.missing)} without`);
  if (rows.length > SHOWN || facet?.other > 0) notes.push(`the ${Math.min(rows.length, SHOWN)} most frequent`);
  return h(
    "section",
    { class: "facet", "aria-label": `Facet ${field}` },
    h(
      "div",
      { class: "row" },
      h("h3", { class: "named" }, field),
      h(
        "button",
        { class: "button quiet small", type: "button", "aria-label": `Remove the facet ${field}`, onclick: remove },
        "✕",
      ),
    ),
    rows.length === 0
      ? h("p", { class: "muted small" }, "No values here.")
      : h("ul", {}, chosenFirst(rows, filters).slice(0, SHOWN).map(line)),
    notes.length > 0 && h("p", { class: "muted small" }, notes.join(", ")),
  );
}

/** Puts the chosen values first, so that they remain visible even if their counts are low. */
function chosenFirst(rows, filters) {
  const chosen = ({ filter }) => filters.some((one) => sameFilter(one, filter));
  return rows.length <= SHOWN ? rows : [...rows.filter(chosen), ...rows.filter((row) => !chosen(row))];
}

function termRows(field, facet) {
  const number = facet?.dataType === "number";
  return (facet?.terms ?? []).map(({ term, count }) => {
    const value = number ? Number(term) : term;
    return { label: number ? String(value) : term === "" ? "empty text" : term, count, filter: { field, term: value } };
  });
}

function rangeRows(field, facet) {
  return (facet?.ranges ?? [])
    .filter(({ fromStr }) => fromStr !== "")
    .map(({ from, to, count }) => ({
      label: rangeLabel({ from, to }, isWhole(field)),
      count,
      filter: { field, from, to },
    }));
}

function rangeLabel({ from, to }, whole) {
  if (!whole) return `${short(from)} to below ${short(to)}`;
  return to - 1 === from ? String(from) : `${count(from)} to ${count(to - 1)}`;
}

/** A chip that shows a filter and removes it. */
export function filterChip(filter, remove) {
  const { field, term } = filter;
  const said = term !== undefined ? String(term) : rangeLabel(filter, isWhole(field));
  return h(
    "button",
    { class: "chip", type: "button", "aria-label": `Remove the filter ${field}: ${said}`, onclick: remove },
    h("span", { class: "clip" }, `${field}: ${said}`),
    h("span", { "aria-hidden": "true" }, "✕"),
  );
}
