import { ready as start } from "./core.js";

/**
 * `await ready` waits for the WebAssembly and starts it if necessary. Importing it starts nothing.
 * @type {PromiseLike<void>}
 */
// biome-ignore lint/suspicious/noThenProperty: it is a thenable, so that only `await` starts the WebAssembly
export const ready = { then: (resolve, reject) => Promise.resolve(start()).then(resolve, reject) };
