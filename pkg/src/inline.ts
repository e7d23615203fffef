// For tools that cannot copy a file: the WebAssembly is inside the JavaScript, which makes it a third larger.

import { setSources, startFrom } from "./core/instance.js";
import type { Source } from "./core/wasm-source.js";
import bytes from "./wasm/inline.js";

setSources(bytes);

/** Compiles the WebAssembly, once. It needs no source. */
export const init: (source?: Source) => Promise<void> = () => startFrom();

export type { Source };
export * from "./api.js";
