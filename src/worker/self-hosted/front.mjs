// Where requests arrive, for workerd without Cloudflare: a file of the console is served by `SITE`, all else by the
// Worker. It does what `[assets]` in wrangler.toml does.

/** The paths of the API, which never look for a file (`run_worker_first`). */
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
