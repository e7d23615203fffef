// The views of a project, by the last part of their addresses. A view with a `tab` is in the navigation.

import { mayWrite } from "../state/session.js";
import { addressOf } from "../state/address.js";
import { h } from "../widgets/dom.js";
import { exportButton } from "../widgets/export-dialog.js";
import { actionsView } from "./actions.js";
import { backupView } from "./backup.js";
import { collectionView } from "./collection.js";
import { createView, editView } from "./edit.js";
import { importView } from "./import.js";
import { resourceView } from "./resource.js";
import { searchView } from "./search.js";
import { statusView } from "./status.js";

/** @import { Resource, ResourceClient } from "../pkg/browser.js" */
/** @import { Address, AddressParts } from "../state/address.js" */
/** @import { Child } from "../widgets/dom.js" */

/**
 * The arguments of a view. `onLeave` adds a function to call once the view is left.
 * @typedef {{
 *   address: Address & { id?: string | undefined },
 *   client: ResourceClient,
 *   project: string,
 *   onLeave(run: () => void): void,
 * }} ViewContext
 */

/**
 * A view of a project. `title` returns the title of the browser's tab without the project.
 * @typedef {{
 *   tab?: string,
 *   title(address: Address): string,
 *   show(context: ViewContext): HTMLElement | Promise<HTMLElement>,
 * }} View
 */

/**
 * Returns a view of the current resource, because the person changes the shown version.
 * @param {(context: { client: ResourceClient, project: string, resource: Resource }) => HTMLElement} view
 * @returns {View["show"]}
 */
const ofResource =
  (view) =>
  async ({ address, client, project }) =>
    view({ client, project, resource: await client.getById(address.id ?? "", undefined, { fresh: true }) });

/**
 * @param {string} title
 * @returns {View["title"]}
 */
const titled =
  (title) =>
  ({ project }) =>
    `${title} · ${project}`;

/** @type {{ [name: string]: View }} */
export const views = {
  collection: {
    tab: "Resources",
    title: ({ project }) => project ?? "",
    show: (context) => collectionView({ ...context, tools: collectionTools(context) }),
  },
  search: { tab: "Search", title: titled("Search"), show: searchView },
  import: { tab: "Import", title: titled("Import"), show: importView },
  backup: { tab: "Backup", title: titled("Backup"), show: backupView },
  status: { tab: "Status", title: titled("Status"), show: statusView },
  new: { title: titled("New resource"), show: createView },
  resource: {
    title: ({ id }) => id ?? "",
    show: (context) => resourceView({ ...context, tools: resourceTools(context) }),
  },
  edit: { title: ({ id }) => `Edit · ${id}`, show: ofResource(editView) },
  actions: { title: ({ id }) => `Update actions · ${id}`, show: ofResource(actionsView) },
};

/**
 * @param {string} label
 * @param {AddressParts} address
 * @param {string} [kind]
 */
const link = (label, address, kind = "") => h("a", { class: `button ${kind}`, href: addressOf(address) }, label);

/**
 * The buttons of the collection: for the resources that match a predicate, and for an empty project.
 * @typedef {{ list(where: string | undefined): Child, empty(): Child }} CollectionTools
 */

/**
 * @param {ViewContext} context
 * @returns {CollectionTools}
 */
function collectionTools({ client, project }) {
  const create = () => mayWrite() && link("New resource", { project, view: "new" }, "primary");
  return {
    list: (where) => [exportButton({ client, project, where }), create()],
    empty: () => mayWrite() && [create(), link("Import", { project, view: "import" })],
  };
}

/**
 * Returns the buttons of a resource.
 * @param {ViewContext} context
 * @returns {(resource: Resource) => Child}
 */
function resourceTools({ project }) {
  return ({ id }) =>
    mayWrite() && [
      link("Edit", { project, id, view: "edit" }, "primary"),
      link("Update actions", { project, id, view: "actions" }),
    ];
}
