// The exports of every entry point in addition to its `init`.

export { ready } from "./core/ready.js";
export type * from "./generated/bodies.js";
export type { ErrorItem, Reason } from "./generated/issues.js";
export type * from "./generated/params.js";
export type * from "./generated/responses.js";
export { ResourceClient } from "./client/client.js";
export { type ErrorKind, ResourceError } from "./client/errors.js";
export type * from "./client/options.js";
export { shareReads } from "./client/share-reads.js";
export * from "./validate/field-schema.js";
export * from "./generated/limits.js";
export { predicate, type PredicateValue } from "./predicate.js";
export type {
  ActionOf,
  BodiesOf,
  BatchWriteOf,
  ChangedOf,
  ChangesOf,
  ComplexOf,
  DraftOf,
  OverwriteOf,
  PageOf,
  QueryPageOf,
  QueryParamsOf,
  RecordOf,
  SearchPageOf,
  UpdateOf,
  WriteOf,
  WriteResultOf,
} from "./own/bodies.js";
export type { FieldName, PartOf, WithFields } from "./own/parts.js";
export type { PlainResources, Resources } from "./own/declare.js";
export type { FieldsOf } from "./own/fields.js";
export { merge, type MergeChange, type MergeChoice, type Merged } from "./own/merge.js";
export { type DeclaredResource, resource } from "./own/resource.js";
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
  writeBatch,
} from "./validate/validate.js";
