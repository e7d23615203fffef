// Serves folders to browsers.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { listen } from "./server.mjs";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".css": "text/css",
};

/** A strict Content-Security-Policy. */
export const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

/**
 * Serves the files of a folder under a policy, if there is one.
 * @param {string} folder
 * @param {string} [policy]
 */
export async function serveFolder(folder, policy) {
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? "", "http://page").pathname.replace(/\/$/, "/index.html"));
    if (!existsSync(path) || !statSync(path).isFile())
      return response.writeHead(404, { "Content-Type": "text/plain" }).end("none");
    const headers = policy === undefined ? {} : { "Content-Security-Policy": policy };
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/plain", ...headers });
    createReadStream(path).pipe(response);
  });
  return listen(server);
}
