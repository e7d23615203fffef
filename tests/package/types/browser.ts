// If the libraries declare the classes of a page, these are sources too.
import { init } from "resource-edge";
import type { Service } from "resource-edge/testing";

await init(new URL("https://example.com/resource_edge_bg.wasm"));
await init(fetch("/resource_edge_bg.wasm"));
await init(await fetch("/resource_edge_bg.wasm"));
await init(new WebAssembly.Module(new Uint8Array(8)));
// @ts-expect-error: an element is not a source
await init(document.body);

/** A function that chooses addresses gets the class, too. */
export async function routes(service: Service): Promise<void> {
  const page = { route: () => Promise.resolve(), routeWebSocket: () => Promise.resolve() };
  await service.route(page, ({ pathname }) => pathname === "/demo/resource");
  // @ts-expect-error: it has no such member
  await service.route(page, ({ path }) => path === "/demo/resource");
}
