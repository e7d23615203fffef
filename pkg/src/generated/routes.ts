// Generated from the table of endpoints (src/contract/api/endpoint/table.rs). Do not edit: run `make generate`.

/** The method and the path of each operation, the most specific path first. */
export const routes = [
  { operation: "query", method: "GET", path: "/{projectKey}/resource" },
  { operation: "exists", method: "HEAD", path: "/{projectKey}/resource" },
  { operation: "createOrUpdate", method: "POST", path: "/{projectKey}/resource" },
  { operation: "overwrite", method: "PATCH", path: "/{projectKey}/resource" },
  { operation: "createOrOverwrite", method: "PUT", path: "/{projectKey}/resource" },
  { operation: "search", method: "GET", path: "/{projectKey}/resource/searchApiPattern" },
  { operation: "querySorted", method: "GET", path: "/{projectKey}/resource/sorted-query-parameters" },
  { operation: "updateWithUrnLinks", method: "POST", path: "/{projectKey}/resource/description-with-urn-links" },
  { operation: "updateByPath", method: "POST", path: "/{projectKey}/resource/artificially-complex/path/uri-parameter-one={uriParameterOne}/{uriParameterTwo}" },
  { operation: "getByKey", method: "GET", path: "/{projectKey}/resource/key={key}" },
  { operation: "getById", method: "GET", path: "/{projectKey}/resource/{id}" },
  { operation: "updateById", method: "POST", path: "/{projectKey}/resource/{id}" },
  { operation: "deleteById", method: "DELETE", path: "/{projectKey}/resource/{id}" },
];
