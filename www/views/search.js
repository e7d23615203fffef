// Search: words, match mode, facets as filters, and results. The address contains its state.

import { debounce, field, h, mount } from "../widgets/dom.js";
import { noteAddress } from "../state/address.js";
import { emptyView, failureView, plural, skeleton, time } from "../widgets/common.js";
import { FURTHEST, LARGEST, PAGE, pager, whole } from "../widgets/pager.js";
import { facetBox, facetText, filterChip, filterTexts, hasRanges, sameFilter } from "../widgets/facets.js";
import { arrays, rangeFacets, termFacets, texts } from "../model/fields.js";
import { nameCell } from "./collection.js";
import { marked, wordPattern } from "../widgets/highlights.js";

const QUIET_MS = 200;
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "en-US", "de-AT", "de-CH", "fr-CH"];
// The default facets: words, and the distribution of one list of decimals.
const FIRST_FACETS = [
  ...arrays.filter(({ kind }) => kind === "texts").map(({ name }) => [name, "terms"]),
  ...arrays
    .filter(({ whole }) => whole === false)
    .slice(0, 1)
    .map(({ name }) => [name, "ranges"]),
  ...texts.slice(0, 1).map(({ name }) => [name, "terms"]),
];

/** The view. */
export function searchView(context) {
  return new Search(context).element;
}

class Search {
  #client;
  #project;
  #state;
  #form;
  // The extents of ranged fields for the text, without filters, so that ranges do not move while filters are added.
  #extents = new Map();
  #extentsOf;
  #controller = new AbortController();
  #chips = h("div", { class: "toolbar", role: "group", "aria-label": "Filters" });
  #facets = h("div", { class: "facets" }, skeleton(12));
  #results = h("div", { class: "stack" }, skeleton(12));
  #status = h("p", { class: "muted", role: "status" });

  constructor({ address, client, project, onLeave }) {
    this.#client = client;
    this.#project = project;
    this.#state = read(address.params);
    this.#form = searchForm(this.#state, (...args) => this.#change(...args));
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
    this.#load();
  }

  #change(changes, { replace = false } = {}) {
    Object.assign(this.#state, { offset: 0 }, changes);
    noteAddress({ project: this.#project, view: "search", params: written(this.#state) }, { replace });
    return this.#load();
  }

  /** Adds or removes a filter. */
  #toggle(filter) {
    const { filters } = this.#state;
    const others = filters.filter((one) => !sameFilter(one, filter));
    const label = document.activeElement?.closest(".facet")?.getAttribute("aria-label");
    const said = document.activeElement?.querySelector(".clip")?.textContent;
    this.#change({ filters: others.length < filters.length ? others : [...filters, filter] }).then(() =>
      refocus(this.#facets, label, said),
    );
  }

  async #load() {
    this.#controller.abort();
    const { signal } = (this.#controller = new AbortController());
    mount(
      this.#chips,
      this.#state.filters.map((filter) => filterChip(filter, () => this.#toggle(filter))),
    );
    this.#results.setAttribute("aria-busy", "true");
    this.#form.wrong(undefined);
    try {
      await this.#measure(signal);
      this.#show(await this.#client.search(this.#asked(), { signal }));
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (!signal.aborted) this.#results.removeAttribute("aria-busy");
    }
  }

  /** Loads the extents of the ranged fields, once per text. */
  async #measure(signal) {
    const text = asText(this.#state);
    const key = JSON.stringify(text);
    if (this.#extentsOf !== key) this.#extents.clear();
    this.#extentsOf = key;
    const unknown = this.#state.facets.filter(([name, kind]) => kind === "ranges" && !this.#extents.has(name));
    if (unknown.length === 0) return;
    const found = await this.#client.search(
      { ...text, facet: unknown.map(([name]) => facetText(name, "ranges")), limit: 0 },
      { signal },
    );
    for (const [name] of unknown) this.#extents.set(name, found.facets[name].ranges[0]);
  }

  /** Returns the parameters of the search. A ranged field without values has no facet. */
  #asked() {
    const { facets, limit, offset } = this.#state;
    const filters = filterTexts(this.#state.filters);
    const facet = facets
      .filter(([name, kind]) => kind === "terms" || this.#extents.get(name)?.count > 0)
      .map(([name, kind]) => facetText(name, kind, this.#extents.get(name)));
    // Each filter narrows the results and all facets except its own, so that a second value can be chosen.
    return {
      ...asText(this.#state),
      filter: filters,
      "filter.facets": filters,
      facet: facet.filter((text) => text !== undefined),
      limit,
      offset,
    };
  }

  #show(found) {
    const { facets, filters, text, offset, limit } = this.#state;
    const remove = (name) =>
      this.#change({
        facets: facets.filter(([other]) => other !== name),
        filters: filters.filter(({ field }) => field !== name),
      });
    const box = ([name, kind]) =>
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
    this.#status.textContent = plural(found.total, "resource");
    if (found.total === 0) return mount(this.#results, this.#nothing());
    const words = text.split(/\s+/).filter(Boolean);
    const list = h(
      "ul",
      { class: "found" },
      found.results.map((resource) => h("li", { class: "card" }, result(resource, words, this.#project))),
    );
    return mount(
      this.#results,
      list,
      pager({ offset, limit, shown: found.count, total: found.total }, (changes) => this.#change(changes)),
    );
  }

  #nothing() {
    const { filters, text, fuzzy } = this.#state;
    const clear = (label, changes) =>
      h(
        "button",
        {
          class: "button",
          type: "button",
          onclick: () => {
            this.#form.set({ ...this.#state, ...changes });
            this.#change(changes);
          },
        },
        label,
      );
    if (filters.length > 0)
      return emptyView(
        "Nothing matches",
        "No resource passes all filters.",
        clear("Remove the filters", { filters: [] }),
      );
    if (text.trim() === "") return emptyView("No resources yet", "There is nothing to search in this project.");
    return emptyView(
      "Nothing matches",
      "No resource has all these words.",
      !fuzzy && clear("Allow typing errors", { fuzzy: true }),
      clear("Clear the text", { text: "" }),
    );
  }

  #fail(error) {
    const about = error.errors?.find(({ parameter }) => parameter === "fuzzyLevel");
    if (about === undefined)
      return mount(
        this.#results,
        failureView(error, () => this.#load()),
      );
    this.#form.wrong(
      about.reason === "range" ? `Expected ${about.maximum} at most, the default of the longest word.` : about.message,
    );
    this.#status.textContent = "";
    return mount(this.#results);
  }
}

/** The field that adds a facet. It replaces another kind of facet of the same field, with its filters. */
function facetAdder({ facets, filters }, change) {
  const free = (names, kind) =>
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
    const [name, kind] = select.value.split(" ");
    change({
      facets: [...facets.filter(([other]) => other !== name), [name, kind]],
      filters: filters.filter(({ field }) => field !== name),
    });
  });
  return select;
}

/** The facets beside the results. If there is no room, they are above and initially closed. */
function facetDrawer(facets, onLeave) {
  const narrow = matchMedia("(max-width: 60rem)");
  const drawer = h("details", { class: "facet-drawer", open: !narrow.matches }, h("summary", {}, "Facets"), facets);
  const fit = () => (drawer.open = !narrow.matches);
  narrow.addEventListener("change", fit);
  onLeave(() => narrow.removeEventListener("change", fit));
  return h("aside", { "aria-label": "Facets" }, drawer);
}

/** The words and the match mode. */
function searchForm(state, change) {
  const soon = debounce((changes) => change(changes, { replace: true }), QUIET_MS);
  const text = h("input", {
    type: "search",
    value: state.text,
    "aria-label": "Words",
    placeholder: "Words that all must occur",
    autofocus: true,
    oninput: () => soon({ text: text.value }),
  });
  const language = h(
    "select",
    { "aria-label": "Language", value: state.language, onchange: () => change({ language: language.value }) },
    [...new Set([...LANGUAGES, state.language])].map((one) => h("option", { value: one }, one)),
  );
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
  const levels = field("Errors in a word", level);
  levels.element.hidden = !state.fuzzy;
  const fuzzy = h("input", {
    type: "checkbox",
    checked: state.fuzzy,
    onchange: () => {
      levels.element.hidden = !fuzzy.checked;
      if (!fuzzy.checked) level.value = "";
      change({ fuzzy: fuzzy.checked, level: level.value });
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
        change({ text: text.value });
      },
    },
    h("div", { class: "search-words" }, text, language),
    h("label", { class: "check" }, fuzzy, "Allow typing errors"),
    levels.element,
  );
  const set = (next) => {
    text.value = next.text;
    fuzzy.checked = next.fuzzy;
    levels.element.hidden = !next.fuzzy;
  };
  return { element, set, stop: soon.stop, wrong: levels.error };
}

function asText({ text, language, fuzzy, level }) {
  return {
    text: text.trim() === "" ? undefined : { [language]: text },
    fuzzy: fuzzy || undefined,
    fuzzyLevel: fuzzy && level !== "" ? Number(level) : undefined,
  };
}

/** A found resource, with the texts that contain the words. */
function result(resource, words, project) {
  const all = [
    ...resource.objectTypeProperty.arrayOfStringExample.map((text) => ["arrayOfStringExample", text]),
    ...texts.flatMap(({ name }) => (resource[name] === undefined ? [] : [[name, resource[name]]])),
  ];
  const hits = words.length === 0 ? all : all.filter(([, text]) => wordPattern(words).test(text));
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
        shown.map(([name, text]) =>
          h("div", {}, h("dt", { class: "muted small" }, name), h("dd", {}, marked(text, words))),
        ),
      ),
  ];
}

/** Restores the focus after the facets are drawn again. */
function refocus(facets, label, said) {
  if (label === undefined || label === null) return;
  const box = [...facets.querySelectorAll(".facet")].find((one) => one.getAttribute("aria-label") === label);
  [...(box?.querySelectorAll(".facet-value") ?? [])]
    .find((one) => one.querySelector(".clip").textContent === said)
    ?.focus();
}

/** Reads the state from an address. Invalid parts are left out. */
function read(params) {
  const facets = params
    .getAll("facet")
    .map((text) => text.split(" "))
    .filter(([name, kind]) => (kind === "terms" ? termFacets.includes(name) : kind === "ranges" && hasRanges(name)));
  const filters = [...params.getAll("term").map(termOf), ...params.getAll("range").map(rangeOf)].filter(
    (filter) => filter !== undefined,
  );
  return {
    text: params.get("text") ?? "",
    language: /^[a-z]{2}(-[A-Z]{2})?$/.test(params.get("language") ?? "") ? params.get("language") : "en",
    fuzzy: params.get("fuzzy") === "true",
    level: /^[012]$/.test(params.get("level") ?? "") ? params.get("level") : "",
    facets: params.has("facet") ? facets : FIRST_FACETS,
    filters,
    limit: whole(params.get("limit"), PAGE, LARGEST) || PAGE,
    offset: whole(params.get("offset"), 0, FURTHEST),
  };
}

function written({ text, language, fuzzy, level, facets, filters, limit, offset }) {
  const chosen = facets.length === 0 ? ["none"] : facets.map((facet) => facet.join(" "));
  return [
    ["text", text],
    ["language", language === "en" ? "" : language],
    ["fuzzy", fuzzy ? "true" : ""],
    ["level", level],
    ...(facets === FIRST_FACETS ? [] : chosen.map((facet) => ["facet", facet])),
    ...filters.map(({ field, term, from, to }) =>
      term === undefined ? ["range", `${field} ${from} ${to}`] : ["term", `${field} ${JSON.stringify(term)}`],
    ),
    ["limit", limit === PAGE ? "" : String(limit)],
    ["offset", offset === 0 ? "" : String(offset)],
  ];
}

function termOf(text) {
  const [name, json] = text.split(/ (.*)/s);
  try {
    const term = JSON.parse(json);
    return termFacets.includes(name) && ["string", "number"].includes(typeof term) ? { field: name, term } : undefined;
  } catch {
    return undefined;
  }
}

function rangeOf(text) {
  const [name, from, to] = text.split(" ");
  return hasRanges(name) && Number(from) < Number(to) ? { field: name, from: Number(from), to: Number(to) } : undefined;
}
