// Generated from the table of endpoints (src/contract/api/endpoint/table.rs). Do not edit: run `make generate`.

import type { Bodies } from "./bodies.js";

/** The name of an operation, and of the client's method. */
export type Operation =
  | "query"
  | "getById"
  | "getByKey"
  | "search"
  | "exists"
  | "createOrUpdate"
  | "overwrite"
  | "createOrOverwrite"
  | "updateByPath"
  | "updateById"
  | "deleteById"
  | "querySorted"
  | "updateWithUrnLinks";

/** How an operation is sent. */
export interface OperationInfo {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** It writes: the client sends an `Idempotency-Key`. */
  readonly write?: true;
  /** It returns a page of results. */
  readonly page?: true;
  /** The kind of its body, as in `validate`. */
  readonly body?: keyof Bodies;
}

/** How each operation is sent. */
export const operations: { readonly [Name in Operation]: OperationInfo };
