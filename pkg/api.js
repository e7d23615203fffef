// What every entry point exports beside its `init`.

export { ResourceClient } from "./client.js";
export { ResourceError } from "./errors.js";
export { predicate } from "./input.js";
export { shareReads } from "./share.js";
export { ready } from "./ready.js";
export { complexBody, resourceDraft, resourceOverwrite, resourceUpdate, validate } from "./validate.js";
