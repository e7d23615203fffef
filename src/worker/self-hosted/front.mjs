// The entry point of requests, for workerd without Cloudflare. `SITE` serves a file of the console; the Worker handles
// all other requests. It replaces `[assets]` in wrangler.toml.

/** The paths of the API. They are never files (`run_worker_first`). */
const API = /^\/([^/]+\/resource(\/|$)|[^/]+\/(status|export|import|data)$|oauth\/|openapi\.json$|health$)/;

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if ((request.method === "GET" || request.method === "HEAD") && !API.test(pathname)) {
      const file = await env.SITE.fetch(request.clone());
      if (file.status !== 404) return file;
    }
    return env.WORKER.fetch(request);
  },
};
