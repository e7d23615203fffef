// The WebAssembly of the syntax check inside JavaScript: one file for pages, Node, and all tools.

import bytes from "../syntax/inline.js";
import { checkResources, readSchema, start, type Syntax } from "./syntax-check.js";

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

/** Starts the WebAssembly at once: not for pages, which must not wait. */
function startNow() {
  if (!hasStarted) start(new WebAssembly.Module(bytes()));
  hasStarted = true;
}

/** @internal Reads a schema, after a start at once. */
export function readSchemaNow(schema: string) {
  startNow();
  return readSchema(schema);
}

/** @internal Returns what is wrong with the content of `resources.json`, as JSON, after a start at once. */
export function checkResourcesNow(content: string) {
  startNow();
  return checkResources(content);
}
