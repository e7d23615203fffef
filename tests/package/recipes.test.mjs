// The guide's recipes for React, in Chromium, against the built Worker in workerd.

import assert from "node:assert/strict";
import { test } from "node:test";

import { project as unused, startForTests } from "../workerd/support.mjs";
import { programOf } from "../support/blocks.mjs";
import { modules, shops } from "./shop.mjs";
import { browse, bundle, html, project, reports } from "./support.mjs";

const worker = startForTests({ resources: shops });
const PRODUCTION = '--define:process.env.NODE_ENV="production"';

const MAIN = `
import "./reports.js";
import { createElement, StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { QueryClientProvider, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { aborted, client, other } from "./client.js";
import { useResource } from "./hook.jsx";
import { listQuery, queryClient, resourceQuery, useChangeTitle } from "./query.jsx";

const made = [];
for (const key of ["a", "b", "c"])
  made.push(await client.createOrUpdate({ key, title: "old", price: 1 }));
const [{ id }] = made;
const texts = [];
const keys = [];
let mutation;
let resource;

/** Renders a component until it calls its callback. */
function shown(component) {
  return new Promise((done) => {
    const root = createRoot(document.body.appendChild(document.createElement("div")));
    const View = () => component((value) => setTimeout(() => (root.unmount(), done(value))));
    const provider = createElement(QueryClientProvider, { client: queryClient }, createElement(View));
    root.render(createElement(StrictMode, null, provider));
  });
}

const read = await shown((done) => {
  const { resource, error } = useResource(id);
  if (resource ?? error) done(resource?.key ?? String(error));
});
const missing = await shown((done) => {
  const { error } = useResource("missing");
  if (error) done(error.isNotFound);
});

await shown((done) => {
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(listQuery(2));
  useEffect(() => {
    if (data && !isFetching && hasNextPage) fetchNextPage();
  });
  if (data && !hasNextPage) done(keys.push(...data.pages.flatMap(({ results }) => results.map(({ key }) => key))));
});

/** Changes the text, and waits until the page shows the text of the service. */
async function change(version, title, last) {
  const before = texts.length;
  const failed = await mutation
    .mutateAsync({ version, title })
    .then(() => undefined, (error) => error.isConflict);
  while (texts.at(-1) !== last) await new Promise((later) => setTimeout(later, 10));
  await new Promise((later) => setTimeout(later, 50));
  return { failed, texts: texts.slice(before) };
}
const changes = shown((done) => {
  mutation = useChangeTitle(id);
  resource = useQuery(resourceQuery(id)).data;
  if (resource && texts.at(-1) !== resource.title) texts.push(resource.title);
  useEffect(() => {
    if (texts.at(-1) === "theirs") done();
  });
});
while (resource === undefined) await new Promise((later) => setTimeout(later, 10));
const won = await change(1, "new", "new");
await other.updateById(id, { version: 2, actions: [{ action: "setTitle", title: "theirs" }] });
const lost = await change(2, "mine", "theirs");
await changes;

// A query that nobody waits for.
const slow = queryClient.fetchQuery({ ...resourceQuery("slow"), queryKey: ["resources", "slow"] }).catch(() => {});
await queryClient.cancelQueries({ queryKey: ["resources", "slow"] });
await slow;
report({ read, missing, keys: keys.sort(), won, lost, aborted });
`;

test("the hook and the queries of the guide work", async () => {
  const name = `shop-${unused()}`;
  const options =
    `{ projectKey: "${name}", baseUrl: ${JSON.stringify(worker.url.href)}, ` +
    `token: "${await worker.token(name)}", resource: product }`;
  const client = `
    import { ResourceClient } from "resource-edge/inline";
    import { product } from "./resource-edge.js";
    export const aborted = [];
    const hang = (url, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => (aborted.push(url.slice(-4)), reject(signal.reason))),
      );
    const slow = (url, init) => (/slow$/.test(url) ? hang(url, init) : fetch(url, init));
    export const client = new ResourceClient({ ...${options}, fetch: slow });
    export const other = new ResourceClient(${options});
  `;
  const withClient = (text) => {
    const recipe = programOf("jsx", text).replace('"resource-edge"', '"resource-edge/inline"');
    return `import { client } from "./client.js";\n${recipe}`;
  };
  const folder = project("recipes", {
    ...(await modules("resource-edge/inline")),
    "index.html": html("/main.js"),
    "reports.js": reports,
    "client.js": client,
    "hook.jsx": withClient("useEffect"),
    "query.jsx": withClient("queryOptions"),
    "src.js": MAIN,
  });
  bundle(folder, "src.js", PRODUCTION);
  const reported = await browse(folder, "/index.html", worker.url.origin);
  assert.deepEqual(reported, {
    read: "a",
    missing: true,
    keys: ["a", "b", "c"],
    won: { failed: undefined, texts: ["new"] },
    lost: { failed: true, texts: ["mine", "theirs"] },
    aborted: ["slow"],
  });
});

const SERVED = `
import "./reports.js";
import { useEffect, useState } from "react";
import { validate } from "resource-edge/inline";

export function App() {
  const [valid, setValid] = useState();
  useEffect(() => setValid(validate("resourceDraft", { objectTypeProperty: {} }).valid), []);
  useEffect(() => {
    if (valid !== undefined) report([valid, document.querySelector("#root").textContent]);
  }, [valid]);
  return <p>Served</p>;
}
`;

test("a page that the server rendered waits for the validator, as in the guide", async () => {
  const program = programOf("js", "hydrateRoot");
  const folder = project("served", {
    "index.html": `${html("/main.js")}<div id="root"><p>Served</p></div>`,
    "reports.js": reports,
    "app.jsx": SERVED,
    "src.jsx": `import { App } from "./app.jsx";\n${program.replace('"resource-edge"', '"resource-edge/inline"')}`,
  });
  bundle(folder, "src.jsx", "--jsx=automatic", PRODUCTION);
  assert.deepEqual(await browse(folder, "/index.html", ""), [true, "Served"]);
});
