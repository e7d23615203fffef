// If the libraries declare the classes of a page, these are sources too.
import { init } from "resource-edge";

await init(new URL("https://example.com/resource_edge_bg.wasm"));
await init(fetch("/resource_edge_bg.wasm"));
await init(await fetch("/resource_edge_bg.wasm"));
await init(new WebAssembly.Module(new Uint8Array(8)));
// @ts-expect-error: an element is not a source
await init(document.body);
