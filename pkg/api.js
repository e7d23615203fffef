// What every entry point exports beside its `init`.

export { predicate, ResourceClient, ResourceError } from "./client.js";
export { complexBody, resourceDraft, resourceOverwrite, resourceUpdate, validate } from "./validate.js";
