// One resource: its data, charts of its arrays, its JSON, and its changes by this page.

import { dialog, h, mount, presence, toast } from "../widgets/dom.js";
import { addressOf, go } from "../state/address.js";
import { clockTime, count, failureView, plural, skeleton, time } from "../widgets/common.js";
import { figures, histogram, sparkline } from "../widgets/charts.js";
import { arrays, people, texts } from "../model/fields.js";
import { jsonPane } from "../widgets/json-pane.js";
import { changes, mayWrite } from "../state/session.js";

const SHOWN = 24;
// A longer list would make the page slow; its JSON has all items.
const MOST = 5000;

/** The view. `tools({ resource, reload })` returns the buttons of other actions on the resource. */
export function resourceView({ address, client, project, onLeave, tools = () => [] }) {
  const controller = new AbortController();
  onLeave(() => controller.abort());
  const element = h("div", { class: "stack wide-gap" }, skeleton(10));

  async function load() {
    try {
      let headers;
      // Read fresh, because the shown version is the one that is changed or deleted.
      const resource = await client.getById(
        address.id,
        {},
        { fresh: true, signal: controller.signal, onResponse: (response) => ({ headers } = response) },
      );
      show(resource, headers);
    } catch (error) {
      if (!controller.signal.aborted)
        mount(element, failureView(error, error.status === 404 ? undefined : load), back(project));
    }
  }

  function show(resource, headers) {
    mount(
      element,
      heading({ resource, client, project, reload: load, tools }),
      h(
        "div",
        { class: "resource" },
        h("div", { class: "stack wide-gap" }, arraysOf(resource.objectTypeProperty), jsonPane(resource)),
        h("div", { class: "stack wide-gap" }, details(resource, headers), log(resource)),
      ),
    );
  }

  load();
  return element;
}

const back = (project) =>
  h("p", { class: "toolbar centred" }, h("a", { href: addressOf({ project }) }, "All resources"));

function heading({ resource, client, project, reload, tools }) {
  const { id, key, version } = resource;
  const remove = h(
    "button",
    {
      class: "button danger-quiet",
      type: "button",
      onclick: () => confirmDelete({ resource, client, project, reload }),
    },
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
        tools({ resource, reload }),
        h("button", { class: "button", type: "button", onclick: reload }, "Reload"),
        mayWrite() && remove,
      ),
    ),
  );
}

/** Asks for confirmation, then deletes the shown version. A version that another person changed meanwhile remains. */
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
      { label: "Keep it", value: false },
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
    const { status, currentVersion } = error;
    toast(
      status === 409
        ? `Nothing was deleted: somebody changed it to version ${currentVersion} meanwhile.`
        : `It was not deleted. ${error.message}`,
      "error",
    );
    if (shown()) reload();
  }
}

function details(resource, headers) {
  const { id, version, key, createdAt, lastModifiedAt } = resource;
  const row = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const person = ({ name, path }) => {
    const value = resource[path[0]];
    return value !== undefined && row(words(name), [value.firstName, value.lastName].filter(Boolean).join(" ") || "–");
  };
  return h(
    "section",
    { class: "card stack", "aria-label": "Details" },
    h("h2", {}, "Details"),
    h(
      "dl",
      { class: "details" },
      row("Id", h("code", {}, id)),
      key !== undefined && row("Key", h("code", {}, key)),
      row("Version", String(version)),
      row("Revision", h("code", {}, headers?.get("Resource-Revision") ?? String(Date.parse(lastModifiedAt)))),
      headers?.get("ETag") && row("ETag", h("code", {}, headers.get("ETag"))),
      row("Created", time(createdAt)),
      row("Changed", time(lastModifiedAt)),
      people.map(person),
      texts.map(({ name }) => resource[name] !== undefined && row(name, h("span", { class: "long" }, resource[name]))),
    ),
  );
}

/** `lastModifiedBy` as words: "Last modified by". */
function words(name) {
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text[0].toUpperCase() + text.slice(1);
}

function arraysOf(value) {
  const filled = arrays.filter(({ name }) => value[name].length > 0);
  const empty = arrays.filter(({ name }) => value[name].length === 0);
  return h(
    "section",
    { class: "stack", "aria-label": "Arrays" },
    h(
      "div",
      { class: "arrays" },
      filled.map((field) => arrayCard(field, value[field.name])),
    ),
    empty.length > 0 &&
      h(
        "p",
        { class: "muted small" },
        "Empty: ",
        empty.map(({ name }, at) => [at > 0 && ", ", h("code", {}, name)]),
      ),
  );
}

function arrayCard({ name, kind, pair, columns }, items) {
  const body =
    kind === "numbers"
      ? numbersOf(name, pair, items)
      : kind === "texts"
        ? textsOf(items)
        : objectsOf(name, columns, items);
  return h(
    "article",
    { class: "card stack array", "aria-label": name },
    h(
      "div",
      { class: "row" },
      h("h3", { class: "mono named" }, name),
      h("span", { class: "badge" }, plural(items.length, "item")),
    ),
    body,
  );
}

function numbersOf(name, pair, numbers) {
  // A pair is two numbers, not a series.
  if (pair) return h("p", { class: "pair numeric" }, numbers.join(", "));
  const drawn = numbers.length > 1 && [
    h("figure", {}, sparkline(numbers, { name })),
    h("figure", {}, histogram(numbers, { name })),
    figures(numbers),
  ];
  return [drawn, values(numbers.map(String))];
}

function textsOf(items) {
  return values(items, "value-list texts");
}

/** The first values, and the others on demand. */
function values(items, kind = "value-list numeric") {
  const list = h("ol", { class: kind });
  return [list, putFirst(list, items, itemOf)];
}

/** Adds the first items to a list. Returns the button that adds the others, if there are any. */
function putFirst(list, items, view) {
  mount(list, items.slice(0, SHOWN).map(view));
  if (items.length <= SHOWN) return undefined;
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
        list.children[SHOWN].tabIndex = -1;
        list.children[SHOWN].focus();
      },
    },
    items.length > MOST ? `Show the first ${MOST}` : `Show all ${items.length}`,
  );
  return rest;
}

const itemOf = (item) => h("li", {}, item === "" ? h("span", { class: "muted" }, "empty text") : item);

function objectsOf(name, columns, items) {
  const series = columns.map((column) => [
    column,
    items.map((item) => item[column]).filter((value) => value !== undefined),
  ]);
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
      ([column, numbers]) =>
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

/** This page's changes of the resource, newest first. */
function log({ id }) {
  const mine = changes.filter((change) => change.id === id).reverse();
  const line = ({ at, version, what }) =>
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
      ? h("p", { class: "muted" }, "None yet. What you change here is listed until you leave or reload the page.")
      : h("ol", { class: "log" }, mine.map(line)),
  );
}
