import { test } from "node:test";

import { check, project, runs, workerd } from "./support.mjs";

test("a Worker bundled by wrangler runs the package without waiting", async () => {
  const main = `${runs("resource-edge")}\nexport default { fetch: async () => Response.json(await run()) };`;
  const worker = workerd(project("worker", { "main.js": main }));
  try {
    const response = await worker.dispatchFetch("http://worker/");
    check(await response.json(), true);
  } finally {
    await worker.dispose();
  }
});
