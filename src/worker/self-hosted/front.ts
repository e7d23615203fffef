// The entry point of requests, for workerd without Cloudflare. `SITE` serves a file of the console; the Worker handles
// all other requests. It replaces `[assets]` in wrangler.toml.

type Service = { fetch(request: Request): Promise<Response> };

let api: RegExp | undefined;

/**
 * Returns an expression that matches the paths of `run_worker_first` in wrangler.toml: those of the API, which are
 * never files.
 */
function matcherOf(patterns: string[]) {
  const sources = patterns.map((pattern) => pattern.replaceAll(/[.?+^$()[\]{}|\\]/g, "\\$&").replaceAll("*", ".*"));
  return new RegExp(`^(${sources.join("|")})$`);
}

export default {
  async fetch(request: Request, env: { SITE: Service; WORKER: Service; WORKER_FIRST: string[] }) {
    api ??= matcherOf(env.WORKER_FIRST);
    const { pathname } = new URL(request.url);
    if ((request.method === "GET" || request.method === "HEAD") && !api.test(pathname)) {
      const file = await env.SITE.fetch(request.clone());
      if (file.status !== 404) return file;
    }
    return env.WORKER.fetch(request);
  },
};
