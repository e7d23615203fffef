// Generated from the limits (src/contract/limits.rs). Do not edit: run `make generate`.

/** The limits of the service. */
export const limits: {
  /** The largest body and the largest stored record, in bytes. */
  readonly bodyBytes: 1048576;
  /** The deepest nesting of a body; the outermost object is depth 1. */
  readonly bodyDepth: 32;
  /** How many issues are listed; the rest are counted. */
  readonly issues: 100;
  /** The longest ID or key, in UTF-8 bytes. */
  readonly nameBytes: 256;
  /** The longest project key, in characters. */
  readonly projectKeyChars: 128;
  /** The maximum number of update actions in one request. */
  readonly actions: 500;
  /** The largest integer in a body; the smallest is its negative. A double represents all integers between them exactly. */
  readonly integerMax: 9007199254740991;
  /** The default page size. */
  readonly pageDefault: 20;
  /** The largest page. */
  readonly pageMax: 500;
  /** The largest offset. */
  readonly offsetMax: 10000;
  /** The largest page in bytes. A page is in memory several times on its way, as text of one or two bytes a character, and an instance has 128 MB. */
  readonly pageBytes: 4194304;
  /** The maximum number of distinct items in `objectParameter`, of all its arrays together. */
  readonly objectItems: 500;
  /** How many characters of each text are searched. */
  readonly searchTextChars: 256;
  /** The maximum number of different words in one search: as many as one text can have, each a character. */
  readonly searchWords: 256;
  /** The longest `filter`, `filter.query`, `filter.facets` or `facet`, in UTF-8 bytes. */
  readonly searchExpressionBytes: 8192;
  /** The maximum number of filters in one search, of all three kinds together. */
  readonly searchFilters: 100;
  /** The maximum number of facets in one search: each costs a pass over the results. */
  readonly searchFacets: 50;
  /** The maximum number of ranges in the filters of one search, and in its facets: each is a separate condition or pass. */
  readonly searchRanges: 100;
  /** The maximum number of terms that a facet lists. */
  readonly facetTerms: 200;
  /** How long an `Idempotency-Key` is stored, in milliseconds. */
  readonly idempotencyMs: 86400000;
  /** How many `Idempotency-Key`s a project stores. */
  readonly idempotencyRows: 100000;
  /** The longest `Idempotency-Key`, in characters. */
  readonly idempotencyKeyChars: 255;
  /** The longest request target (path and query), in bytes: every parameter at its largest fits. */
  readonly targetBytes: 65536;
  /** The longest bearer token, in bytes: twice what the platform allows for all headers of a response. */
  readonly tokenBytes: 16384;
  /** The longest predicate, in UTF-8 bytes; of several in one request, their sum. */
  readonly predicateBytes: 8192;
  /** The deepest nesting of a predicate: parentheses, `not` and nested conditions. */
  readonly predicateDepth: 64;
  /** The maximum size that the variables of a request's predicates add when each use is replaced by its values: bytes of text plus `predicateValueCost` a value. A list that fills the request target fits once. Without this limit, a list that many conditions name would grow with the product of both. */
  readonly predicateVariableBytes: 262144;
  /** The bytes that a variable's value counts in addition to its text. */
  readonly predicateValueCost: 16;
  /** The shortest and longest `X-Correlation-ID` that a caller may send, in characters. */
  readonly correlationIdCharsMin: 8;
  /** The shortest and longest `X-Correlation-ID` that a caller may send, in characters. */
  readonly correlationIdCharsMax: 256;
};
