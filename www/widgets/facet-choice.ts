// The choice of facets: the select that adds one, and the part of the page that shows them.

import { rangeFacets, termFacets } from "../model/fields.js";
import type { FacetKind } from "../model/filters.js";
import type { State } from "../model/search-state.js";
import { h } from "./dom.js";
import type { Change } from "./search-form.js";

/**
 * Creates the select that adds a facet. Choosing one replaces the field's other facet and removes the field's filters.
 */
export function facetAdder({ facets, filters }: State, change: Change) {
  const free = (names: readonly string[], kind: FacetKind) =>
    names
      .filter((name) => !facets.some(([other, its]) => other === name && its === kind))
      .map((name) => h("option", { value: `${name} ${kind}` }, name));
  const select = h(
    "select",
    { "aria-label": "Add a facet" },
    h("option", { value: "" }, "Add a facet…"),
    h("optgroup", { label: "Values" }, free(termFacets, "terms")),
    h("optgroup", { label: "Ranges" }, free(rangeFacets, "ranges")),
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
