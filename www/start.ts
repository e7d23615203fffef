// The first module of the console. It imports the others when the WebAssembly of the package is loaded.

import { init } from "./pkg/browser.js";
import { mount } from "./widgets/base/dom.js";
import { failureView } from "./widgets/base/failure.js";

async function start() {
  try {
    await init();
    await import("./app.js");
  } catch (error) {
    const main = document.getElementById("main");
    if (main !== null) mount(main, failureView(error, start));
  }
}
await start();
