// The guide's forms for React, as printed, in Chromium, against the built Worker in workerd.

import assert from "node:assert/strict";
import { test } from "node:test";

import { project as unused, startForTests } from "../workerd/support.mjs";
import { programOf } from "../support/blocks.mjs";
import { bundle, html, openTab, POLICY, project } from "./support.mjs";

const PRODUCT = { type: "object", properties: { title: { type: "string" }, price: { type: "number", minimum: 0 } } };
const RESOURCES = { resources: { product: PRODUCT } };
const worker = startForTests({ resources: RESOURCES });

const product = `
import { resource } from "resource-edge/inline";

export const product = resource(${JSON.stringify(RESOURCES)}, "product");
`;

const page = (options) => `
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ResourceClient } from "resource-edge/inline";
import { ProductForm } from "./form";
import { product } from "./product";

const client = new ResourceClient({ ...${JSON.stringify(options)}, resource: product });
const saved = document.body.appendChild(document.createElement("p"));
const onSaved = ({ key, price, version }) => (saved.textContent = \`Saved \${key} \${price} \${version}\`);
const root = createRoot(document.body.appendChild(document.createElement("div")));
root.render(createElement(StrictMode, null, createElement(ProductForm, { client, onSaved })));
`;

/** Fills the form of a recipe, wrong and right. */
async function fillForm(language, library) {
  const name = unused();
  const recipe = programOf(language, `from "${library}"`);
  const folder = project(`form-${library.split("/").pop()}`, {
    "index.html": html("/main.js"),
    [`form.${language}`]: recipe.replace('"resource-edge"', '"resource-edge/inline"'),
    "product.js": product,
    "src.js": page({ projectKey: name, baseUrl: worker.url.origin, token: await worker.token(name) }),
  });
  bundle(folder, "src.js", "--jsx=automatic", '--define:process.env.NODE_ENV="production"');
  const { tab, url } = await openTab(folder, `${POLICY} ${worker.url.origin}`);
  const errors = [];
  tab.on("pageerror", (error) => errors.push(error.message));
  await tab.goto(`${url}/index.html`);
  const [key, price] = [tab.getByLabel("Key"), tab.getByLabel("Price")];
  const save = () => tab.getByRole("button", { name: "Save" }).click();
  await key.fill("..");
  await save();
  await tab
    .getByText(/Malformed field 'key'/)
    .first()
    .waitFor();
  assert.equal((await worker.fresh(`GET /${name}/resource`)).json.total, 0);
  await price.fill("-1");
  await key.fill("lamp");
  await save();
  await tab
    .getByText(/expected .* 0/)
    .first()
    .waitFor();
  await price.fill("");
  await save();
  await tab.getByText("Saved lamp undefined 1").waitFor();
  // A form that creates changes nothing.
  await price.fill("2.5");
  await save();
  const taken = tab.locator("output").getByText("Precondition failed: a resource with this key exists.");
  await taken.first().waitFor();
  assert.equal(await taken.count(), 2, "at the field, and at the form");
  await key.fill("desk");
  await save();
  await tab.getByText("Saved desk 2.5 1").waitFor();
  // Inputs that were emptied again.
  await key.fill("");
  await price.fill("");
  await save();
  await tab.getByText("Saved undefined undefined 1").waitFor();
  assert.deepEqual(errors, []);
  assert.equal((await worker.fresh(`GET /${name}/resource`)).json.total, 3);
}

test("the guide's form with react-hook-form saves what is filled in, and shows what is wrong", () =>
  fillForm("tsx", "react-hook-form"));

test("the guide's form with TanStack Form saves what is filled in, and shows what is wrong", () =>
  fillForm("jsx", "@tanstack/react-form"));
