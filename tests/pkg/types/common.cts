// A CommonJS program: its types allow `require`.
import { ResourceError, validate, type Resource } from "resource-edge";

const result = validate("complexBody", {});
export const count: number = result.valid ? 0 : result.issues.length;
export const isOurs = (error: unknown): error is ResourceError => error instanceof ResourceError;
export const idOf = (resource: Resource): string => resource.id;
