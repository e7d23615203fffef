// Search: words, match mode, facets as filters, and results. The address contains its state.

import { Facets, type Facet } from "../model/query/facets.js";
import { facetText, filterTexts, sameFilter, type Extent, type Filter } from "../model/query/filters.js";
import { readState, writeState, type SearchState } from "../model/query/search-state.js";
import type { Resource, ResourceClient, SearchParams, SearchPage } from "../pkg/browser.js";
import { setAddress } from "../state/address.js";
import { button, h, mount } from "../widgets/base/dom.js";
import { facetAdder, facetBox, facetDrawer, filterChip } from "../widgets/search/facets.js";
import { foundResource } from "../widgets/search/found-resource.js";
import { failureOf, failureView } from "../widgets/base/failure.js";
import { plural } from "../widgets/base/format.js";
import { renew } from "../widgets/base/renew.js";
import { LiveRows } from "../widgets/list/live-rows.js";
import { pager } from "../widgets/list/pager.js";
import { emptyPage, emptyView, skeleton } from "../widgets/base/placeholders.js";
import { SearchForm } from "../widgets/search/search-form.js";
import type { ViewContext } from "./context.js";

export class Search {
  element;
  #project;
  #model;
  #offered;
  #state;
  #form;
  /** The extents of ranged fields for the text, without filters, so that ranges do not move while filters are added. */
  #extents = new Map<string, Extent | undefined>();
  #extentsOf = "";
  /** How many resources were found. `undefined` if the search failed. */
  #total: number | undefined;
  /** A page whose facets are not shown yet. */
  #newest: SearchPage | undefined;
  #follow;
  #rows = new LiveRows({
    row: (resource) => this.#row(resource),
    parts: ".row, .snippets > div",
    load: () => this.#load(),
  });
  #pager = h("div");
  #chips = h("div", { class: "toolbar", role: "group", "aria-label": "Filters" });
  #facets = h("div", { class: "stack wide-gap" }, skeleton(12));
  #results = h("div", { class: "stack" }, skeleton(12));
  #status = h("p", { class: "muted", role: "status" });

  constructor({ address, project, model, onLeave, follow }: ViewContext) {
    this.#follow = follow;
    this.#project = project;
    this.#model = model;
    this.#offered = new Facets(model);
    this.#state = readState(address.params, this.#offered);
    this.#form = new SearchForm(this.#state, (changes, options) => this.#change(changes, options));
    onLeave(() => this.#form.stop());
    const found = h(
      "section",
      { class: "stack", "aria-label": "Results" },
      h("div", { class: "toolbar" }, this.#status, this.#rows.news, this.#chips),
      this.#results,
    );
    this.element = h(
      "div",
      { class: "stack wide-gap" },
      h("h1", "Search"),
      this.#form.element,
      h("div", { class: "search" }, facetDrawer(this.#facets, onLeave), found),
    );
    // When a person leaves the facets, the browser still says that they are in use.
    for (const type of ["pointerleave", "focusout"])
      this.#facets.addEventListener(type, () => setTimeout(() => this.#renewFacets()));
    void this.#load();
  }

  #change(changes: Partial<SearchState>, { replace = false } = {}) {
    Object.assign(this.#state, { offset: 0 }, changes);
    const params = writeState(this.#state, this.#offered);
    setAddress({ project: this.#project, view: "search", params }, { replace });
    return this.#load();
  }

  /** Adds or removes a filter. */
  async #toggle(filter: Filter) {
    const { filters } = this.#state;
    const others = filters.filter((one) => !sameFilter(one, filter));
    const facet = document.activeElement?.closest(".facet")?.getAttribute("aria-label");
    const value = document.activeElement?.querySelector(".clip")?.textContent;
    await this.#change({ filters: others.length < filters.length ? others : [...filters, filter] });
    focusFacetValue(this.#facets, facet, value);
  }

  async #load() {
    mount(
      this.#chips,
      this.#state.filters.map((filter) =>
        filterChip(filter, this.#model.isWhole(filter.field), () => this.#toggle(filter)),
      ),
    );
    this.#results.setAttribute("aria-busy", "true");
    this.#form.markLevel(undefined);
    try {
      const found = await this.#follow({
        read: (client, signal) => this.#search(client, signal),
        show: (found) => this.#refresh(found),
        onChange: (change) => this.#rows.note(change),
      });
      this.#show(found);
    } catch (error) {
      this.#fail(error);
    }
    this.#results.removeAttribute("aria-busy");
  }

  async #search(client: ResourceClient, signal: AbortSignal): Promise<SearchPage> {
    await this.#measure(client, signal);
    const found = await client.search(this.#params(), { signal });
    if (!this.#state.facets.some(([name]) => isBeyond(extentOf(found, name), this.#extents.get(name)))) return found;
    // Others have written numbers outside of the known ranges.
    this.#extents.clear();
    return this.#search(client, signal);
  }

  /** Loads the extents of the ranged fields, once per text. */
  async #measure(client: ResourceClient, signal: AbortSignal) {
    const text = textParams(this.#state);
    const key = JSON.stringify(text);
    if (this.#extentsOf !== key) this.#extents.clear();
    this.#extentsOf = key;
    const unknown = this.#state.facets.filter(([name, kind]) => kind === "ranges" && !this.#extents.has(name));
    if (unknown.length === 0) return;
    const facet = unknown.map((one) => facetText(one, this.#model));
    const found = await client.search({ ...text, facet, limit: 0 }, { signal });
    for (const [name] of unknown) this.#extents.set(name, extentOf(found, name));
  }

  /** Returns the parameters of the search. */
  #params(): SearchParams {
    const { facets, limit, offset } = this.#state;
    const filters = filterTexts(this.#state.filters, this.#model);
    const facet = facets.map((one) => facetText(one, this.#model, this.#extents.get(one[0])));
    // Each filter narrows the results and all facets except its own, so that a second value can be chosen.
    return {
      ...textParams(this.#state),
      filter: filters,
      "filter.facets": filters,
      facet,
      limit,
      offset,
    };
  }

  /** Shows what others have changed. */
  #refresh(found: SearchPage) {
    if (this.#total === undefined) return;
    const { total = 0 } = found;
    if (!this.#rows.update(found.results)) return total === this.#total ? undefined : this.#show(found);
    this.#count(total);
    renew(this.#pager, h("div", this.#pagerOf(found)), ".pager > *");
    this.#newest = found;
    this.#renewFacets();
  }

  /** Shows the newest facets. No value moves while a person is about to choose one. */
  #renewFacets() {
    if (this.#newest !== undefined && !this.#facets.matches(":hover, :focus-within")) this.#showFacets(this.#newest);
  }

  #count(total: number) {
    this.#total = total;
    const text = plural(total, "resource");
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  #showFacets(found: SearchPage) {
    this.#newest = undefined;
    const { facets, filters } = this.#state;
    const remove = (name: string) =>
      this.#change({
        facets: facets.filter(([other]) => other !== name),
        filters: filters.filter(({ field }) => field !== name),
      });
    const box = ([name, kind]: Facet) =>
      facetBox({
        field: name,
        kind,
        isWhole: this.#model.isWhole(name),
        facet: found.facets[name],
        filters,
        toggle: (filter) => this.#toggle(filter),
        remove: () => remove(name),
      });
    mount(
      this.#facets,
      facets.map(box),
      facetAdder(this.#offered, this.#state, (changes) => this.#change(changes)),
    );
  }

  #show(found: SearchPage) {
    const { total = 0, results } = found;
    this.#showFacets(found);
    this.#count(total);
    this.#rows.start();
    if (results.length === 0) return void mount(this.#results, this.#nothing(total));
    const list = h("ul", { class: "found stack near" });
    this.#rows.start(list, results);
    mount(this.#pager, this.#pagerOf(found));
    mount(this.#results, list, this.#pager);
  }

  #row(resource: Resource) {
    const { text } = this.#state;
    const words = text.split(/\s+/).filter(Boolean);
    const options = { words, model: this.#model, project: this.#project, isOpen: isOpen(text) };
    return h("li", { class: "card stack snug" }, foundResource(resource, options));
  }

  #pagerOf({ count, total = 0 }: SearchPage) {
    const { offset, limit } = this.#state;
    return pager({ offset, limit, shown: count, total }, (place) => this.#change(place));
  }

  #nothing(total: number) {
    if (total > 0) return emptyPage(() => this.#change({ offset: 0 }));
    const { filters, text, fuzzy } = this.#state;
    const clear = (label: string, changes: Partial<SearchState>) =>
      button(label, () => {
        this.#form.set({ ...this.#state, ...changes });
        void this.#change(changes);
      });
    if (filters.length > 0)
      return emptyView("No matches", "No resource matches all filters.", clear("Remove the filters", { filters: [] }));
    if (text.trim() === "")
      return emptyView("No resources yet", "This project is empty, so there is nothing to search.");
    return emptyView(
      "No matches",
      "No resource contains all these words.",
      !fuzzy && clear("Allow typos", { fuzzy: true }),
      clear("Clear the text", { text: "" }),
    );
  }

  #fail(error: unknown) {
    this.#total = undefined;
    this.#status.textContent = "";
    this.#rows.start();
    const { errors = [] } = failureOf(error);
    if (errors.some(({ parameter }) => parameter === "prefix"))
      return mount(
        this.#results,
        emptyView("Type on", "Too many words begin like this. Type another letter, or a space to end the word."),
      );
    const about = errors.find(({ parameter }) => parameter === "fuzzyLevel");
    if (about === undefined)
      return mount(
        this.#results,
        failureView(error, () => this.#load()),
      );
    this.#form.markLevel(
      about.reason === "range"
        ? `Expected at most ${about.maximum}. The maximum depends on the longest word.`
        : about.message,
    );
    return mount(this.#results);
  }
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

/** Returns whether the last word may be the beginning of a longer one. */
const isOpen = (text: string) => /\S$/.test(text);

/** Returns the parameters of the words and the match mode. */
function textParams({ text, language, fuzzy, level }: SearchState) {
  return {
    text: text.trim() === "" ? undefined : { [language]: text },
    fuzzy: fuzzy || undefined,
    fuzzyLevel: fuzzy && level !== "" ? Number(level) : undefined,
    // While a person types, the last word is not complete. A space ends it.
    prefix: isOpen(text) || undefined,
  };
}

/** Restores the focus after the facets are drawn again. */
function focusFacetValue(facets: HTMLElement, facet: string | null | undefined, value: string | null | undefined) {
  const box = [...facets.querySelectorAll(".facet")].find((one) => one.getAttribute("aria-label") === facet);
  const rows = [...(box?.querySelectorAll<HTMLElement>(".facet-value") ?? [])];
  rows.find((row) => row.querySelector(".clip")?.textContent === value)?.focus();
}
