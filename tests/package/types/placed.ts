// A bundler that copies the WebAssembly provides its address.
import { init, ready } from "resource-edge";
import url from "resource-edge/wasm";

await init(url satisfies string);
await ready;
