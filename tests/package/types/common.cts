// A CommonJS program: its types allow `require`.
import { ResourceError, validate, type Resource, type ResourceClient } from "resource-edge";
import { live } from "resource-edge/live";
import { useLive } from "resource-edge/react";

const result = validate("complexBody", {});
export const count: number = result.valid ? 0 : result.issues.length;
export const isOurs = (error: unknown): error is ResourceError => error instanceof ResourceError;
export const idOf = (resource: Resource): string => resource.id;
export const first = (client: ResourceClient): Resource | undefined => live(client).getSnapshot().items[0];
export const shown = (client: ResourceClient): number => useLive(client).items.length;
