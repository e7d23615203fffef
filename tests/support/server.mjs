// Servers of tests, each on a free port of this machine.

import { once } from "node:events";
import { createServer } from "node:http";

/**
 * Lets a server listen. Returns its address, its port, and a function that ends it with its connections.
 * @param {import("node:http").Server} server
 */
export async function listen(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, port, close: () => server.close().closeAllConnections() };
}

/** Returns a port that is free. */
export async function freePort() {
  const { port, close } = await listen(createServer());
  close();
  return port;
}
