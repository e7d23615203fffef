// The guide's recipes for an app: a list with a form in React, and routes that give tokens to pages.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";

import { ResourceClient } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { functionOf, programOf } from "../support/blocks.mjs";
import { project as unused, startForTests } from "../workerd/support.mjs";
import { modules, shops } from "./shop.mjs";
import { bundle, html, openTab, POLICY, project } from "./support.mjs";

const worker = startForTests({ resources: shops });

test("a page of React lists, searches, edits, and changes at once", async () => {
  const name = `shop-${unused()}`;
  const options = { projectKey: name, baseUrl: worker.url.origin, token: await worker.token(name) };
  const main = `
    import { createElement } from "react";
    import { createRoot } from "react-dom/client";
    import { ResourceClient } from "resource-edge/inline";
    import { Products } from "./products";
    import { product } from "./resource-edge.js";
    const client = new ResourceClient({ ...${JSON.stringify(options)}, resource: product });
    createRoot(document.body.appendChild(document.createElement("div"))).render(createElement(Products, { client }));
  `;
  const folder = project("app-recipe", {
    ...(await modules("resource-edge/inline")),
    "index.html": html("/main.js"),
    "products.tsx": programOf("tsx", "useList("),
    "src.js": main,
  });
  bundle(folder, "src.js", "--jsx=automatic", '--define:process.env.NODE_ENV="production"');
  const { tab, url } = await openTab(
    folder,
    `${POLICY} ${worker.url.origin} ${worker.url.origin.replace("http", "ws")}`,
  );
  await tab.goto(`${url}/index.html`);
  const save = () => tab.getByRole("button", { name: "Save" }).click();
  for (const [title, price] of [
    ["Lamp", "-1"],
    ["Desk", "20"],
  ]) {
    await tab.getByLabel("Title").fill(title);
    await tab.getByLabel("Price").fill(price);
    if (price === "-1") {
      await tab.getByText("expected a number of at least 0").waitFor();
      await tab.getByLabel("Price").fill("10");
    }
    await save();
    await tab.getByText(`${title}: `).waitFor();
  }
  await tab.getByRole("searchbox").fill("des");
  await tab.getByText("Lamp: 10").waitFor({ state: "detached" });
  await tab.getByRole("button", { name: "Activate" }).click();
  await tab.getByText("active (1)").waitFor();
  await tab.getByRole("button", { name: "Edit" }).click();
  await tab.getByLabel("Price").fill("21");
  await save();
  await tab.getByText("Desk: 21").waitFor();
});

test("the Worker of the service gives tokens to those who have signed in, in twenty lines", async (t) => {
  const program = programOf("js", "await client.token()");
  assert.ok(program.split("export default")[1].split("\n").length <= 20);
  const service = await createService({ resources: shops });
  t.after(() => service.close());
  let isIn = false;
  const names = ["ResourceClient", "setResources", "resources", "isSignedIn"];
  const route = functionOf(program.replace("export default", "const worker ="), names, "worker");
  const handler = route(
    ResourceClient,
    () => service,
    shops,
    () => isIn,
  );
  const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = service.credentials;
  const ask = () => handler.fetch(new Request("https://shop.example/api/token"), { CLIENT_ID, CLIENT_SECRET });
  assert.equal((await ask()).status, 401);
  isIn = true;
  const response = await ask();
  const { token, expiresIn } = await response.json();
  assert.deepEqual([response.headers.get("Cache-Control"), expiresIn > 60], ["no-store", true]);
  const headers = { Authorization: `Bearer ${token}` };
  const read = await handler.fetch(new Request("https://shop.example/demo/resource", { headers }), {});
  const write = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: "{}" };
  const written = await handler.fetch(new Request("https://shop.example/demo/resource", write), {});
  assert.deepEqual([read.status, written.status], [200, 403]);
});

test("a server in Node gives tokens to those who have signed in", async (t) => {
  const program = programOf("js", 'request.url === "/api/token"').replace("listen(3000)", "listen(0)");
  const env = { SERVICE: worker.url.href, CLIENT_ID: "tests", CLIENT_SECRET: "tests-secret" };
  const names = ["createServer", "ResourceClient", "process", "isSignedIn"];
  const server = functionOf(program, names, "server")(
    createServer,
    ResourceClient,
    { env },
    ({ headers }) => headers.cookie,
  );
  await once(server, "listening");
  t.after(() => server.close());
  const ask = (headers) => fetch(`http://127.0.0.1:${server.address().port}/api/token`, { headers });
  assert.equal((await ask({})).status, 401);
  const { token } = await (await ask({ cookie: "session=1" })).json();
  assert.equal(
    (await fetch(`${worker.url.href}demo/resource`, { headers: { Authorization: `Bearer ${token}` } })).status,
    200,
  );
});
