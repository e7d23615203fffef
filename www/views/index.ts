// The views of a project, by the last part of their addresses. A view with a `tab` is in the navigation.

import type { Resource, ResourceClient } from "../pkg/browser.js";
import type { Refresh } from "../state/live.js";
import type { Address } from "../state/address.js";
import { actionsView } from "./actions.js";
import { Backup } from "./backup.js";
import { Collection } from "./collection.js";
import { createView, editView } from "./edit.js";
import { Import } from "./import.js";
import { resourceView } from "./resource.js";
import { Search } from "./search.js";
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
    show: (context) => new Collection(context).element,
  },
  search: { tab: "Search", title: titled("Search"), show: (context) => new Search(context).element },
  import: { tab: "Import", title: titled("Import"), show: (context) => new Import(context).element },
  backup: { tab: "Backup", title: titled("Backup"), show: (context) => new Backup(context).element },
  status: { tab: "Status", title: titled("Status"), show: statusView },
  new: { title: titled("New resource"), show: createView },
  resource: { title: ({ id }) => id ?? "", show: resourceView },
  edit: { title: ({ id }) => `Edit · ${id}`, show: ofResource(editView) },
  actions: { title: ({ id }) => `Update actions · ${id}`, show: ofResource(actionsView) },
};
