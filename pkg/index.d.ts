/** What the WebAssembly may come from, where a runtime does not find it by itself. */
export type Source = string | URL | Request | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/**
 * Makes the package ready: to be awaited once, where the program starts. In browsers it fetches the WebAssembly, from
 * the place where Vite, webpack or the package's own folder have it, or from `source`. In Node, Bun, Deno and Workers,
 * and with `resource-edge/inline`, nothing needs to be fetched.
 */
export function init(source?: Source): Promise<void>;

export * from "./bodies.js";
export * from "./validate.js";
