// The hooks `useList` and `useResourceForm`, in Chromium, against the built Worker in workerd.

import assert from "node:assert/strict";
import { test } from "node:test";

import { project as unused, startForTests } from "../workerd/support.mjs";
import { modules, shops } from "./shop.mjs";
import { browse, bundle, html, project, reports } from "./support.mjs";

const worker = startForTests({ resources: shops });

/** The beginning of a program: clients, and a function that renders a hook and waits for what it returns. */
const set = (options) => `
import "./reports.js";
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ResourceClient } from "resource-edge/inline";
import { FormFields, useList, useResourceForm } from "resource-edge/react";
import { product } from "./resource-edge.js";

let hangs;
const slow = async (url, init) => {
  if (hangs?.test(init.method)) await new Promise((go) => (release = go));
  return fetch(url, init);
};
let release;
const client = new ResourceClient({ ...${options}, fetch: slow, WebSocket });
const other = new ResourceClient(${options});
let now;
const shown = [];
const render = async (hook) => {
  function Hook() {
    now = hook();
    shown.push(now);
    return now.fields ? createElement("form", null, createElement(FormFields, { form: now })) : null;
  }
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const again = () => root.render(createElement(StrictMode, null, createElement(Hook)));
  again();
  await until(() => now);
  return again;
};
const until = async (isDone) => {
  for (let tries = 0; !isDone(); tries++) {
    if (tries > 500) throw new Error(isDone + " " + JSON.stringify(now));
    await new Promise((later) => setTimeout(later, 10));
  }
};
`;

/** Runs a program in a page. Returns what it reports. */
async function runProgram(program) {
  const name = `shop-${unused()}`;
  const options =
    `{ projectKey: "${name}", baseUrl: ${JSON.stringify(worker.url.href)}, ` +
    `token: "${await worker.token(name)}", resource: product }`;
  const folder = project(name, {
    ...(await modules("resource-edge/inline")),
    "index.html": html("/main.js"),
    "reports.js": reports,
    "src.js": `${set(options)}\ntry {\n${program}\n} catch (error) {\n  report({ error: String(error) });\n}`,
  });
  bundle(folder, "src.js", '--define:process.env.NODE_ENV="production"');
  return browse(folder, "/index.html", `${worker.url.origin} ${worker.url.origin.replace("http", "ws")}`);
}

test("a list searches while a person types, pages, filters by facets, and never blinks", async () => {
  const result = await runProgram(`
for (const [title, price, status] of [["Ash lamp", 1, "active"], ["Oak lamp", 2, "draft"], ["Oak desk", 2, "draft"]])
  await other.create({ key: title, title, price, status });
await render(() => useList(client, { facet: ["status", "price"], sort: "price asc", limit: 2 }));
const titles = () => now.items.map(({ title }) => title);
const settled = () => until(() => now.status === "live");
await until(() => now.items.length > 0 && now.status === "live");
const first = [titles().length, now.total, now.offset, now.previous === undefined];
const before = shown.length;
now.next();
await until(() => now.items.length === 1 && now.status === "live");
const second = [now.offset, now.next === undefined, shown.slice(before).some(({ items }) => items.length === 0)];
now.setText("oa");
await until(() => now.offset === 0 && now.items.length === 2 && now.status === "live");
const oak = titles().sort();
now.terms.price.find(({ term, count }) => Number(term) === 2 && count === 2).toggle();
await until(() => now.terms.price.some(({ isChosen }) => isChosen));
await settled();
const priced = now.total;
now.terms.price.find(({ isChosen }) => isChosen).toggle();
now.setText("");
await until(() => now.total === 3 && now.status === "live");
now.terms.status.find(({ term }) => term === "active").toggle();
await until(() => now.total === 1 && now.status === "live");
now.setText("desk");
await until(() => now.total === 0 && now.status === "live");
const none = now.terms.status.map(({ term, isChosen }) => term + isChosen).sort();
now.terms.status.find(({ isChosen }) => isChosen).toggle();
now.setText("oak");
await until(() => now.total === 2);
await other.create({ title: "Oak stool", price: 2 });
await until(() => now.total === 3);
report({ first, second, oak, priced, none, facet: now.facets.price.type });
`);
  assert.deepEqual(result, {
    first: [2, 3, 0, true],
    second: [2, true, false],
    oak: ["Oak desk", "Oak lamp"],
    priced: 2,
    none: ["activetrue", "draftfalse"],
    facet: "terms",
  });
});

test("a list shows an own change before the service has it, merges, and undoes what conflicts", async () => {
  const result = await runProgram(`
const { id } = await other.create({ key: "lamp", title: "Lamp", price: 1 });
await render(() => useList(client));
await until(() => now.status === "live" && now.items.length === 1);
const [item] = now.items;
const shownPrices = [];
const watchPrices = () => shownPrices.push(now.items[0].price);
hangs = /POST|PATCH/;
const saving = now.change(item, { price: 5 });
await until(() => now.items[0].price === 5);
await until(() => release);
hangs = undefined;
await other.modify(id, () => ({ title: "Desk lamp" }));
release();
const saved = await saving;
await until(() => now.items[0].version === saved.version);
const failed = await now.change(item, { price: 6, title: "Mine" }).catch((error) => error);
await until(() => now.items[0].title === "Desk lamp");
const removed = await now.change(now.items[0], { tags: null, status: null });
report({
  saved: [saved.title, saved.price, saved.version],
  failed: [failed.isConflict, failed.errors.map(({ path }) => path)],
  shown: now.items[0].price,
  removed: removed.status ?? "none",
});
`);
  assert.deepEqual(result, {
    saved: ["Desk lamp", 5, 3],
    failed: [true, ["/title", "/price"]],
    shown: 5,
    removed: "none",
  });
});

test("a form has inputs of the schema, shows errors at them, and creates without overwriting", async () => {
  const result = await runProgram(`
await other.create({ key: "lamp", title: "Lamp", price: 1, sku: "AB-1" });
const saved = [];
const fields = ["key", "title", "price", "sku", "tags", "size", "variants"];
await render(() => useResourceForm(client, { fields, onSaved: (one) => saved.push(one) }));
const field = (path) => {
  const all = (fields) => fields.flatMap((one) => [one, ...(one.items ?? []).flatMap(({ fields }) => all(fields))]);
  return all(now.fields).find((one) => one.path === path);
};
const type = (path, value) => field(path).input.onChange({ target: { value } });
await until(() => now.fields.length > 0);
const hints = [...document.querySelectorAll("input[placeholder]")].map((input) => [input.name, input.placeholder]);
const labels = now.fields.map(({ label, isRequired }) => label + (isRequired ? " *" : ""));
type("/price", "cheap");
await until(() => field("/price").error);
const errors = { price: field("/price").error, title: field("/title").error ?? "not yet" };
await now.save();
await until(() => field("/title").error);
errors.title = field("/title").error;
const typed = { key: "lamp", title: "Other", price: "2.5", sku: "AB-1", tags: "oak, ash,", "size/width": "3" };
for (const [name, value] of Object.entries(typed)) type("/" + name, value);
field("/variants").add();
await until(() => field("/variants/0/color"));
type("/variants/0/color", "red");
field("/variants").add();
await until(() => field("/variants/1/color"));
now.fields.find(({ path }) => path === "/variants").items[1].remove();
await until(() => !field("/variants/1/color"));
await now.save();
await until(() => field("/key").error);
errors.key = field("/key").error;
errors.message = now.message ?? "none";
type("/key", "other");
await until(() => field("/key").error === undefined);
await now.save();
await until(() => field("/sku").error);
errors.sku = field("/sku").error;
type("/sku", "");
type("/size/width", "");
await until(() => field("/size/width").input.value === "");
await now.save();
await until(() => saved.length === 1);
const { id, version, createdAt, lastModifiedAt, ...content } = saved[0];
report({ labels, hints, errors, content, empty: field("/title").input.value, total: (await other.query()).total });
`);
  assert.deepEqual(result, {
    labels: ["Key", "Title *", "Price *", "Sku", "Tags", "Size width", "Size height", "Variants"],
    hints: [["/tags", "separated by commas"]],
    errors: {
      price: "Malformed field 'price': expected a number, found a string.",
      title: "The field 'title' is required.",
      key: "Precondition failed: a resource with this key exists.",
      message: "none",
      sku: result.errors?.sku,
    },
    content: {
      key: "other",
      title: "Other",
      price: 2.5,
      status: "draft",
      tags: ["oak", "ash"],
      variants: [{ color: "red" }],
    },
    empty: "",
    total: 2,
  });
  assert.match(result.errors.sku, /AB-1/);
});

test("a form merges what others saved, asks about conflicts, and follows newer versions until an edit", async () => {
  const result = await runProgram(`
const made = await other.create({ key: "lamp", title: "Lamp", price: 1, tags: ["oak"] });
let record = made;
const again = await render(() => useResourceForm(client, { record }));
const field = (path) => now.fields.find((one) => one.path === path);
const type = (path, value) => field(path).input.onChange({ target: { value } });
await until(() => now.fields.length > 0);
record = await other.modify(made.id, () => ({ title: "Desk lamp" }));
again();
await until(() => field("/title").input.value === "Desk lamp");
type("/price", "5");
await until(() => now.isEdited);
record = await other.modify(made.id, () => ({ title: "Floor lamp", tags: ["oak", "ash"] }));
again();
const merged = await now.save();
const kept = [merged.title, merged.price, merged.tags, now.conflicts.length];
await until(() => !now.isEdited);
type("/price", "6");
type("/tags", "oak, fir");
await until(() => field("/tags").input.value === "oak, fir");
await other.modify(made.id, () => ({ price: 7, tags: ["ash"] }));
const none = await now.save();
await until(() => now.conflicts.length === 2);
const conflicts = now.conflicts.map(({ path, mine, theirs, isList }) => [path, mine, theirs, isList]);
const isShown = document.querySelector("form").innerText.includes("Theirs: 7");
const asked = [none === undefined, now.message, await now.save() === undefined, isShown];
now.conflicts.find(({ path }) => path === "/tags").choose("both");
now.conflicts.find(({ path }) => path === "/price").choose("theirs");
await until(() => now.conflicts.length === 0);
const last = await now.save();
type("/title", "");
await until(() => field("/title").error);
now.reset();
await until(() => field("/title").input.value === "Floor lamp");
report({ kept, conflicts, asked, last: [last.price, last.tags, last.version] });
`);
  assert.deepEqual(result, {
    kept: ["Floor lamp", 5, ["oak", "ash"], 0],
    conflicts: [
      ["/price", 6, 7, false],
      ["/tags", ["oak", "fir"], ["ash"], true],
    ],
    asked: [true, "Somebody else has changed this, too.", true, true],
    last: [7, ["fir"], 6],
  });
});
