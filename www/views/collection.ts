// The list of a project's resources: one box for words and conditions, filters, and a table to sort and page through.
// The address contains its state.

import { bulkEdit } from "../forms/bulk-edit.js";
import { Columns } from "../model/query/columns.js";
import { Facets } from "../model/query/facets.js";
import { expressible, filterConditions, filterTexts, sameFilter, type Filter } from "../model/query/filters.js";
import { NEWEST, readState, writeState, type ListState } from "../model/query/list-state.js";
import { isOpen } from "../model/query/words.js";
import { storeChoice, storedChoice } from "../model/stored.js";
import type { Page, Resource, ResourceClient, SearchParams } from "../pkg/browser.js";
import { setAddress, visitedResource } from "../state/address.js";
import { may } from "../state/session.js";
import { linkTo } from "../widgets/values/cells.js";
import { button, h, mount } from "../widgets/base/dom.js";
import { exportButton, type ListRequest } from "../widgets/files/export-dialog.js";
import { failureOf, failureView } from "../widgets/base/failure.js";
import { plural } from "../widgets/base/format.js";
import { renew } from "../widgets/base/renew.js";
import { columnMenu } from "../widgets/list/column-menu.js";
import { chip, FacetPanel, filterChip } from "../widgets/list/facets.js";
import { markWords } from "../widgets/list/found-words.js";
import { LiveRows } from "../widgets/list/live-rows.js";
import { pager } from "../widgets/list/pager.js";
import { QueryBox, type Asked } from "../widgets/list/query-box.js";
import { ResourceTable } from "../widgets/list/resource-table.js";
import { viewMenu } from "../widgets/list/saved-views.js";
import { Selection } from "../widgets/list/selection.js";
import { emptyPage, emptyView, skeleton } from "../widgets/base/placeholders.js";
import type { ViewContext } from "./context.js";

/** A person who waits for longer sees that the list is loading. */
const SLOW_MS = 500;
/** Whether a person left the filters open. */
const FILTERS = "filters";

export class Collection {
  element;
  #client;
  #project;
  #model;
  #columns;
  #offered;
  #state;
  #box;
  #follow;
  #rows: LiveRows;
  #selection;
  #table;
  #facets;
  /** The client that has read the shown page: the person's, or that of what follows. */
  #reader: ResourceClient;
  #shown: Page | undefined;
  /** Whether the service could not be reached. */
  #isCutOff = false;
  #pager = h("div");
  #list = h("div", { class: "stack list" }, skeleton(12));
  #toolbar = h("div", { class: "toolbar push" });
  #chips = h("div", { class: "toolbar", role: "group", "aria-label": "Chosen filters" });
  #filters = button("Filters", () => this.#openFilters(this.#facets.element.hidden), "", { "aria-expanded": "false" });

  constructor({ address, client, project, model, onLeave, follow }: ViewContext) {
    this.#client = client;
    this.#reader = client;
    this.#follow = follow;
    this.#project = project;
    this.#model = model;
    this.#columns = new Columns(model);
    this.#offered = new Facets(model);
    this.#state = readState(address.params, this.#columns, this.#offered);
    const edit = (chosen: readonly Resource[]) => bulkEdit({ client, model, chosen, done: () => this.#load() });
    this.#selection = new Selection({ client, model, project, edit, done: () => this.#load() });
    const shared = { model, project, columns: this.#columns, selection: this.#selection };
    this.#table = new ResourceTable({ ...shared, sortBy: (sort) => this.#sortBy(sort) });
    this.#rows = new LiveRows({
      row: (resource) => this.#table.row(resource),
      parts: "th, td",
      load: () => this.#load(),
    });
    this.#box = new QueryBox({
      model,
      value: this.#state.where || this.#state.text,
      ask: (asked, { isTyping }) => this.#ask(asked, isTyping),
      wrong: () => this.#dim(),
      onLeave,
    });
    this.#facets = new FacetPanel({
      model,
      facets: this.#offered,
      toggle: (filter) => this.#toggle(filter),
      choose: (facets) => this.#change({ facets }),
    });
    const again = () => this.#isCutOff && this.#load();
    addEventListener("online", again);
    onLeave(() => {
      removeEventListener("online", again);
      this.#facets.stop();
      markWords(this.#list, "");
    });
    this.element = this.#page();
    mount(this.#toolbar, this.#tools());
    this.#openFilters(storedChoice(FILTERS) === "open");
    void this.#load();
  }

  #page() {
    return h(
      "div",
      { class: "stack near wide-page" },
      h("div", { class: "toolbar" }, h("h1", "Resources"), this.#rows.news, this.#toolbar),
      h("div", { class: "query-line" }, this.#box.element, this.#filters),
      this.#chips,
      h("div", { class: "listing" }, this.#facets.element, this.#list),
    );
  }

  #tools() {
    const choose = (columns: readonly string[]) => {
      this.#setState({ columns });
      this.#show();
    };
    return [
      viewMenu(this.#project),
      columnMenu(this.#columns, this.#state.columns, choose),
      exportButton({ client: this.#client, model: this.#model, project: this.#project }, () => ({
        request: this.#request(),
        shown: [this.#columns.first.name, ...this.#state.columns],
      })),
      this.#create({ "aria-keyshortcuts": "n" }),
    ];
  }

  #create(props = {}) {
    return may("create") && linkTo("New resource", { project: this.#project, view: "new" }, "primary", props);
  }

  /** Shows words or a condition. Filters that no condition expresses end with words. */
  #ask({ text, where }: Asked, isTyping: boolean) {
    if (text === this.#state.text && where === this.#state.where && this.#shown !== undefined && isTyping)
      return this.#count();
    const filters = where === "" ? this.#state.filters : expressible(this.#state.filters, this.#model);
    // What a person types is one entry of the history.
    return this.#change({ text, where, filters, fuzzy: text !== "" && this.#state.fuzzy }, { replace: isTyping });
  }

  /** Shows the list with changes, from its first page unless they name another. */
  #change(changes: Partial<ListState>, { replace = false } = {}) {
    this.#setState({ offset: 0, ...changes }, { replace });
    return this.#load();
  }

  #setState(changes: Partial<ListState>, options = {}) {
    Object.assign(this.#state, changes);
    setAddress({ project: this.#project, params: writeState(this.#state, this.#columns) }, options);
  }

  /** Puts an empty text into the box, and shows everything that the filters leave. */
  #clear() {
    this.#box.set("");
    return this.#change({ text: "", where: "", fuzzy: false });
  }

  #toggle(filter: Filter) {
    const { filters } = this.#state;
    const others = filters.filter((one) => !sameFilter(one, filter));
    return this.#change({ filters: others.length < filters.length ? others : [...filters, filter] });
  }

  #openFilters(isOpen: boolean) {
    this.#facets.element.hidden = !isOpen;
    this.#filters.setAttribute("aria-expanded", String(isOpen));
    storeChoice(FILTERS, isOpen ? "open" : undefined);
    if (this.#shown !== undefined) this.#loadFacets();
  }

  /** The order of the rows. Without a choice of a person, the newest change is first, or the best match. */
  get #sort() {
    return this.#state.sort || (this.#hasWords ? "" : NEWEST);
  }

  get #hasWords() {
    return this.#state.text.trim() !== "";
  }

  /** The parameters of the words. While a person types, the last word is not complete. */
  get #words(): SearchParams {
    const { text, fuzzy } = this.#state;
    if (!this.#hasWords) return {};
    return { text: { en: text }, fuzzy: fuzzy || undefined, prefix: isOpen(text) || undefined };
  }

  /** Returns the condition, with filters as conditions. */
  #conditionsOf(filters: readonly Filter[]) {
    const { where } = this.#state;
    return [...(where === "" ? [] : [where]), ...filterConditions(filters, this.#model)];
  }

  /** Returns how to read the list: a search for words and for filters that no condition expresses, or a query. */
  #request(): ListRequest {
    const { where, filters } = this.#state;
    const isQuery = where !== "" || (!this.#hasWords && expressible(filters, this.#model).length === filters.length);
    return isQuery
      ? { where: this.#conditionsOf(filters) }
      : { search: { ...this.#words, filter: filterTexts(filters, this.#model) } };
  }

  #read(client: ResourceClient, signal: AbortSignal): Promise<Page> {
    const { limit, offset } = this.#state;
    const place = { sort: this.#sort || undefined, limit, offset };
    const request = this.#request();
    this.#reader = client;
    if ("where" in request) return client.query({ where: request.where, ...place }, { signal });
    return client.search({ ...request.search, ...place }, { signal });
  }

  async #load() {
    this.#showChips();
    this.#list.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => this.#box.say("Loading …"), SLOW_MS);
    try {
      const page = await this.#follow({
        read: (client, signal) => this.#read(client, signal),
        show: (page) => this.#refresh(page),
        onChange: (change) => this.#rows.note(change),
      });
      this.#isCutOff = false;
      const isFirst = this.#shown === undefined;
      this.#shown = page;
      this.#selection.clear();
      this.#show();
      if (isFirst) this.#returnTo(visitedResource());
      this.#loadFacets();
    } catch (error) {
      this.#fail(error);
    }
    clearTimeout(slow);
    this.#list.removeAttribute("aria-busy");
  }

  /** Focuses the row of the resource from which a person returns. Back at its place, the next one is near. */
  #returnTo(id: string | undefined) {
    if (id === undefined || !document.activeElement?.contains(this.element)) return;
    const box = this.#list.querySelector(`input[data-id="${CSS.escape(id)}"]`);
    box?.closest("tr")?.querySelector<HTMLElement>(".name")?.focus();
  }

  #loadFacets(options = {}) {
    const { filters, facets: chosen, where } = this.#state;
    const others = (field: string) => this.#conditionsOf(filters.filter((filter) => filter.field !== field));
    const conditions = where === "" ? undefined : others;
    const counted = { client: this.#reader, params: this.#words, filters, chosen, conditions };
    void this.#facets.load(counted, options);
  }

  #showChips() {
    const { filters, fuzzy } = this.#state;
    mount(
      this.#chips,
      filters.map((filter) => filterChip(filter, this.#model, () => this.#toggle(filter))),
      fuzzy && chip("with typos", "Remove the filter with typos", () => this.#change({ fuzzy: false })),
    );
    this.#chips.hidden = filters.length === 0 && !fuzzy;
  }

  /** Shows what others have changed. */
  #refresh(page: Page) {
    if (this.#shown === undefined) return;
    const before = this.#shown;
    this.#shown = page;
    if (!this.#rows.update(page.results)) return page.total === before.total ? undefined : this.#show();
    this.#count();
    this.#selection.update(this.#rows.resources);
    renew(this.#pager, h("div", this.#pagerOf(page)), ".pager > *");
    this.#loadFacets({ isLate: true });
  }

  /** Says how many there are. */
  #count() {
    const { where, filters } = this.#state;
    const total = this.#shown?.total ?? 0;
    const isPart = where !== "" || this.#hasWords || filters.length > 0;
    this.#list.classList.remove("stale");
    this.#box.say(isPart ? plural(total, "match", "matches") : plural(total, "resource"));
  }

  #show() {
    const page = this.#shown;
    if (page === undefined) return;
    this.#count();
    this.#rows.start();
    this.#selection.update(page.results);
    if (page.results.length === 0) return void mount(this.#list, this.#nothing(page.total ?? 0));
    mount(this.#pager, this.#pagerOf(page));
    const body = h("tbody");
    const table = this.#table.element(this.#state.columns, this.#sort, body);
    this.#rows.start(body, page.results);
    mount(this.#list, this.#selection.bar, table, this.#pager);
    markWords(body, this.#state.text);
  }

  #pagerOf({ count, total = 0 }: Page) {
    const { limit, offset } = this.#state;
    return pager({ offset, limit, shown: count, total }, (place) => this.#change(place));
  }

  async #sortBy(sort: string) {
    // The usual order is one of the orders of a column already.
    const next = sort === "" && this.#state.sort === "" ? NEWEST.replace("desc", "asc") : sort;
    const focused = document.activeElement;
    const name = focused instanceof HTMLElement ? focused.dataset.sort : undefined;
    await this.#change({ sort: next === NEWEST && !this.#hasWords ? "" : next });
    this.#list.querySelector<HTMLElement>(`[data-sort="${name}"]`)?.focus();
  }

  /** Keeps the list while the box has a mistake, and shows that it does not belong to the text. */
  #dim() {
    this.#list.classList.add("stale");
    this.#list.removeAttribute("aria-busy");
    if (this.#shown === undefined) mount(this.#list);
  }

  /** Shows a problem of the box at the box, and other errors in the list's place. */
  #fail(error: unknown) {
    const { errors = [], kind } = failureOf(error);
    this.#isCutOff = kind === "network";
    if (this.#isCutOff && this.#shown !== undefined) {
      this.#dim();
      return this.#box.show({
        message: "No connection. The list is that of before, and continues with the connection.",
      });
    }
    const about = errors.find(({ parameter = "" }) => ["where", "prefix"].includes(parameter));
    if (about !== undefined) {
      this.#dim();
      const isPrefix = about.parameter === "prefix";
      return this.#box.show(isPrefix ? { message: "Too many words begin like this. Type another letter." } : about);
    }
    this.#shown = undefined;
    this.#rows.start();
    this.#list.classList.remove("stale");
    this.#box.say("");
    mount(
      this.#list,
      failureView(error, () => this.#load()),
    );
  }

  #nothing(total: number) {
    if (total > 0) return emptyPage(() => this.#change({ offset: 0 }));
    const { filters, where, fuzzy } = this.#state;
    if (filters.length > 0)
      return emptyView(
        "No matches",
        "No resource matches all filters.",
        button("Remove the filters", () => this.#change({ filters: [] })),
      );
    if (where !== "")
      return emptyView(
        "No matches",
        "No resource satisfies the condition.",
        button("Clear the condition", () => this.#clear()),
      );
    if (this.#hasWords)
      return emptyView(
        "No matches",
        "No resource contains all these words.",
        !fuzzy && button("Allow typos", () => this.#change({ fuzzy: true })),
        button("Clear the text", () => this.#clear()),
      );
    return emptyView(
      "No resources yet",
      "This project is empty. Create its first resource, or import a file.",
      may("create") && [this.#create(), linkTo("Import", { project: this.#project, view: "import" })],
    );
  }
}
