// Search: words, match mode, facets as filters, and results. The address contains its state.

import { fields, rangeFacets, termFacets } from "../model/fields.js";
import { facetText, filterTexts, sameFilter } from "../model/filters.js";
import { valueAt } from "../model/schema.js";
import { readState, writeState } from "../model/search-state.js";
import { setAddress } from "../state/address.js";
import { nameCell } from "../widgets/cells.js";
import { debounce, field, h, mount } from "../widgets/dom.js";
import { facetBox, filterChip } from "../widgets/facets.js";
import { failureOf, failureView } from "../widgets/failure.js";
import { plural, time } from "../widgets/format.js";
import { highlight, wordPattern } from "../widgets/highlights.js";
import { pager } from "../widgets/pager.js";
import { emptyView, skeleton } from "../widgets/placeholders.js";

/** @import { Resource, SearchParams, SearchResult } from "../pkg/browser.js" */
/** @import { FacetKind, Filter } from "../model/filters.js" */
/** @import { Facet, State } from "../model/search-state.js" */
/** @import { ViewContext } from "./index.js" */

/** @typedef {(changes: Partial<State>, options?: { replace?: boolean }) => Promise<void>} Change */

const QUIET_MS = 200;
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "en-US", "de-AT", "de-CH", "fr-CH"];
/** The fields whose texts are searched. */
const SEARCHED = fields.filter(({ kind }) => kind === "texts" || kind === "text");

/**
 * The view.
 * @param {ViewContext} context
 */
export function searchView(context) {
  return new Search(context).element;
}

class Search {
  #client;
  #project;
  #state;
  #form;
  /**
   * The extents of ranged fields for the text, without filters, so that ranges do not move while filters are added.
   * @type {Map<string, { min: number, max: number, count: number }>}
   */
  #extents = new Map();
  #extentsOf = "";
  #controller = new AbortController();
  #chips = h("div", { class: "toolbar", role: "group", "aria-label": "Filters" });
  #facets = h("div", { class: "facets" }, skeleton(12));
  #results = h("div", { class: "stack" }, skeleton(12));
  #status = h("p", { class: "muted", role: "status" });

  /** @param {ViewContext} context */
  constructor({ address, client, project, onLeave }) {
    this.#client = client;
    this.#project = project;
    this.#state = readState(address.params);
    this.#form = searchForm(this.#state, (changes, options) => this.#change(changes, options));
    onLeave(() => {
      this.#form.stop();
      this.#controller.abort();
    });
    const found = h(
      "section",
      { class: "stack", "aria-label": "Results" },
      h("div", { class: "toolbar" }, this.#status, this.#chips),
      this.#results,
    );
    this.element = h(
      "div",
      { class: "stack wide-gap" },
      h("h1", {}, "Search"),
      this.#form.element,
      h("div", { class: "search" }, facetDrawer(this.#facets, onLeave), found),
    );
    void this.#load();
  }

  /** @type {Change} */
  #change(changes, { replace = false } = {}) {
    Object.assign(this.#state, { offset: 0 }, changes);
    setAddress({ project: this.#project, view: "search", params: writeState(this.#state) }, { replace });
    return this.#load();
  }

  /**
   * Adds or removes a filter.
   * @param {Filter} filter
   */
  async #toggle(filter) {
    const { filters } = this.#state;
    const others = filters.filter((one) => !sameFilter(one, filter));
    const facet = document.activeElement?.closest(".facet")?.getAttribute("aria-label");
    const value = document.activeElement?.querySelector(".clip")?.textContent;
    await this.#change({ filters: others.length < filters.length ? others : [...filters, filter] });
    focusFacetValue(this.#facets, facet, value);
  }

  async #load() {
    this.#controller.abort();
    const { signal } = (this.#controller = new AbortController());
    mount(
      this.#chips,
      this.#state.filters.map((filter) => filterChip(filter, () => this.#toggle(filter))),
    );
    this.#results.setAttribute("aria-busy", "true");
    this.#form.markLevel(undefined);
    try {
      await this.#measure(signal);
      this.#show(await this.#client.search(this.#params(), { signal }));
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (!signal.aborted) this.#results.removeAttribute("aria-busy");
    }
  }

  /**
   * Loads the extents of the ranged fields, once per text.
   * @param {AbortSignal} signal
   */
  async #measure(signal) {
    const text = textParams(this.#state);
    const key = JSON.stringify(text);
    if (this.#extentsOf !== key) this.#extents.clear();
    this.#extentsOf = key;
    const unknown = this.#state.facets.filter(([name, kind]) => kind === "ranges" && !this.#extents.has(name));
    if (unknown.length === 0) return;
    const found = await this.#client.search(
      { ...text, facet: unknown.map(([name]) => `${name}:range(* to *)`), limit: 0 },
      { signal },
    );
    for (const [name] of unknown) {
      const facet = found.facets[name];
      const extent = facet?.type === "range" ? facet.ranges[0] : undefined;
      if (extent !== undefined) this.#extents.set(name, extent);
    }
  }

  /**
   * Returns the parameters of the search. A ranged field without values has no facet.
   * @returns {SearchParams}
   */
  #params() {
    const { facets, limit, offset } = this.#state;
    const filters = filterTexts(this.#state.filters);
    const facet = facets.flatMap(([name, kind]) => {
      const extent = this.#extents.get(name);
      if (kind === "ranges" && !extent?.count) return [];
      return facetText(name, kind, extent) ?? [];
    });
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

  /** @param {SearchResult} found */
  #show(found) {
    const { facets, filters, text, offset, limit } = this.#state;
    const { total = 0 } = found;
    const remove = (/** @type {string} */ name) =>
      this.#change({
        facets: facets.filter(([other]) => other !== name),
        filters: filters.filter(({ field }) => field !== name),
      });
    const box = (/** @type {Facet} */ [name, kind]) =>
      facetBox({
        field: name,
        kind,
        facet: found.facets[name],
        filters,
        toggle: (filter) => this.#toggle(filter),
        remove: () => remove(name),
      });
    mount(
      this.#facets,
      facets.map(box),
      facetAdder(this.#state, (changes) => this.#change(changes)),
    );
    this.#status.textContent = plural(total, "resource");
    if (total === 0) return mount(this.#results, this.#nothing());
    const words = text.split(/\s+/).filter(Boolean);
    const list = h(
      "ul",
      { class: "found" },
      found.results.map((resource) => h("li", { class: "card" }, result(resource, words, this.#project))),
    );
    return mount(
      this.#results,
      list,
      pager({ offset, limit, shown: found.count, total }, (place) => this.#change(place)),
    );
  }

  #nothing() {
    const { filters, text, fuzzy } = this.#state;
    const clear = (/** @type {string} */ label, /** @type {Partial<State>} */ changes) =>
      h(
        "button",
        {
          class: "button",
          type: "button",
          onclick: () => {
            this.#form.set({ ...this.#state, ...changes });
            void this.#change(changes);
          },
        },
        label,
      );
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

  /** @param {unknown} error */
  #fail(error) {
    const about = failureOf(error).errors?.find(({ parameter }) => parameter === "fuzzyLevel");
    if (about === undefined)
      return mount(
        this.#results,
        failureView(error, () => this.#load()),
      );
    this.#form.markLevel(
      about.reason === "range" ? `Expected at most ${about.maximum}, the default for the longest word.` : about.message,
    );
    this.#status.textContent = "";
    return mount(this.#results);
  }
}

/**
 * The field that adds a facet. It replaces another kind of facet of the same field, with its filters.
 * @param {State} state
 * @param {Change} change
 */
function facetAdder({ facets, filters }, change) {
  const free = (/** @type {readonly string[]} */ names, /** @type {FacetKind} */ kind) =>
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

/**
 * The facets beside the results. If there is no room, they are above and initially closed.
 * @param {HTMLElement} facets
 * @param {(run: () => void) => void} onLeave
 */
function facetDrawer(facets, onLeave) {
  const narrow = matchMedia("(max-width: 60rem)");
  const drawer = h("details", { class: "facet-drawer", open: !narrow.matches }, h("summary", {}, "Facets"), facets);
  const fit = () => (drawer.open = !narrow.matches);
  narrow.addEventListener("change", fit);
  onLeave(() => narrow.removeEventListener("change", fit));
  return h("aside", { "aria-label": "Facets" }, drawer);
}

/**
 * The words and the match mode.
 * @param {State} state
 * @param {Change} change
 */
function searchForm(state, change) {
  const soon = debounce((/** @type {Partial<State>} */ changes) => change(changes, { replace: true }), QUIET_MS);
  /** @type {HTMLInputElement} */
  const text = h("input", {
    type: "search",
    value: state.text,
    "aria-label": "Words",
    placeholder: "All words must occur",
    autofocus: true,
    oninput: () => soon({ text: text.value }),
  });
  /** @type {HTMLSelectElement} */
  const language = h(
    "select",
    { "aria-label": "Language", value: state.language, onchange: () => change({ language: language.value }) },
    [...new Set([...LANGUAGES, state.language])].map((one) => h("option", { value: one }, one)),
  );
  /** @type {HTMLSelectElement} */
  const level = h(
    "select",
    { value: state.level, onchange: () => change({ level: level.value }) },
    [
      ["", "automatic"],
      ["0", "none"],
      ["1", "1 letter"],
      ["2", "2 letters"],
    ].map(([value, label]) => h("option", { value }, label)),
  );
  const levels = field("Typos per word", level);
  levels.element.hidden = !state.fuzzy;
  const fuzzy = h("input", {
    type: "checkbox",
    checked: state.fuzzy,
    onchange: () => {
      levels.element.hidden = !fuzzy.checked;
      if (!fuzzy.checked) level.value = "";
      void change({ fuzzy: fuzzy.checked, level: level.value });
    },
  });
  const element = h(
    "form",
    {
      class: "search-form",
      role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        soon.stop();
        void change({ text: text.value });
      },
    },
    h("div", { class: "search-words" }, text, language),
    h("label", { class: "check" }, fuzzy, "Allow typos"),
    levels.element,
  );
  const set = (/** @type {State} */ next) => {
    text.value = next.text;
    fuzzy.checked = next.fuzzy;
    levels.element.hidden = !next.fuzzy;
  };
  return { element, set, stop: soon.stop, markLevel: levels.error };
}

/**
 * Returns the parameters of the words and the match mode.
 * @param {State} state
 */
function textParams({ text, language, fuzzy, level }) {
  return {
    text: text.trim() === "" ? undefined : { [language]: text },
    fuzzy: fuzzy || undefined,
    fuzzyLevel: fuzzy && level !== "" ? Number(level) : undefined,
  };
}

/**
 * A found resource, with the texts that contain the words.
 * @param {Resource} resource
 * @param {readonly string[]} words
 * @param {string} project
 */
function result(resource, words, project) {
  const all = SEARCHED.flatMap(({ name, path }) => {
    const value = valueAt(resource, path);
    return [value ?? []].flat().map((text) => ({ name, text: String(text) }));
  });
  const hits = words.length === 0 ? all : all.filter(({ text }) => wordPattern(words).test(text));
  const shown = (hits.length > 0 ? hits : all).slice(0, 4);
  return [
    h(
      "div",
      { class: "row" },
      nameCell(resource, project),
      h("span", { class: "muted small" }, `version ${resource.version} · `, time(resource.lastModifiedAt)),
    ),
    shown.length > 0 &&
      h(
        "dl",
        { class: "snippets" },
        shown.map(({ name, text }) =>
          h("div", {}, h("dt", { class: "muted small" }, name), h("dd", {}, highlight(text, words))),
        ),
      ),
  ];
}

/**
 * Restores the focus after the facets are drawn again.
 * @param {HTMLElement} facets
 * @param {string | null | undefined} facet
 * @param {string | null | undefined} value
 */
function focusFacetValue(facets, facet, value) {
  const box = [...facets.querySelectorAll(".facet")].find((one) => one.getAttribute("aria-label") === facet);
  const row = [...(box?.querySelectorAll(".facet-value") ?? [])].find(
    (one) => one.querySelector(".clip")?.textContent === value,
  );
  if (row instanceof HTMLElement) row.focus();
}
