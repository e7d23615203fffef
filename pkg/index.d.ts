/** The type of a global class, where the program's libraries have it: neither browser's nor Node's types are needed. */
type Global<Name extends string> = typeof globalThis extends { readonly [name in Name]: { readonly prototype: infer Type } } ? Type : never;
/** A `WebAssembly.Module`, whose type has no members by which TypeScript could tell it from anything else. */
interface Module {
  readonly resourceEdgeModule?: never;
}

/** What the WebAssembly may come from: an address, a response, its bytes, or a compiled module. */
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
 * Makes the package ready: to be awaited once, where the program starts. In browsers it fetches the WebAssembly, from
 * the place where Vite, webpack or the package's own folder have it, or from `source`. In Node, Bun, Deno and Workers,
 * and with `resource-edge/inline`, nothing needs to be fetched.
 */
export function init(source?: Source): Promise<void>;

export * from "./bodies.js";
export * from "./client.js";
export * from "./fields.js";
export * from "./limits.js";
export { predicate, type PredicateValue } from "./predicate.js";
export * from "./validate.js";
