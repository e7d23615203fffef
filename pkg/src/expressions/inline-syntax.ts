// The WebAssembly of the syntax check inside JavaScript: one file for pages, Node, and all tools.

import bytes from "../syntax/inline.js";
import { readSchema, start, type Syntax } from "./syntax-check.js";

let loading: Promise<Syntax> | undefined;
let hasStarted = false;

/** @internal Starts the WebAssembly, once. A failed start may be repeated. */
export function startInline(): Promise<Syntax> {
  loading ??= WebAssembly.compile(bytes())
    .then(start)
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/** @internal Returns the reader of schemas. */
export async function loadSchemaReader() {
  await startInline();
  return readSchema;
}

/** @internal Reads a schema. Starts the WebAssembly before, at once: not for pages, which must not wait. */
export function readSchemaNow(schema: string) {
  if (!hasStarted) start(new WebAssembly.Module(bytes()));
  hasStarted = true;
  return readSchema(schema);
}
