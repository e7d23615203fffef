// The exports of every entry point in addition to its `init`.

export { ResourceClient } from "./client.js";
export { ResourceError } from "./errors.js";
export { fieldSchema } from "./fields.js";
export { limits } from "./generated/limits.js";
export { predicate } from "./predicate.js";
export { ready } from "./ready.js";
export { shareReads } from "./share.js";
export { complexBody, resourceDraft, resourceOverwrite, resourceUpdate, validate } from "./validate.js";
