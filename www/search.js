// Search: words, how exactly they must match, facets that narrow, and what was found. What is shown stands in the address.

import { debounce, field, h, mount } from "./dom.js";
import { noteAddress } from "./address.js";
import { emptyView, failureView, plural, skeleton, time } from "./parts.js";
import { FURTHEST, pager, whole } from "./paging.js";
import { facetBox, facetText, filterChip, filterTexts, hasRanges, sameFilter } from "./facets.js";
import { arrays, rangeFacets, termFacets, texts } from "./fields.js";
import { nameCell } from "./collection.js";

const QUIET_MS = 200;
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "en-US", "de-AT", "de-CH", "fr-CH"];
const FIRST_FACETS = [...arrays.filter(({ kind }) => kind === "texts").map(({ name }) => [name, "terms"]), ...arrays.filter(({ kind, whole, pair }) => kind === "numbers" && !pair && whole === false).slice(0, 1).map(({ name }) => [name, "ranges"]), ["someProperty", "terms"]];

/** The view. */
export function searchView({ address, client, project, onLeave }) {
  const state = read(address.params);
  // What ranged fields hold under the text, whatever the filters: ranges stay where they are while one narrows.
  const extents = new Map();
  let extentsOf;
  let controller = new AbortController();
  onLeave(() => controller.abort());

  const chips = h("div", { class: "toolbar", role: "group", "aria-label": "Filters" });
  const facets = h("div", { class: "facets" }, skeleton(12));
  const results = h("div", { class: "stack" }, skeleton(12));
  const status = h("p", { class: "muted", role: "status" });

  function change(changes, { replace = false } = {}) {
    Object.assign(state, { offset: 0 }, changes);
    noteAddress({ project, view: "search", params: written(state) }, { replace });
    return load();
  }

  function toggle(filter) {
    const others = state.filters.filter((one) => !sameFilter(one, filter));
    const label = document.activeElement?.closest(".facet")?.getAttribute("aria-label");
    const said = document.activeElement?.querySelector(".clip")?.textContent;
    change({ filters: others.length < state.filters.length ? others : [...others, filter] }).then(() => refocus(facets, label, said));
  }

  async function load() {
    controller.abort();
    const { signal } = (controller = new AbortController());
    mount(chips, state.filters.map((filter) => filterChip(filter, () => toggle(filter))));
    results.setAttribute("aria-busy", "true");
    form.wrong(undefined);
    try {
      await measure(signal);
      const filters = filterTexts(state.filters);
      const asked = state.facets.filter(([name, kind]) => kind === "terms" || extents.get(name)?.count > 0);
      const found = await client.search(
        { ...asText(state), filter: filters, "filter.facets": filters, facet: asked.map(([name, kind]) => facetText(name, kind, extents.get(name))).filter((text) => !text.endsWith(":range")), limit: state.limit, offset: state.offset },
        { signal },
      );
      show(found);
    } catch (error) {
      if (!signal.aborted) fail(error);
    } finally {
      if (!signal.aborted) results.removeAttribute("aria-busy");
    }
  }

  /** Learns what the ranged fields hold, once for a text. */
  async function measure(signal) {
    const key = JSON.stringify(asText(state));
    if (extentsOf !== key) extents.clear();
    extentsOf = key;
    const unknown = state.facets.filter(([name, kind]) => kind === "ranges" && !extents.has(name));
    if (unknown.length === 0) return;
    const found = await client.search({ ...asText(state), facet: unknown.map(([name]) => facetText(name, "ranges")), limit: 0 }, { signal });
    for (const [name] of unknown) extents.set(name, found.facets[name].ranges[0]);
  }

  function show(found) {
    const box = ([name, kind]) =>
      facetBox({ field: name, kind, facet: found.facets[name], filters: state.filters, toggle, remove: () => change({ facets: state.facets.filter(([other]) => other !== name), filters: state.filters.filter((filter) => filter.field !== name) }) });
    mount(facets, state.facets.map(box), adder());
    status.textContent = plural(found.total, "resource");
    const words = state.text.split(/\s+/).filter(Boolean);
    mount(results, found.total === 0 ? nothing() : [h("ul", { class: "found" }, found.results.map((resource) => h("li", { class: "card" }, result(resource, words, project)))), pager({ offset: state.offset, limit: state.limit, shown: found.count, total: found.total }, change)]);
  }

  function nothing() {
    const clear = (label, changes) => h("button", { class: "button", type: "button", onclick: () => {
      form.set({ ...state, ...changes });
      change(changes);
    } }, label);
    if (state.filters.length > 0) return emptyView("Nothing matches", "No resource passes all filters.", clear("Remove the filters", { filters: [] }));
    if (state.text.trim() === "") return emptyView("No resources yet", "There is nothing to search in this project.");
    return emptyView("Nothing matches", "No resource has all these words.", !state.fuzzy && clear("Allow typing errors", { fuzzy: true }), clear("Clear the text", { text: "" }));
  }

  function fail(error) {
    const about = error.errors?.find(({ parameter }) => parameter === "fuzzyLevel");
    if (about === undefined) return mount(results, failureView(error, load));
    form.wrong(about.message.replace(/^Malformed parameter: fuzzyLevel: e/, "E"));
    status.textContent = "";
    return mount(results);
  }

  function adder() {
    const free = (names, kind) => names.filter((name) => !state.facets.some(([other, its]) => other === name && its === kind)).map((name) => h("option", { value: `${name} ${kind}` }, name));
    const select = h("select", { "aria-label": "Add a facet", onchange: () => {
      const [name, kind] = select.value.split(" ");
      change({ facets: [...state.facets.filter(([other]) => other !== name), [name, kind]], filters: state.filters.filter((filter) => filter.field !== name) });
    } }, h("option", { value: "" }, "Add a facet…"), h("optgroup", { label: "Values" }, free(termFacets, "terms")), h("optgroup", { label: "Ranges" }, free(rangeFacets, "ranges")));
    return select;
  }

  const form = searchForm(state, change);
  load();
  return h(
    "div",
    { class: "stack wide-gap" },
    h("h1", {}, "Search"),
    form.element,
    h("div", { class: "search" }, facetDrawer(facets, onLeave), h("section", { class: "stack", "aria-label": "Results" }, h("div", { class: "toolbar" }, status, chips), results)),
  );
}

/** The facets beside the results; where there is no room for them, above and closed at first. */
function facetDrawer(facets, onLeave) {
  const narrow = matchMedia("(max-width: 60rem)");
  const drawer = h("details", { class: "facet-drawer", open: !narrow.matches }, h("summary", {}, "Facets"), facets);
  const fit = () => (drawer.open = !narrow.matches);
  narrow.addEventListener("change", fit);
  onLeave(() => narrow.removeEventListener("change", fit));
  return h("aside", { "aria-label": "Facets" }, drawer);
}

/** The words and how they must match. */
function searchForm(state, change) {
  const soon = debounce((changes) => change(changes, { replace: true }), QUIET_MS);
  const text = h("input", { type: "search", value: state.text, "aria-label": "Words", placeholder: "Words that all must occur", autofocus: true, oninput: () => soon({ text: text.value }) });
  const language = h("select", { "aria-label": "Language", value: state.language, onchange: () => change({ language: language.value }) }, [...new Set([...LANGUAGES, state.language])].map((one) => h("option", { value: one }, one)));
  const level = h("select", { value: state.level, onchange: () => change({ level: level.value }) }, [["", "automatic"], ["0", "none"], ["1", "1 letter"], ["2", "2 letters"]].map(([value, label]) => h("option", { value }, label)));
  const levels = field("Errors in a word", level);
  levels.element.hidden = !state.fuzzy;
  const fuzzy = h("input", { type: "checkbox", checked: state.fuzzy, onchange: () => {
    levels.element.hidden = !fuzzy.checked;
    if (!fuzzy.checked) level.value = "";
    change({ fuzzy: fuzzy.checked, level: level.value });
  } });
  const element = h(
    "form",
    { class: "search-form", role: "search", onsubmit: (event) => {
      event.preventDefault();
      soon.stop();
      change({ text: text.value });
    } },
    h("div", { class: "search-words" }, text, language),
    h("label", { class: "check" }, fuzzy, "Allow typing errors"),
    levels.element,
  );
  const set = (next) => {
    text.value = next.text;
    fuzzy.checked = next.fuzzy;
    levels.element.hidden = !next.fuzzy;
  };
  return { element, set, wrong: levels.error };
}

function asText({ text, language, fuzzy, level }) {
  return { text: text.trim() === "" ? undefined : { [language]: text }, fuzzy: fuzzy || undefined, fuzzyLevel: fuzzy && level !== "" ? Number(level) : undefined };
}

/** A resource that was found, with the texts in which the words occur. */
function result(resource, words, project) {
  const all = [...resource.objectTypeProperty.arrayOfStringExample.map((text) => ["arrayOfStringExample", text]), ...texts.flatMap(({ name }) => (resource[name] === undefined ? [] : [[name, resource[name]]]))];
  const hits = words.length === 0 ? all : all.filter(([, text]) => pattern(words).test(text));
  const shown = (hits.length > 0 ? hits : all).slice(0, 4);
  return [
    h("div", { class: "row" }, nameCell(resource, project), h("span", { class: "muted small" }, `version ${resource.version} · `, time(resource.lastModifiedAt))),
    shown.length > 0 && h("dl", { class: "snippets" }, shown.map(([name, text]) => h("div", {}, h("dt", { class: "muted small" }, name), h("dd", {}, marked(text, words))))),
  ];
}

const SNIPPET_CHARS = 240;

function marked(text, words) {
  const cut = text.length > SNIPPET_CHARS ? `${text.slice(0, SNIPPET_CHARS)}…` : text;
  if (words.length === 0) return cut;
  return cut.split(pattern(words)).map((part, at) => (at % 2 === 1 ? h("mark", {}, part) : part));
}

/** The words as whole words, whatever their case. */
function pattern(words) {
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, "iu");
}

/** Puts the focus back where it was before the facets were drawn anew. */
function refocus(facets, label, said) {
  if (label === undefined || label === null) return;
  const box = [...facets.querySelectorAll(".facet")].find((one) => one.getAttribute("aria-label") === label);
  [...(box?.querySelectorAll(".facet-value") ?? [])].find((one) => one.querySelector(".clip").textContent === said)?.focus();
}

/** The state that an address tells; what makes no sense is left out. */
function read(params) {
  const facets = params.getAll("facet").map((text) => text.split(" ")).filter(([name, kind]) => (kind === "terms" ? termFacets.includes(name) : kind === "ranges" && hasRanges(name)));
  const filters = [...params.getAll("term").map(termOf), ...params.getAll("range").map(rangeOf)].filter((filter) => filter !== undefined);
  return {
    text: params.get("text") ?? "",
    language: /^[a-z]{2}(-[A-Z]{2})?$/.test(params.get("language") ?? "") ? params.get("language") : "en",
    fuzzy: params.get("fuzzy") === "true",
    level: /^[012]$/.test(params.get("level") ?? "") ? params.get("level") : "",
    facets: params.has("facet") ? facets : FIRST_FACETS,
    filters,
    limit: whole(params.get("limit"), 20, 500) || 20,
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
    ...filters.map(({ field, term, from, to }) => (term === undefined ? ["range", `${field} ${from} ${to}`] : ["term", `${field} ${JSON.stringify(term)}`])),
    ["limit", limit === 20 ? "" : String(limit)],
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
