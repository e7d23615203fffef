// What the views of a project get.

import type { Resource, ResourceClient } from "../pkg/browser.js";
import type { Address } from "../state/address.js";
import type { Refresh } from "../state/live.js";

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
