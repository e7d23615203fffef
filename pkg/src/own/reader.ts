// What reads JSON Schema: the WebAssembly of the syntax check. Programs without a page have it from the start. A page
// loads it if a schema is not in the plain form, in which `npx resource-edge types` writes it.

import { notReady } from "../core/instance.js";
import type { SchemaReader } from "./declare.js";

let reader: SchemaReader | undefined;
let load: (() => Promise<SchemaReader>) | undefined;

/** Sets the reader. An entry point calls it when it is imported. */
export function setReader(read: SchemaReader) {
  reader = read;
}

/** Sets what loads the reader. An entry point calls it when it is imported. */
export function setReaderSource(source: () => Promise<SchemaReader>) {
  load = source;
}

/** Returns whether schemas can be read. */
export const hasReader = () => reader !== undefined;

/** Loads the reader, once. A failed attempt may be repeated. */
export async function loadReader() {
  reader ??= await load?.();
}

/** Reads a schema. Throws an `Error` if the reader is not loaded. */
export const read: SchemaReader = (schema) => (reader ?? notReady())(schema);
