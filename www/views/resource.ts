// One resource: its data, charts of its arrays, its JSON, and its changes by this page.

import { innermost, isList, valueAt, type Field } from "../model/schema.js";
import type { AnswerHeaders, Resource } from "../pkg/browser.js";
import { addressOf, go } from "../state/address.js";
import type { Follow, Followed } from "../state/live.js";
import { changes, type Change } from "../state/request-log.js";
import { mayWrite } from "../state/session.js";
import { arraysOf } from "../widgets/values/arrays.js";
import { linkTo, textOf } from "../widgets/values/cells.js";
import { confirmDeletion } from "../widgets/base/dialog.js";
import { button, h, mount, presence, toast, type Child } from "../widgets/base/dom.js";
import { failureOf, failureView } from "../widgets/base/failure.js";
import { clockTime, time } from "../widgets/base/format.js";
import { jsonPane } from "../widgets/values/json-pane.js";
import { mark, renew } from "../widgets/base/renew.js";
import { skeleton } from "../widgets/base/placeholders.js";
import type { ViewContext } from "./context.js";

/** The context of the page's parts. `reload` shows the current state of the resource. */
type Context = Pick<ViewContext, "client" | "project" | "model"> & { resource: Resource; reload: () => unknown };

/** What differs after a change. The arrays are one part each. */
const PARTS = ".heading, .array, .arrays ~ p, .json, .details > div, .own";

/** The view. */
export function resourceView({ address: { id = "" }, client, project, model, follow }: ViewContext) {
  const element = h("div", { class: "stack wide-gap" }, skeleton(10));
  const said = h("p", { class: "visually-hidden", role: "status" });
  const gone = h(
    "div",
    { class: "notice danger", role: "alert" },
    "This resource was deleted. This is its last state.",
  );
  let shown: Resource | undefined;
  const pageFor = (resource: Resource, headers: Newest["headers"]) =>
    pageOf({ resource, client, project, model, reload: load }, headers);
  const load = async () => {
    gone.remove();
    try {
      const { results, headers, missing } = await followResource(follow, id, refresh);
      [shown] = results;
      mount(element, shown ? pageFor(shown, headers) : [failureView(missing), back(project)]);
    } catch (error) {
      shown = undefined;
      mount(element, failureView(error, load), back(project));
    }
  };
  /** Shows what another person has changed, and marks it. */
  const refresh = ({ results: [resource], headers }: Newest) => {
    if (shown === undefined) return resource && load();
    if (resource === undefined) return element.before(gone);
    gone.remove();
    if (resource.version === shown.version) return;
    shown = resource;
    for (const part of renew(element, h("div", pageFor(resource, headers)), PARTS)) {
      // Of the heading only the version has changed, and the JSON repeats the others.
      if (!part.matches(".json")) mark(part.querySelector(".heading > * > .badge") ?? part);
    }
    said.textContent = `Another person saved version ${shown.version}.`;
  };
  void load();
  return h("div", { class: "stack wide-gap" }, said, element);
}

/** A resource with the headers of its response, or `missing`: the error if there is none. */
type Newest = { results: readonly Resource[]; headers?: AnswerHeaders | undefined; missing?: unknown };

/**
 * Reads and follows a resource. It comes from the source of truth, because the person changes or deletes the shown
 * version.
 */
export const followResource = (follow: Follow, id: string, show: Followed<Newest>["show"]) =>
  follow<Newest>({
    concerns: (change) => change.id === id,
    read: async (client, signal) => {
      let headers: AnswerHeaders | undefined;
      const onResponse = (response: { headers?: AnswerHeaders }) => {
        headers = response.headers;
      };
      try {
        const resource = await client.getById(id, {}, { fresh: true, signal, onResponse });
        return { results: [resource], headers };
      } catch (error) {
        if (failureOf(error).status !== 404) throw error;
        return { results: [], missing: error };
      }
    },
    show,
  });

function pageOf(context: Context, headers: AnswerHeaders | undefined) {
  const { resource, model } = context;
  return [
    heading(context),
    h(
      "div",
      { class: "resource" },
      h("div", { class: "stack wide-gap" }, content(context), arraysOf(model, resource), jsonPane(resource)),
      h("div", { class: "stack wide-gap" }, details(context, headers), log(resource)),
    ),
  ];
}

const back = (project: string) =>
  h("p", { class: "toolbar centered" }, h("a", { href: addressOf({ project }) }, "All resources"));

function heading(context: Context) {
  const { resource, project, model, reload } = context;
  const { id, version } = resource;
  return h(
    "div",
    { class: "stack tight heading" },
    h(
      "p",
      { class: "small" },
      h("a", { href: addressOf({ project }) }, "Resources"),
      h("span", { class: "muted", "aria-hidden": "true" }, " / "),
    ),
    h(
      "div",
      { class: "toolbar" },
      h("h1", model.nameOf(resource)),
      h("span", { class: "badge" }, `version ${version}`),
      h(
        "div",
        { class: "toolbar push" },
        mayWrite() && linkTo("Edit", { project, id, view: "edit" }, "primary"),
        mayWrite() && linkTo("Update actions", { project, id, view: "actions" }),
        button("Reload", reload),
        mayWrite() && button("Delete", () => confirmDelete(context), "danger-quiet"),
      ),
    ),
  );
}

/**
 * Asks for confirmation, then deletes the shown version. The resource remains if another person changed it meanwhile.
 */
async function confirmDelete({ resource, client, project, model, reload }: Context) {
  const { id, version } = resource;
  const name = model.nameOf(resource);
  const agreed = await confirmDeletion(
    `Delete version ${version}?`,
    h("p", h("strong", name), ` is deleted if it is still at version ${version}. This cannot be undone.`),
  );
  if (!agreed) return;
  const shown = presence();
  try {
    await client.deleteById(id, { version });
    toast(`${name} was deleted.`, "success");
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

const row = (name: string, value: Child) => h("div", h("dt", name), h("dd", value));

/** The row of a field, if it has a value. */
function rowOf(field: Field, resource: Resource) {
  const value = valueAt(resource, field.path);
  return value !== undefined && row(labelOf(field), propertyOf(field, value));
}

/** The single values of a declared resource in its order, each one inside of an object by its path. */
function content({ resource, model }: Context) {
  const values = innermost(model.content).filter((field) => !isList(field));
  const rows = values.map((field) => rowOf(field, resource));
  return (
    model.isDeclared &&
    h(
      "section",
      { class: "card stack", "aria-label": model.label },
      h("h2", model.label),
      rows.some(Boolean) ? h("dl", { class: "details form-grid" }, rows) : h("p", { class: "muted" }, "No values."),
    )
  );
}

function details({ resource, model }: Context, headers: AnswerHeaders | undefined) {
  const { id, version, key, createdAt, lastModifiedAt } = resource;
  const etag = headers?.get("ETag");
  const others = model.properties.filter((field) => !model.isDeclared || !model.content.includes(field));
  return h(
    "section",
    { class: "card stack", "aria-label": "Details" },
    h("h2", "Details"),
    h(
      "dl",
      { class: "details stack near" },
      row("ID", h("code", id)),
      key !== undefined && row("Key", h("code", key)),
      row("Version", String(version)),
      row("Revision", h("code", headers?.get("Resource-Revision") ?? String(Date.parse(lastModifiedAt)))),
      etag != null && row("ETag", h("code", etag)),
      row("Created", time(createdAt)),
      row("Changed", time(lastModifiedAt)),
      others.map((field) => rowOf(field, resource)),
    ),
  );
}

function propertyOf(field: Field, value: unknown) {
  if (field.kind === "date" && typeof value === "string") return time(value);
  return h("span", { class: "long" }, field.kind === "group" ? textOf(value) || "–" : textOf(value));
}

/** Returns a field's title, or its path; that of a group as words: "Last modified by". */
function labelOf({ kind, name, path, schema: { title } }: Field) {
  if (kind !== "group") return title ?? path.join(".");
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** This page's changes of the resource, newest first. */
function log({ id }: Resource) {
  const mine = changes.filter((change) => change.id === id).reverse();
  const line = ({ at, version, what }: Change) =>
    h(
      "li",
      h("span", { class: "numeric muted" }, clockTime(at)),
      h("span", what),
      h("span", { class: "badge push" }, `version ${version}`),
    );
  return h(
    "section",
    { class: "card stack own", "aria-label": "Changes from this page" },
    h("h2", "Changes from this page"),
    mine.length === 0
      ? h("p", { class: "muted" }, "None yet. Your changes are listed here until you leave or reload the page.")
      : h("ol", { class: "log stack snug" }, mine.map(line)),
  );
}
