/**
 * The type of a global class, if the program's libraries declare it. So neither the browser's nor Node's types are
 * needed.
 */
export type Global<Name extends string> = typeof globalThis extends {
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
