// Generated from the table of endpoints (src/contract/api/endpoint/table.rs). Do not edit: run `make generate`.

/** How each operation is sent, and the kind of its body. */
export const operations = {
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

/** Parameters of many names, which an object under their prefix contains. */
export const families = ["text", "var"];

/** Parameters whose value is an object. */
export const objects = ["objectParameter"];
