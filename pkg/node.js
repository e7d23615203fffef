// Node, Bun, Deno: the file is read when the module is loaded, so that nothing has to be awaited.

import { readFileSync } from "node:fs";
import { startNow } from "./core.js";

startNow(readFileSync(new URL("./wasm/resource_edge_bg.wasm", import.meta.url)));

/** Nothing is left to do here; it is there so that the same program runs in a browser. */
export async function init() {}

export * from "./api.js";
