// The first module of the console. Its other modules derive forms, columns, and examples from the schema when they are
// evaluated, so they are imported after the service's own fields have been added to it.

import { init, setFields, type FieldRow } from "./pkg/browser.js";
import { mount } from "./widgets/base/dom.js";
import { failureView } from "./widgets/base/failure.js";

/** Adds the own fields of the service, if it has any (D37). Without them, forms would refuse their values. */
async function addOwnFields() {
  // The document may be cached for some minutes. A new field is needed at once.
  const response = await fetch("/openapi.json", { credentials: "omit", cache: "no-cache" });
  if (!response.ok) throw new Error(`The OpenAPI document of the service cannot be read: status ${response.status}.`);
  const { "x-own-fields": fields }: { "x-own-fields"?: FieldRow[] } = await response.json();
  if (fields !== undefined) setFields({ fields });
}

async function start() {
  try {
    await Promise.all([init(), addOwnFields()]);
    await import("./app.js");
  } catch (error) {
    const main = document.getElementById("main");
    if (main !== null) mount(main, failureView(error, start));
  }
}
await start();
