// The console's files, for workerd without Cloudflare. `files` lists them with their types and entity tags. `headers`
// contains the headers of www/_headers for all files. serve.ts writes both.

import { files, headers } from "./site-files.mjs";

export default {
  async fetch(request: Request, env: { DISK: { fetch(request: Request): Promise<Response> } }) {
    const { pathname } = new URL(request.url);
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const file = files[path];
    if (file === undefined) return new Response("Not Found", { status: 404 });
    const all = { ...headers, "Content-Type": file.type, ETag: file.etag };
    if (request.headers.get("If-None-Match") === file.etag) return new Response(null, { status: 304, headers: all });
    const response = await env.DISK.fetch(new Request(`http://disk${path}`));
    return new Response(request.method === "HEAD" ? null : response.body, { status: response.status, headers: all });
  },
};
