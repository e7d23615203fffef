/**
 * The type of a global class, if the program's libraries declare it. So neither the browser's nor Node's types are
 * needed.
 */
type Global<Name extends string> = typeof globalThis extends {
  readonly [name in Name]: { readonly prototype: infer Type };
}
  ? Type
  : never;
/** A `WebAssembly.Module`. Its type has no members, so TypeScript cannot distinguish it from other objects. */
interface Module {
  readonly resourceEdgeModule?: never;
}

/** A source of the WebAssembly: an address, a response, its bytes, or a compiled module. */
export type Source =
  | string
  | Global<"URL">
  | Global<"Request">
  | Global<"Response">
  | PromiseLike<Global<"Response">>
  | ArrayBuffer
  | ArrayBufferView
  | Module;

/**
 * Loads the WebAssembly once. In a page, await it (or `ready`) before the first `validate`. The client calls it
 * automatically. Without `source` it finds the WebAssembly in all tools that the README lists. In Node, Bun, Deno, and
 * Workers there is nothing to load. Rejects with an `Error` if the WebAssembly cannot be loaded; a later call tries
 * again.
 */
export function init(source?: Source): Promise<void>;

/** Resolves when the WebAssembly is loaded: `await ready` is the same as `await init()`. */
export const ready: PromiseLike<void>;

export * from "./generated/bodies.js";
export * from "./client.js";
export * from "./fields.js";
export * from "./generated/limits.js";
export { predicate, type PredicateValue } from "./predicate.js";
export * from "./validate.js";
