// Written by tests/client from the operation table (src/contract/operation.rs). Do not edit: UPDATE=1 cargo test --test client

/** How each operation is sent, and the kind of its body. */
export const operations = {
  query: { number: 0, method: "GET" },
  getById: { number: 1, method: "GET" },
  getByKey: { number: 2, method: "GET" },
  search: { number: 3, method: "GET" },
  exists: { number: 4, method: "HEAD" },
  createOrUpdate: { number: 5, method: "POST", write: true, body: "resourceDraft" },
  overwrite: { number: 6, method: "PATCH", write: true, body: "resourceOverwrite" },
  createOrOverwrite: { number: 7, method: "PUT", write: true, body: "resourceOverwrite" },
  updateByPath: { number: 8, method: "POST", write: true, body: "complexBody" },
  updateById: { number: 9, method: "POST", write: true, body: "resourceUpdate" },
  deleteById: { number: 10, method: "DELETE", write: true },
  querySorted: { number: 11, method: "GET" },
  updateWithUrnLinks: { number: 12, method: "POST", write: true, body: "complexBody" },
};

/** Parameters of many names, which stand in an object under their common beginning. */
export const families = ["text", "var"];
