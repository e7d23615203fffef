// The README's programs for live changes, as printed: in Chromium against the built Worker, and in Node.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createCollection } from "@tanstack/db";
import { QueryClient } from "@tanstack/react-query";
import { get } from "svelte/store";
import * as vue from "vue";
import { renderToString } from "vue/server-renderer";

import { live } from "../../pkg/dist/live.js";
import { resource, ResourceClient } from "../../pkg/dist/node.js";
import { resourceCollectionOptions } from "../../pkg/dist/tanstack-db.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { eventually, later, project as unused, startForTests } from "../workerd/support.mjs";
import { programOf } from "../support/blocks.mjs";
import { catalogue, shops } from "./shop.mjs";
import { browse, bundle, html, openTab, POLICY, project, reports } from "./support.mjs";

const worker = startForTests({ resources: shops });
/** Returns a project of products that no other test uses. */
const shop = () => `shop-${unused()}`;
const draft = (id, status = "active") => ({ id, key: id, title: id, price: 1, status });

/** Returns the exports of a program of the README. `values` has what it imports. */
function exportsOf(text, values) {
  const imports = [...text.matchAll(/^import \{(.*)\}/gm)].flatMap(([, names]) =>
    names.split(",").map((one) => one.trim()),
  );
  const exports = [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
  const body = text.replaceAll(/^import .*\n/gm, "").replaceAll("export ", "");
  return new Function(...imports, `${body}\nreturn { ${exports.join()} };`)(...imports.map((name) => values[name]));
}

test("the README's page and its component for React update themselves when curl writes", {
  timeout: 120_000,
}, async () => {
  const name = shop();
  const { origin, host } = worker.url;
  const options = { projectKey: name, baseUrl: origin, token: await worker.token(name) };
  const folder = project("live", {
    "index.html": `<p id="status"></p><p id="items"></p><div id="root"></div>${html("/main.js")}`,
    "component.jsx": programOf("jsx", "useLive"),
    "page.js": `import { client } from "./client.js";\n${programOf("js", 'querySelector("#items")')}`,
    "client.js": `import { ResourceClient } from "resource-edge/inline";
      export const client = new ResourceClient(${JSON.stringify(options)});`,
    "src.js": `import "./page.js";
      import { createElement, StrictMode } from "react";
      import { createRoot } from "react-dom/client";
      import { client } from "./client.js";
      import { Lamps } from "./component.jsx";
      const component = createElement(Lamps, { client });
      createRoot(document.querySelector("#root")).render(createElement(StrictMode, null, component));`,
  });
  bundle(folder, "src.js", "--jsx=automatic", '--define:process.env.NODE_ENV="production"');
  const { tab, url } = await openTab(folder, `${POLICY} ${origin} ws://${host}`);
  const errors = [];
  const sockets = [];
  tab.on("pageerror", (error) => errors.push(error.message));
  tab.on("websocket", (socket) => sockets.push(socket.url()));
  await tab.goto(`${url}/index.html`);
  await tab.locator("#status").getByText("live").waitFor();
  const write = async (id, status) => {
    const answer = await worker.call(`POST /${name}/resource`, { body: draft(id, status) });
    assert.ok(answer.status < 300);
  };
  await write("lamp", "active");
  await tab.locator("#items").getByText("lamp", { exact: true }).waitFor();
  await tab.locator("li").getByText("lamp").waitFor();
  await write("stand", "active");
  await tab.locator("#items").getByText("lamp, stand").waitFor();
  await write("lamp", "draft");
  await tab.locator("#items").getByText("stand", { exact: true }).waitFor();
  await tab.locator("li").getByText("lamp").waitFor({ state: "detached" });
  // The two views share a connection.
  assert.deepEqual([errors, sockets.length], [[], 1]);
});

test("useLive keeps its items while another query loads, and those of another client are not shown", {
  timeout: 120_000,
}, async () => {
  const [name, otherName] = [unused(), unused()];
  const clientOf = async (projectKey) => {
    const options = { projectKey, baseUrl: worker.url.origin, token: await worker.token(projectKey) };
    return `new ResourceClient(${JSON.stringify(options)})`;
  };
  const folder = project("queries", {
    "index.html": html("/main.js"),
    "reports.js": reports,
    "src.js": `import "./reports.js";
      import { createElement, StrictMode } from "react";
      import { createRoot } from "react-dom/client";
      import { ResourceClient } from "resource-edge/inline";
      import { useLive } from "resource-edge/react";
      const [client, other] = [${await clientOf(name)}, ${await clientOf(otherName)}];
      for (const id of ["a", "b", "c", "d"])
        await client.createOrUpdate({ id, custom: id < "d" ? "red" : "blue", objectTypeProperty: {} });
      let shown = [];
      let last;
      function List(props) {
        const { status, items, page, error } = useLive(props.client, props.query);
        last = { status, items };
        const text = [status, items.map(({ id }) => id).join(""), page?.limit, error?.status].filter(Boolean).join(" ");
        if (shown.at(-1) !== text) shown.push(text);
      }
      const root = createRoot(document.body.appendChild(document.createElement("div")));
      async function show(client, query, wanted = "live") {
        shown = [];
        root.render(createElement(StrictMode, null, createElement(List, { client, query })));
        while (!shown.length || last.status !== wanted) await new Promise((later) => setTimeout(later, 5));
        return [...shown];
      }
      const all = [await show(client, { limit: 2, sort: "id" })];
      const [, b] = last.items;
      all.push(await show(client, { limit: 3, sort: "id" }));
      const isSame = last.items[1] === b;
      all.push(await show(client, { where: 'custom = "blue"' }));
      all.push(await show(client, { search: { filter: 'custom:"red"', limit: 1 } }));
      all.push(await show(client, { where: "custom = " }, "error"));
      all.push(await show(client, { where: 'custom = "red"' }));
      all.push(await show(other, { where: 'custom = "red"' }));
      report({ all, isSame });`,
  });
  bundle(folder, "src.js", "--jsx=automatic", '--define:process.env.NODE_ENV="production"');
  const { all, isSame } = await browse(folder, "/index.html", `${worker.url.origin} ws://${worker.url.host}`);
  assert.equal(isSame, true);
  assert.deepEqual(all, [
    ["loading", "live ab 2"],
    ["loading ab 2", "live abc 3"],
    ["loading abc 3", "live d"],
    ["loading d", "live a 1"],
    ["loading a 1", "error a 1 400"],
    ["loading a 1", "live abc"],
    ["loading", "live"],
  ]);
});

test("a page whose policy forbids sockets gets changes by requests", { timeout: 60_000 }, async () => {
  const name = shop();
  const options = { projectKey: name, baseUrl: worker.url.origin, token: await worker.token(name) };
  const folder = project("forbidden", {
    "index.html": `<p id="status"></p><p id="items"></p>${html("/main.js")}`,
    "src.js": `import { ResourceClient } from "resource-edge/inline";
      const client = new ResourceClient(${JSON.stringify(options)});
      ${programOf("js", 'querySelector("#items")')}`,
  });
  bundle(folder, "src.js");
  const { tab, url } = await openTab(folder, `${POLICY} ${worker.url.origin}`);
  const refused = [];
  tab.on("console", (message) => /ws:.*Content Security Policy/.test(message.text()) && refused.push(message.text()));
  await tab.goto(`${url}/index.html`);
  await tab.locator("#status").getByText("live").waitFor();
  await eventually(() => assert.equal(refused.length > 0, true));
  assert.equal((await worker.call(`POST /${name}/resource`, { body: draft("lamp") })).status, 201);
  await tab.locator("#items").getByText("lamp").waitFor();
});

test("the README's recipes for Svelte, Vue, TanStack Query, and TanStack DB stay current", async (t) => {
  const service = await createService({ resources: catalogue, bodies: [draft("a"), draft("x", "draft")] });
  const product = resource(catalogue, "product");
  const [client, other] = [1, 2].map(() => new ResourceClient({ ...service.clientOptions(), resource: product }));
  const query = { where: 'status = "active"' };
  const view = live(client, query);
  t.after(view.subscribe(() => {}));
  const ids = (items) => items?.map(({ id }) => id).sort();

  const { useLive } = exportsOf(programOf("js", "onMounted"), { ...vue, live });
  /** @type {any} */
  let reference;
  const setup = () => {
    reference = useLive(client, query);
    return () => null;
  };
  // Nodes of no page.
  const [node, nothing] = [() => ({}), () => null];
  const nodes = { createComment: node, parentNode: node, insert: nothing, remove: nothing, nextSibling: nothing };
  const app = vue.createRenderer(/** @type {any} */ (nodes)).createApp({ setup });
  app.mount({});

  const cache = new QueryClient();
  const { keepCurrent } = exportsOf(programOf("js", "keepCurrent"), { live });
  const { queryKey, unsubscribe } = keepCurrent(cache, client, query, assert.ifError);

  const imports = { createCollection, resourceCollectionOptions };
  const collection = exportsOf(programOf("js", "createCollection"), imports).collectionOf(client);
  await collection.preload();

  const shown = () =>
    [get(view).items, reference.value.items, cache.getQueryData(queryKey), collection.toArray].map(ids);
  const show = (...wanted) => eventually(() => assert.deepEqual(shown(), [wanted, wanted, wanted, wanted]));
  await show("a");
  await other.createOrUpdate(draft("b"));
  await show("a", "b");
  await other.createOrUpdate(draft("a", "draft"));
  await show("b");

  // Own changes are there at once, and remain when the service has them.
  const inserted = collection.insert({ id: "c", title: "c", price: 1, status: "active", tags: ["new"] });
  assert.deepEqual(ids(collection.toArray), ["b", "c"]);
  await inserted.isPersisted.promise;
  assert.equal(collection.get("c").version, 1);
  await show("b", "c");
  await collection.update("c", (item) => {
    item.price = 2;
    delete item.tags;
  }).isPersisted.promise;
  const { price, tags } = await other.getById("c");
  assert.deepEqual([collection.get("c").version, price, tags], [2, 2, undefined]);
  // Somebody else was faster: the change is undone.
  service.fail({ operation: "createOrUpdate", conflict: true });
  const lost = collection.update("c", (item) => {
    item.price = 3;
  });
  await assert.rejects(lost.isPersisted.promise, { status: 409 });
  await eventually(() => assert.deepEqual([collection.get("c").price, collection.get("c").version], [2, 3]));
  await collection.delete("c").isPersisted.promise;
  await show("b");

  unsubscribe();
  app.unmount();
  await other.createOrUpdate(draft("d"));
  await later(200);
  assert.deepEqual(shown().slice(1, 3), [["b"], ["b"]]);

  // A server renders what is loading, and requests nothing.
  const sent = service.requests.length;
  assert.equal(await renderToString(vue.createSSRApp({ setup })), "<!---->");
  assert.deepEqual([reference.value.status, service.requests.length], ["loading", sent]);

  // An error is none of the results.
  service.fail({ operation: "changes", status: 403 });
  const error = await new Promise((resolve) => keepCurrent(cache, client, { where: "version > 0" }, resolve));
  assert.equal(error.status, 403);
  assert.equal(cache.getQueryData(["resources", { where: "version > 0" }]), undefined);

  await collection.cleanup();
  client.close();
  service.close();
});
