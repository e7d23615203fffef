// Generated from the limits (src/contract/limits.rs) and the built-in issuer (src/server/settings.rs). Do not edit: run `make generate`.

/** The limits of the service. */
export const limits = /* @__PURE__ */ Object.freeze({
  /** The largest body and the largest stored record, in bytes. */
  bodyBytes: 1048576,
  /** The deepest nesting of a body; the outermost object is depth 1. */
  bodyDepth: 32,
  /** How many issues are listed; the rest are counted. */
  issues: 100,
  /** The longest ID or key, in UTF-8 bytes. */
  nameBytes: 256,
  /** The longest project key, in characters. */
  projectKeyChars: 128,
  /** The longest name of a resource that a deployment declares, and of a property, in characters. */
  shapeNameChars: 64,
  /** The maximum number of update actions in one request. */
  actions: 500,
  /** The maximum number of writes in a batch. */
  batchWrites: 100,
  /** The maximum number of bytes of the resources that a batch writes, before and after each write: what the largest single write reads and writes. The results of a batch fit in a row with them. */
  batchResourceBytes: 2000000,
  /** The largest integer in a body; the smallest is its negative. A double represents all integers between them exactly. */
  integerMax: 9007199254740991,
  /** The default page size. */
  pageDefault: 20,
  /** The largest page. */
  pageMax: 500,
  /** The largest offset. */
  offsetMax: 10000,
  /** The largest page in bytes. A page is in memory several times on its way, as text of one or two bytes a character, and an instance has 128 MB. */
  pageBytes: 4194304,
  /** The maximum number of distinct items in `objectParameter`, of all its arrays together. */
  objectItems: 500,
  /** How many characters of each text are searched. */
  searchTextChars: 256,
  /** The maximum number of different words in one search: as many as one text can have, each a character. */
  searchWords: 256,
  /** The maximum number of different words that the last word of a search with `prefix=true` matches. */
  searchPrefixWords: 512,
  /** The longest `filter`, `filter.query`, `filter.facets` or `facet`, in UTF-8 bytes. */
  searchExpressionBytes: 8192,
  /** The maximum number of filters in one search, of all three kinds together. */
  searchFilters: 100,
  /** The maximum number of facets in one search: each costs a pass over the results. */
  searchFacets: 50,
  /** The maximum number of ranges in the filters of one search, and in its facets: each is a separate condition or pass. */
  searchRanges: 100,
  /** The maximum number of terms that a facet lists. */
  facetTerms: 200,
  /** How long an `Idempotency-Key` is stored, in milliseconds. */
  idempotencyMs: 86400000,
  /** How many `Idempotency-Key`s a project stores. */
  idempotencyRows: 100000,
  /** The longest `Idempotency-Key`, in characters. */
  idempotencyKeyChars: 255,
  /** The shortest `X-Correlation-ID` that a caller may send, in characters. */
  correlationIdCharsMin: 8,
  /** The longest `X-Correlation-ID` that a caller may send, in characters. */
  correlationIdCharsMax: 256,
  /** The longest request target (path and query), in bytes: every parameter at its largest fits. */
  targetBytes: 65536,
  /** The longest bearer token, in bytes: twice what the platform allows for all headers of a response. */
  tokenBytes: 16384,
  /** The longest name of a user, a client, an issuer, or an audience in a token, in bytes. */
  tokenNameBytes: 512,
  /** The longest predicate, in UTF-8 bytes; of several in one request, their sum. */
  predicateBytes: 8192,
  /** The deepest nesting of a predicate: parentheses, `not` and nested conditions. */
  predicateDepth: 64,
  /** The maximum size that the variables of a request's predicates add when each use is replaced by its values: bytes of text plus `predicateValueCost` a value. A list that fills the request target fits once. Without this limit, a list that many conditions name would grow with the product of both. */
  predicateVariableBytes: 262144,
  /** The bytes that a variable's value counts in addition to its text. */
  predicateValueCost: 16,
});

/** The issuer and the audience of tokens that `TOKEN_SECRET` signs. */
export const ISSUER = "resource-edge";
