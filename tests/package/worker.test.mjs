import assert from "node:assert/strict";
import { test } from "node:test";

import { check, project, runs, workerd } from "./support.mjs";

test("a Worker bundled by wrangler runs the package without waiting", async () => {
  const main = `${runs("resource-edge")}\nexport default { fetch: async () => Response.json(await run()) };`;
  const worker = workerd(project("worker", { "main.js": main }));
  const response = await worker.dispatchFetch("http://worker/");
  check(await response.json(), true);
});

test("requests to a Worker share a token request, whichever of them ends first", async () => {
  const main = `
    import { ResourceClient } from "resource-edge";
    let hangs = true;
    const requests = [];
    const fetch = async (url, { signal }) => {
      if (!url.endsWith("/oauth/token")) return Response.json({ id: "a", version: 1 });
      if (!hangs) return Response.json({ access_token: "t" });
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const options = { projectKey: "demo", baseUrl: "http://a.test", credentials: { clientId: "a", clientSecret: "b" } };
    const client = new ResourceClient({ ...options, fetch });
    export default {
      async fetch(request) {
        const timeout = Number(new URL(request.url).searchParams.get("timeout"));
        if (timeout > 5000) hangs = false;
        return new Response(await client.getById("a", {}, { timeout }).then(({ id }) => id, ({ kind }) => kind));
      },
    };`;
  const worker = workerd(project("shared-token", { "main.js": main }));
  const ask = async (timeout) => (await worker.dispatchFetch(`http://worker/?timeout=${timeout}`)).text();
  for (const timeouts of [
    [300, 800],
    [800, 300],
  ]) {
    assert.deepEqual(await Promise.all(timeouts.map(ask)), ["timeout", "timeout"]);
  }
  assert.equal(await ask(20_000), "a");
});
