// The views of a project, by the last part of their addresses. A view with a `tab` is in the navigation.

import type { Address } from "../state/address.js";
import { actionsView } from "./actions.js";
import { Backup } from "./backup.js";
import { Collection } from "./collection.js";
import type { OnNewer, ResourceContext, ViewContext } from "./context.js";
import { createView, editView } from "./edit.js";
import { Import } from "./import.js";
import { followResource, resourceView } from "./resource.js";
import type { Right } from "../state/session.js";
import { statusView } from "./status.js";

/**
 * A view of a project. `title` returns the title of the browser's tab without the project. A user without the right
 * does not see its tab.
 */
interface View {
  tab?: string;
  right?: Right;
  title(address: Address): string;
  show(context: ViewContext): HTMLElement | Promise<HTMLElement>;
}

/** Returns a view that gets the newest version of a resource: the version that the person changes. */
const ofResource =
  (view: (context: ResourceContext) => HTMLElement): View["show"] =>
  async ({ address: { id = "", params }, client, project, model, follow }) => {
    let show: Parameters<OnNewer>[0] = () => {};
    const { results, missing } = await followResource(follow, id, ({ results: [newest] }) => show(newest));
    const [resource] = results;
    if (resource === undefined) throw missing;
    const focused = params.get("field") ?? undefined;
    return view({ client, project, model, resource, focused, onNewer: (run) => (show = run) });
  };

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
  import: { tab: "Import", right: "create", title: titled("Import"), show: (context) => new Import(context).element },
  backup: { tab: "Backup", right: "operate", title: titled("Backup"), show: (context) => new Backup(context).element },
  status: { tab: "Status", right: "operate", title: titled("Status"), show: statusView },
  new: { title: titled("New resource"), show: createView },
  resource: { title: ({ id }) => id ?? "", show: resourceView },
  edit: { title: ({ id }) => `Edit · ${id}`, show: ofResource(editView) },
  actions: { title: ({ id }) => `Update actions · ${id}`, show: ofResource(actionsView) },
};
