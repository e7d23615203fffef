// Written by tests/client from the operation table (src/contract/operation.rs). Do not edit: UPDATE=1 cargo test --test client

/** The name of an operation. */
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
