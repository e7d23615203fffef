// Node, Bun, Deno: the WebAssembly starts when the module is imported, so that nothing has to be awaited. Its bytes are
// inside the JavaScript, because bundlers for servers do not find a file beside it.

import { startFromBytes } from "./core/instance.js";
import { readSchemaNow } from "./expressions/inline-syntax.js";
import { setReader } from "./own/reader.js";
import bytes from "./wasm/inline.js";

startFromBytes(bytes());
setReader(readSchemaNow);

/** Does nothing: the WebAssembly has started. It exists so that the same program runs in a browser. */
export async function init() {}

export * from "./api.js";
