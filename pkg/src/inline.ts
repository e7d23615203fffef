// For tools that cannot copy a file: the WebAssembly is inside the JavaScript, which makes it a third larger.

import { setSources, startFrom } from "./core/instance.js";
import type { Source } from "./core/wasm-source.js";
import { setReaderSource } from "./own/reader.js";
import bytes from "./wasm/inline.js";

setSources(bytes);

// Only for schemas that are not in the plain form.
setReaderSource(async () => (await import("./expressions/inline-syntax.js")).loadSchemaReader());

/** Compiles the WebAssembly, once. It needs no source. */
export const init: (source?: Source) => Promise<void> = () => startFrom();

export type { Source };
export * from "./api.js";
