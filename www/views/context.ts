// What the views of a project get.

import type { ResourceModel } from "../model/fields.js";
import type { Resource, ResourceClient } from "../pkg/browser.js";
import type { Address } from "../state/address.js";
import type { Follow } from "../state/live.js";

/** The arguments of a view. `onLeave` adds a function to call once the view is left. */
export interface ViewContext {
  address: Address;
  client: ResourceClient;
  project: string;
  /** The resource of the project. */
  model: ResourceModel;
  onLeave(run: () => void): void;
  follow: Follow;
}

/** Calls the function with each newer version of the resource; `undefined` if it was deleted. */
export type OnNewer = (show: (newest: Resource | undefined) => void) => void;

/** The arguments of a view that changes the given version of a resource. */
export type ResourceContext = Pick<ViewContext, "client" | "project" | "model"> & {
  resource: Resource;
  /** The path of the field that gets the focus, if any. */
  focused: string | undefined;
  onNewer: OnNewer;
};
