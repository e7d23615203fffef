// The first module of the console. It shows a page when the WebAssembly of the package is loaded.

import { begin } from "./app.js";
import { init } from "./pkg/browser.js";
import { mount } from "./widgets/base/dom.js";
import { failureView } from "./widgets/base/failure.js";

async function start() {
  try {
    // index.html has let the browser load it already.
    await init("/pkg/wasm/resource_edge_bg.wasm");
    await begin();
  } catch (error) {
    const main = document.getElementById("main");
    if (main !== null) mount(main, failureView(error, start));
  }
}
await start();
