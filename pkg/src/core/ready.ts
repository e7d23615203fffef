// `await ready` starts the WebAssembly if necessary. Importing it starts nothing.

import { ready as start } from "./instance.js";

/** Resolves when the WebAssembly is loaded: `await ready` is the same as `await init()`. */
// biome-ignore lint/suspicious/noThenProperty: it is a thenable, so that only `await` starts the WebAssembly
export const ready: PromiseLike<void> = { then: (resolve, reject) => Promise.resolve(start()).then(resolve, reject) };
