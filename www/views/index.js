// The views of a project, by the last part of their addresses. `show` returns the element, or its promise, from `{
// address, client, project, onLeave }`. A view with a `tab` is in the navigation.

import { actionsView } from "./actions.js";
import { addressOf } from "../state/address.js";
import { collectionView } from "./collection.js";
import { h } from "../widgets/dom.js";
import { createView, editView } from "./edit.js";
import { resourceView } from "./resource.js";
import { searchView } from "./search.js";
import { mayWrite } from "../state/session.js";
import { statusView } from "./status.js";
import { exportButton, importView } from "./import.js";

/** A view of the current resource, because the shown version is the one that is changed. */
const ofResource =
  (view) =>
  async ({ address, client, project }) =>
    view({ client, project, resource: await client.getById(address.id, undefined, { fresh: true }) });

export const views = {
  collection: {
    tab: "Resources",
    title: ({ project }) => project,
    show: (context) => collectionView({ ...context, tools: collectionTools(context) }),
  },
  search: { tab: "Search", title: ({ project }) => `Search · ${project}`, show: searchView },
  import: { tab: "Import", title: ({ project }) => `Import · ${project}`, show: importView },
  status: { tab: "Status", title: ({ project }) => `Status · ${project}`, show: statusView },
  new: { title: ({ project }) => `New resource · ${project}`, show: createView },
  resource: { title: ({ id }) => id, show: (context) => resourceView({ ...context, tools: resourceTools(context) }) },
  edit: { title: ({ id }) => `Edit · ${id}`, show: ofResource(editView) },
  actions: { title: ({ id }) => `Update actions · ${id}`, show: ofResource(actionsView) },
};

const link = (label, address, kind = "") => h("a", { class: `button ${kind}`, href: addressOf(address) }, label);

function collectionTools({ client, project }) {
  const create = () => mayWrite() && link("New resource", { project, view: "new" }, "primary");
  const tools = (where) => [exportButton({ client, project, where }), create()];
  tools.start = () => mayWrite() && [create(), link("Import", { project, view: "import" })];
  return tools;
}

function resourceTools({ project }) {
  return ({ resource: { id } }) =>
    mayWrite() && [
      link("Edit", { project, id, view: "edit" }, "primary"),
      link("Update actions", { project, id, view: "actions" }),
    ];
}
