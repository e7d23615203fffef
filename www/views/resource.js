// One resource: its data, charts of its arrays, its JSON, and its changes by this page.

import { lists, properties } from "../model/fields.js";
import { valueAt } from "../model/schema.js";
import { addressOf, go } from "../state/address.js";
import { changes, mayWrite } from "../state/session.js";
import { textOf } from "../widgets/cells.js";
import { figures, histogram, sparkline } from "../widgets/charts.js";
import { dialog, h, mount, presence, toast } from "../widgets/dom.js";
import { failureOf, failureView } from "../widgets/failure.js";
import { clockTime, count, plural, time } from "../widgets/format.js";
import { jsonPane } from "../widgets/json-pane.js";
import { skeleton } from "../widgets/placeholders.js";

/** @import { AnswerHeaders, Resource, ResourceClient } from "../pkg/browser.js" */
/** @import { Field, ObjectsKind } from "../model/schema.js" */
/** @import { Change } from "../state/request-log.js" */
/** @import { Child } from "../widgets/dom.js" */
/** @import { ViewContext } from "./index.js" */

/**
 * What the parts of the page need. `reload` shows the current state of the resource.
 * @typedef {{
 *   resource: Resource,
 *   client: ResourceClient,
 *   project: string,
 *   reload: () => unknown,
 *   tools: (resource: Resource) => Child,
 * }} Context
 */

const SHOWN = 24;
// A longer list would make the page slow; its JSON has all items.
const MOST = 5000;

/**
 * The view. `tools(resource)` returns the buttons of other actions on the resource.
 * @param {ViewContext & { tools: (resource: Resource) => Child }} context
 */
export function resourceView({ address, client, project, onLeave, tools }) {
  const controller = new AbortController();
  onLeave(() => controller.abort());
  const element = h("div", { class: "stack wide-gap" }, skeleton(10));

  async function load() {
    try {
      /** @type {AnswerHeaders | undefined} */
      let headers;
      // Read fresh, because the shown version is the one that is changed or deleted.
      const resource = await client.getById(
        address.id ?? "",
        {},
        {
          fresh: true,
          signal: controller.signal,
          onResponse: (response) => {
            headers = response.headers;
          },
        },
      );
      show(resource, headers);
    } catch (error) {
      if (!controller.signal.aborted)
        mount(element, failureView(error, failureOf(error).status === 404 ? undefined : load), back(project));
    }
  }

  /**
   * @param {Resource} resource
   * @param {AnswerHeaders | undefined} headers
   */
  function show(resource, headers) {
    mount(
      element,
      heading({ resource, client, project, reload: load, tools }),
      h(
        "div",
        { class: "resource" },
        h("div", { class: "stack wide-gap" }, arraysOf(resource), jsonPane(resource)),
        h("div", { class: "stack wide-gap" }, details(resource, headers), log(resource)),
      ),
    );
  }

  void load();
  return element;
}

/** @param {string} project */
const back = (project) =>
  h("p", { class: "toolbar centred" }, h("a", { href: addressOf({ project }) }, "All resources"));

/** @param {Context} context */
function heading(context) {
  const { resource, project, reload, tools } = context;
  const { id, key, version } = resource;
  const remove = h(
    "button",
    { class: "button danger-quiet", type: "button", onclick: () => confirmDelete(context) },
    "Delete",
  );
  return h(
    "div",
    { class: "stack tight" },
    h(
      "p",
      { class: "small" },
      h("a", { href: addressOf({ project }) }, "Resources"),
      h("span", { class: "muted", "aria-hidden": "true" }, " / "),
    ),
    h(
      "div",
      { class: "toolbar" },
      h("h1", { class: "named" }, key ?? id),
      h("span", { class: "badge" }, `version ${version}`),
      h(
        "div",
        { class: "toolbar push" },
        tools(resource),
        h("button", { class: "button", type: "button", onclick: reload }, "Reload"),
        mayWrite() && remove,
      ),
    ),
  );
}

/**
 * Asks for confirmation, then deletes the shown version. A version that another person changed meanwhile remains.
 * @param {Context} context
 */
async function confirmDelete({ resource: { id, key, version }, client, project, reload }) {
  const agreed = await dialog(
    `Delete version ${version}?`,
    h(
      "p",
      {},
      h("strong", { class: "named" }, key ?? id),
      ` is deleted if it is still at version ${version}. This cannot be undone.`,
    ),
    [
      { label: "Cancel", value: false },
      { label: "Delete", value: true, kind: "danger" },
    ],
  );
  if (!agreed) return;
  const shown = presence();
  try {
    await client.deleteById(id, { version });
    toast(`${key ?? id} was deleted.`, "success");
    if (shown()) go({ project });
  } catch (error) {
    const { status, currentVersion, message } = failureOf(error);
    toast(
      status === 409
        ? `Nothing was deleted. Another person changed the resource to version ${currentVersion}.`
        : `The resource was not deleted. ${message}`,
      "error",
    );
    if (shown()) reload();
  }
}

/**
 * @param {Resource} resource
 * @param {AnswerHeaders | undefined} headers
 */
function details(resource, headers) {
  const { id, version, key, createdAt, lastModifiedAt } = resource;
  const row = (/** @type {string} */ name, /** @type {Child} */ value) =>
    h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const etag = headers?.get("ETag");
  return h(
    "section",
    { class: "card stack", "aria-label": "Details" },
    h("h2", {}, "Details"),
    h(
      "dl",
      { class: "details" },
      row("ID", h("code", {}, id)),
      key !== undefined && row("Key", h("code", {}, key)),
      row("Version", String(version)),
      row("Revision", h("code", {}, headers?.get("Resource-Revision") ?? String(Date.parse(lastModifiedAt)))),
      etag != null && row("ETag", h("code", {}, etag)),
      row("Created", time(createdAt)),
      row("Changed", time(lastModifiedAt)),
      properties.map((field) => {
        const value = valueAt(resource, field.path);
        return value !== undefined && row(labelOf(field), propertyOf(field, value));
      }),
    ),
  );
}

/**
 * @param {Field} field
 * @param {unknown} value
 */
function propertyOf(field, value) {
  if (field.kind === "date" && typeof value === "string") return time(value);
  return h("span", { class: "long" }, field.kind === "group" ? textOf(value) || "–" : textOf(value));
}

/**
 * Returns a field's name; that of a group as words: "Last modified by".
 * @param {Field} field
 */
function labelOf({ kind, name }) {
  if (kind !== "group") return name;
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {Resource} resource */
function arraysOf(resource) {
  const values = lists.map((field) => {
    const value = valueAt(resource, field.path);
    return { field, items: Array.isArray(value) ? value : [] };
  });
  const empty = values.filter(({ items }) => items.length === 0);
  return h(
    "section",
    { class: "stack", "aria-label": "Arrays" },
    h(
      "div",
      { class: "arrays" },
      values.map(({ field, items }) => items.length > 0 && arrayCard(field, items)),
    ),
    empty.length > 0 &&
      h(
        "p",
        { class: "muted small" },
        "Empty: ",
        empty.map(({ field }, at) => [at > 0 && ", ", h("code", {}, field.name)]),
      ),
  );
}

/**
 * @param {Field} field
 * @param {readonly unknown[]} items
 */
function arrayCard(field, items) {
  return h(
    "article",
    { class: "card stack array", "aria-label": field.name },
    h(
      "div",
      { class: "row" },
      h("h3", { class: "mono named" }, field.name),
      h("span", { class: "badge" }, plural(items.length, "item")),
    ),
    arrayBody(field, items),
  );
}

/**
 * Shows the items by the kind of their field.
 * @param {Field} field
 * @param {readonly unknown[]} items
 * @returns {Child}
 */
function arrayBody(field, items) {
  switch (field.kind) {
    case "numbers":
      return numbersOf(field.name, field.pair, /** @type {readonly number[]} */ (items));
    case "objects":
      return objectsOf(field, /** @type {readonly { [column: string]: number }[]} */ (items));
    default:
      return values(items.map(String), "value-list texts");
  }
}

/**
 * @param {string} name
 * @param {boolean} pair
 * @param {readonly number[]} numbers
 */
function numbersOf(name, pair, numbers) {
  // A pair is two numbers, not a series.
  if (pair) return h("p", { class: "pair numeric" }, numbers.join(", "));
  const charts = numbers.length > 1 && [
    h("figure", {}, sparkline(numbers, { name })),
    h("figure", {}, histogram(numbers, { name })),
    figures(numbers),
  ];
  return [charts, values(numbers.map(String))];
}

/**
 * The first values, and the others on demand.
 * @param {readonly string[]} items
 * @param {string} [kind]
 */
function values(items, kind = "value-list numeric") {
  const list = h("ol", { class: kind });
  return [list, putFirst(list, items, itemOf)];
}

/**
 * Adds the first items to a list. Returns the button that adds the others, if there are any.
 * @template Item
 * @param {HTMLElement} list
 * @param {readonly Item[]} items
 * @param {(item: Item) => HTMLElement} view
 */
function putFirst(list, items, view) {
  mount(list, items.slice(0, SHOWN).map(view));
  if (items.length <= SHOWN) return undefined;
  /** @type {HTMLButtonElement} */
  const rest = h(
    "button",
    {
      class: "button small",
      type: "button",
      onclick: () => {
        list.append(...items.slice(SHOWN, MOST).map(view));
        rest.replaceWith(
          ...(items.length > MOST
            ? [h("p", { class: "muted small" }, `The JSON has the other ${count(items.length - MOST)}.`)]
            : []),
        );
        // The button is gone: focus the place where the other items begin.
        const next = list.children[SHOWN];
        if (!(next instanceof HTMLElement)) return;
        next.tabIndex = -1;
        next.focus();
      },
    },
    items.length > MOST ? `Show the first ${MOST}` : `Show all ${items.length}`,
  );
  return rest;
}

/** @param {string} item */
const itemOf = (item) => h("li", {}, item === "" ? h("span", { class: "muted" }, "empty text") : item);

/**
 * @param {Field & ObjectsKind} field
 * @param {readonly { [column: string]: number | undefined }[]} items
 */
function objectsOf({ name, columns }, items) {
  const series = columns.map((column) => ({
    column,
    numbers: items.flatMap((item) => item[column] ?? []),
  }));
  const rows = h("tbody", {});
  const rest = putFirst(rows, items, (item) =>
    h(
      "tr",
      {},
      columns.map((column) => h("td", {}, item[column] === undefined ? "–" : String(item[column]))),
    ),
  );
  return [
    series.map(
      ({ column, numbers }) =>
        numbers.length > 1 &&
        h(
          "figure",
          {},
          h("figcaption", { class: "muted small" }, column),
          sparkline(numbers, { name: `${name}, ${column}` }),
          histogram(numbers, { name: `${name}, ${column}` }),
        ),
    ),
    h(
      "div",
      { class: "table-frame short", tabindex: "0", role: "region", "aria-label": `${name}: items` },
      h(
        "table",
        { class: "table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            columns.map((column) => h("th", { scope: "col" }, column)),
          ),
        ),
        rows,
      ),
    ),
    rest,
  ];
}

/**
 * This page's changes of the resource, newest first.
 * @param {Resource} resource
 */
function log({ id }) {
  const mine = changes.filter((change) => change.id === id).reverse();
  const line = (/** @type {Change} */ { at, version, what }) =>
    h(
      "li",
      {},
      h("span", { class: "numeric muted" }, clockTime(at)),
      h("span", { class: "named" }, what),
      h("span", { class: "badge" }, `version ${version}`),
    );
  return h(
    "section",
    { class: "card stack", "aria-label": "Changes from this page" },
    h("h2", {}, "Changes from this page"),
    mine.length === 0
      ? h("p", { class: "muted" }, "None yet. Your changes are listed here until you leave or reload the page.")
      : h("ol", { class: "log" }, mine.map(line)),
  );
}
