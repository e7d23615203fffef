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
  /** @internal Its number in Rust. */
  readonly index: number;
}

/** How each operation is sent. */
export const operations: { readonly [Name in Operation]: OperationInfo } = {
  query: { index: 0, method: "GET", page: true },
  getById: { index: 1, method: "GET" },
  getByKey: { index: 2, method: "GET" },
  search: { index: 3, method: "GET", page: true },
  exists: { index: 4, method: "HEAD" },
  createOrUpdate: { index: 5, method: "POST", write: true, body: "resourceDraft" },
  overwrite: { index: 6, method: "PATCH", write: true, body: "resourceOverwrite" },
  createOrOverwrite: { index: 7, method: "PUT", write: true, body: "resourceOverwrite" },
  updateByPath: { index: 8, method: "POST", write: true, body: "complexBody" },
  updateById: { index: 9, method: "POST", write: true, body: "resourceUpdate" },
  deleteById: { index: 10, method: "DELETE", write: true },
  querySorted: { index: 11, method: "GET", page: true },
  updateWithUrnLinks: { index: 12, method: "POST", write: true, body: "complexBody" },
};

/** @internal How the client's other calls of a project are sent. */
export const projectCalls = {
  status: { index: 13, method: "GET", lines: false },
  export: { index: 14, method: "GET", lines: true },
  import: { index: 15, method: "POST", lines: false },
  changes: { index: 16, method: "GET", page: true },
  clear: { index: 17, method: "DELETE", lines: false },
  restore: { index: 18, method: "POST", lines: false },
  batch: { index: 19, method: "POST", write: true, body: "writeBatch" },
} as const;

/** @internal The most lines of an import, and their most bytes. */
export const BATCH = { lines: 500, bytes: 262144 };

/** @internal Parameters of many names, which an object under their prefix contains. */
export const families = ["text", "var"];

/** @internal Parameters whose value is an object. */
export const objects = ["objectParameter"];
