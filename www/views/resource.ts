// One resource: what it is called, its fields or its JSON, and folded what only the service and programs need.

import { hasValue, valueAt, type Field } from "../model/schema.js";
import { labelOf } from "../model/wording.js";
import type { AnswerHeaders, Resource } from "../pkg/browser.js";
import { addressOf, go, leaveTo, listOf } from "../state/address.js";
import { draftPlace } from "../state/drafts.js";
import type { Follow, Followed } from "../state/live.js";
import { changes, type Change } from "../state/request-log.js";
import { may } from "../state/session.js";
import { ago } from "../widgets/base/ago.js";
import { confirmDeletion } from "../widgets/base/dialog.js";
import { button, h, mount, presence, radios, toast } from "../widgets/base/dom.js";
import { failureOf, failureView } from "../widgets/base/failure.js";
import { clockTime, plural, time } from "../widgets/base/format.js";
import { mark, renew } from "../widgets/base/renew.js";
import { skeleton } from "../widgets/base/placeholders.js";
import { undoableDeletion, undoDeletion } from "../widgets/list/undo.js";
import { linkTo, textOf } from "../widgets/values/cells.js";
import { jsonPane } from "../widgets/values/json-pane.js";
import { crumbs, rowsOf, systemFold, valueRow } from "../widgets/values/record.js";
import type { ViewContext } from "./context.js";

const PARTS = { fields: "Fields", json: "JSON" };
type Part = keyof typeof PARTS;

/** The context of the page's parts. `reload` shows the current state of the resource. */
type Context = Pick<ViewContext, "client" | "project" | "model"> & {
  resource: Resource;
  part: Part;
  /** Whether another person has saved it while it was shown. */
  isTheirs: boolean;
  show: (part: Part) => unknown;
  reload: () => unknown;
};

/** What differs after a change. */
const RENEWED = ".heading, .fields > div, .json, .empties, .system > dl > div, .own";

/** The view. */
export function resourceView({ address: { id = "" }, client, project, model, follow }: ViewContext) {
  const element = h("div", { class: "stack" }, skeleton(10));
  const said = h("p", { class: "visually-hidden", role: "status" });
  const gone = h(
    "div",
    { class: "notice danger", role: "alert" },
    "This resource was deleted. This is its last state.",
  );
  let shown: Newest | undefined;
  let part: Part = "fields";
  const pageFor = ({ results: [resource], headers }: Newest, isTheirs = false) => {
    const show = (next: Part) => {
      part = next;
      if (shown) renew(element, h("div", pageFor(shown)), ".shown");
    };
    return resource && pageOf({ resource, client, project, model, part, isTheirs, show, reload: load }, headers);
  };
  const load = async () => {
    gone.remove();
    try {
      const newest = await followResource(follow, id, refresh);
      shown = newest.results.length > 0 ? newest : undefined;
      mount(element, shown ? pageFor(shown) : [failureView(newest.missing), back(project)]);
    } catch (error) {
      shown = undefined;
      mount(element, failureView(error, load), back(project));
    }
  };
  /** Shows what another person has changed, and marks it. */
  const refresh = (newest: Newest) => {
    const [resource] = newest.results;
    if (shown === undefined) return resource && load();
    if (resource === undefined) return element.before(gone);
    gone.remove();
    if (resource.version === shown.results[0]?.version) return;
    shown = newest;
    for (const one of renew(element, h("div", pageFor(newest, true)), RENEWED)) {
      // The JSON repeats the others.
      if (!one.matches(".json")) mark(one.matches(".heading") ? (one.querySelector(".saved") ?? one) : one);
    }
    said.textContent = `Another person saved version ${resource.version}.`;
  };
  void load();
  return h("div", { class: "stack record-page" }, said, element);
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

/** The address of the form, in which a field has the focus. */
const editing = (project: string, id: string, field?: Field) => ({
  project,
  id,
  view: "edit",
  params: { field: field?.path.join(".") },
});

function pageOf(context: Context, headers: AnswerHeaders | undefined) {
  const { resource, part, show } = context;
  const choice = radios("What to show", PARTS, show, { class: "segments start", isHidden: true });
  for (const input of choice.querySelectorAll("input")) input.checked = input.value === part;
  return [
    heading(context),
    choice,
    h("div", { class: "stack shown" }, part === "json" ? jsonPane(resource) : content(context)),
    system(context, headers),
  ];
}

const back = (project: string) =>
  h("p", { class: "toolbar centered" }, h("a", { href: addressOf(listOf(project)) }, "All resources"));

function heading(context: Context) {
  const { resource, project, model } = context;
  const { id } = resource;
  // With a finger, the focus of a field opens a keyboard over the others.
  const first = matchMedia("(pointer: fine)").matches ? model.page[0] : undefined;
  return h(
    "div",
    { class: "stack tight heading" },
    crumbs(project),
    h(
      "div",
      { class: "row" },
      h("h1", model.nameOf(resource)),
      h(
        "div",
        { class: "toolbar" },
        may("update") &&
          linkTo("Edit", editing(project, id, first), "primary", { "aria-keyshortcuts": "e", title: "Edit (E)" }),
        may("delete") && button("Delete", () => confirmDelete(context), "danger-quiet"),
      ),
    ),
    h("p", { class: "muted small saved" }, saved(context)),
  );
}

/** When the resource was saved, and by whom as far as the page knows. */
function saved({ resource: { id, version, lastModifiedAt }, project, isTheirs }: Context) {
  const own = changes.filter((change) => change.id === id);
  const isMine = own.some((change) => change.version === version);
  const hasDraft = draftPlace(project, `edit ${id}`).restore() !== undefined;
  return [
    "Saved ",
    ago(lastModifiedAt),
    isMine ? " by you" : (isTheirs || own.length > 0) && " by another person",
    hasDraft && [" · ", h("a", { href: addressOf(editing(project, id)) }, "Continue your unsaved draft")],
  ];
}

/**
 * Asks for confirmation, then deletes the shown version. The resource remains if another person changed it meanwhile.
 */
async function confirmDelete({ resource, client, project, model, reload }: Context) {
  const { id, version } = resource;
  const name = model.nameOf(resource);
  const agreed = await confirmDeletion(
    `Delete ${name}?`,
    h("p", `It is deleted if nobody has changed it since version ${version}.${undoableDeletion()}`),
  );
  if (!agreed) return;
  const shown = presence();
  try {
    await client.deleteById(id, { version });
    const restored = () => go({ project, id });
    toast(`${name} was deleted.`, "success", undoDeletion({ client, model, deleted: [resource], done: restored }));
    if (shown()) leaveTo(listOf(project));
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

/** The fields with a value, and the names of the others. The heading shows the first field, unless it has no value. */
function content({ resource, project, model }: Context) {
  const { id } = resource;
  const [first, ...others] = model.page;
  const rows = rowsOf(others, resource);
  const empty = model.page.filter((field) => (field !== first || model.title) && !hasValue(resource, field));
  if (may("update")) for (const row of rows) row.addEventListener("click", (event) => editAt(event, project, id));
  const nameOf = (field: Field) =>
    may("update") ? h("a", { href: addressOf(editing(project, id, field)) }, labelOf(field)) : labelOf(field);
  return [
    rows.length > 0 && h("dl", { class: `card record fields ${may("update") ? "editable" : ""}` }, rows),
    empty.length > 0 &&
      h(
        "details",
        { class: "card fold empties" },
        h("summary", plural(empty.length, "empty field")),
        h(
          "ul",
          { class: "toolbar" },
          empty.map((field) => h("li", nameOf(field))),
        ),
      ),
  ];
}

/** Edits the field whose row is pressed, unless something in it is pressed or its text is selected. */
function editAt({ target, currentTarget }: MouseEvent, project: string, id: string) {
  const isOther = !(target instanceof Element) || target.closest("a, button, .table-frame") !== null;
  if (isOther || !(currentTarget instanceof HTMLElement) || getSelection()?.isCollapsed === false) return;
  const name = (target.closest<HTMLElement>("[data-field]") ?? currentTarget).dataset.field;
  go({ project, id, view: "edit", params: { field: name } });
}

function system({ resource, project, model, reload }: Context, headers: AnswerHeaders | undefined) {
  const { id, version, createdAt, lastModifiedAt } = resource;
  const etag = headers?.get("ETag");
  const others = model.editableFields.filter((field) => field.name !== "id" && !model.page.includes(field));
  const rows = [
    valueRow("ID", h("code", id)),
    valueRow("Version", String(version)),
    valueRow("Created", time(createdAt)),
    valueRow("Changed", time(lastModifiedAt)),
    ...others.flatMap((field) =>
      hasValue(resource, field) ? valueRow(labelOf(field), textOf(valueAt(resource, field.path))) : [],
    ),
    valueRow("Revision", h("code", headers?.get("Resource-Revision") ?? String(Date.parse(lastModifiedAt)))),
    ...(etag == null ? [] : [valueRow("ETag", h("code", etag))]),
  ];
  return systemFold(
    h("dl", { class: "record" }, rows),
    h(
      "p",
      { class: "toolbar" },
      may("update") && linkTo("Update actions", { project, id, view: "actions" }),
      button("Reload", reload),
    ),
    log(resource),
  );
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
    { class: "stack own", "aria-label": "Changes from this page", hidden: mine.length === 0 },
    h("h2", "Changes from this page"),
    h("ol", { class: "log stack snug" }, mine.map(line)),
  );
}
