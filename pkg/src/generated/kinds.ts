// Generated from the schema (src/shape/built_in.rs). Do not edit: run `make generate`.

/** The kinds of bodies, by the numbers that they have in the WebAssembly. */
export const kinds = ["resourceDraft", "resourceOverwrite", "resourceUpdate", "complexBody", "writeBatch"];

/** The largest body, in bytes (D10). */
export const BODY_BYTES = 1048576;

/** The deepest array or object that a body may have; what is deeper is never looked into. */
export const DEPTH = 7;

/** The same in a body of a resource that a deployment declares. */
export const DECLARED_DEPTH = 14;

/** The characters that replace what JSON cannot write. */
export const foreign: { readonly [kind: string]: string } = {
  "undefined": "\x0e",
  "NaN": "\x0f",
  "Infinity": "\x10",
  "-Infinity": "\x11",
  "a bigint": "\x12",
  "a symbol": "\x13",
  "a function": "\x14",
  "a Date": "\x15",
  "an instance of a class": "\x16",
  "a value that cannot be read": "\x17",
};
