// The exports of every entry point in addition to its `init`.

export { ready } from "./ready.js";
export type * from "./generated/bodies.js";
export * from "./client.js";
export { type ErrorKind, ResourceError } from "./errors.js";
export { shareReads } from "./share.js";
export * from "./fields.js";
export * from "./generated/limits.js";
export { predicate, type PredicateValue } from "./predicate.js";
export type { FieldRow, FieldTable } from "./own-fields.js";
export type { OwnAction, OwnBody, OwnFields, OwnPredicates, OwnValues } from "./own-types.js";
export { getFields, setFields } from "./set-fields.js";
export {
  type Issue,
  type Valid,
  type Invalid,
  type Validation,
  validate,
  type Schema,
  resourceDraft,
  resourceOverwrite,
  resourceUpdate,
  complexBody,
} from "./validate.js";
