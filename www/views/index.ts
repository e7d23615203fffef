// The views of a project, by the last part of their addresses. A view with a `tab` is in the navigation.

import type { Resource, ResourceClient } from "../pkg/browser.js";
import type { Refresh } from "../state/live.js";
import { mayWrite } from "../state/session.js";
import { addressOf, type Address, type AddressParts } from "../state/address.js";
import { h, type Child } from "../widgets/dom.js";
import { exportButton } from "../widgets/export-dialog.js";
import { actionsView } from "./actions.js";
import { backupView } from "./backup.js";
import { collectionView } from "./collection.js";
import { createView, editView } from "./edit.js";
import { importView } from "./import.js";
import { resourceView } from "./resource.js";
import { searchView } from "./search.js";
import { statusView } from "./status.js";

/**
 * The arguments of a view. `onLeave` adds a function to call once the view is left, and `onChange` one to call after
 * changes until then.
 */
export interface ViewContext {
  address: Address;
  client: ResourceClient;
  project: string;
  onLeave(run: () => void): void;
  onChange(refresh: Refresh): void;
}

/** The arguments of a view that changes the given version of a resource. */
export type ResourceContext = Pick<ViewContext, "client" | "project" | "onChange"> & { resource: Resource };

/** A view of a project. `title` returns the title of the browser's tab without the project. */
interface View {
  tab?: string;
  title(address: Address): string;
  show(context: ViewContext): HTMLElement | Promise<HTMLElement>;
}

/** Returns a view of the current resource, because the person changes the shown version. */
const ofResource =
  (view: (context: ResourceContext) => HTMLElement): View["show"] =>
  async ({ address, client, project, onChange }) =>
    view({ client, project, onChange, resource: await client.getById(address.id ?? "", undefined, { fresh: true }) });

const titled =
  (title: string): View["title"] =>
  ({ project }) =>
    `${title} · ${project}`;

export const views: { [name: string]: View } = {
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

const link = (label: string, address: AddressParts, kind = "") =>
  h("a", { class: `button ${kind}`, href: addressOf(address) }, label);

/** The buttons of the collection: for the resources that match a predicate, and for an empty project. */
export type CollectionTools = { list(where: string | undefined): Child; empty(): Child };

function collectionTools({ client, project }: ViewContext): CollectionTools {
  const create = () => mayWrite() && link("New resource", { project, view: "new" }, "primary");
  return {
    list: (where) => [exportButton(client, project, where), create()],
    empty: () => mayWrite() && [create(), link("Import", { project, view: "import" })],
  };
}

/** Returns the buttons of a resource. */
function resourceTools({ project }: ViewContext): (resource: Resource) => Child {
  return ({ id }) =>
    mayWrite() && [
      link("Edit", { project, id, view: "edit" }, "primary"),
      link("Update actions", { project, id, view: "actions" }),
    ];
}
