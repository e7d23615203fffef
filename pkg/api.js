// What every entry point exports beside its `init`.

export { complexBody, resourceDraft, resourceOverwrite, resourceUpdate, validate } from "./validate.js";
