// The README's forms for React, as printed, in Chromium, against the built Worker in workerd.

import assert from "node:assert/strict";
import { test } from "node:test";

import { project as unused, startForTests } from "../e2e/support.mjs";
import { programOf } from "../support/blocks.mjs";
import { bundle, html, openTab, POLICY, project } from "./support.mjs";

const worker = startForTests();

const page = (options) => `
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ResourceClient } from "resource-edge/inline";
import { ResourceForm } from "./form.jsx";

const client = new ResourceClient(${JSON.stringify(options)});
const saved = document.body.appendChild(document.createElement("p"));
const onSaved = ({ key, objectTypeProperty }) =>
  (saved.textContent = \`Saved \${key} \${JSON.stringify(objectTypeProperty.arrayOfIntExample)}\`);
const root = createRoot(document.body.appendChild(document.createElement("div")));
root.render(createElement(StrictMode, null, createElement(ResourceForm, { client, onSaved })));
`;

/** Fills the form of a recipe, wrong and right. */
async function fillForm(library) {
  const name = unused();
  const recipe = programOf("jsx", `from "${library}"`);
  const folder = project(`form-${library.split("/").pop()}`, {
    "index.html": html("/main.js"),
    "form.jsx": recipe.replace('"resource-edge"', '"resource-edge/inline"'),
    "src.js": page({ projectKey: name, baseUrl: worker.url.origin, token: await worker.token(name) }),
  });
  bundle(folder, "src.js", "--jsx=automatic", '--define:process.env.NODE_ENV="production"');
  const { tab, url } = await openTab(folder, `${POLICY} ${worker.url.origin}`);
  const errors = [];
  tab.on("pageerror", (error) => errors.push(error.message));
  await tab.goto(`${url}/index.html`);
  const save = tab.getByRole("button", { name: "Save" });
  const number = tab.getByLabel("Number");
  await number.fill("1.5");
  await save.click();
  await tab.getByText("Malformed item of 'arrayOfIntExample': expected an integer, found 1.5.").waitFor();
  assert.equal((await worker.fresh(`GET /${name}/resource`)).json.total, 0);
  // The key was not touched, so there is none.
  await number.fill("2");
  await save.click();
  await tab.getByText("Saved undefined [2]").waitFor();
  await tab.getByLabel("Key").fill("..");
  await save.click();
  await tab.getByText(/Malformed field 'key'/).waitFor();
  await tab.getByLabel("Key").fill("lamp");
  await save.click();
  await tab.getByText("Saved lamp [2]").waitFor();
  // An input that was emptied again.
  await tab.getByLabel("Key").fill("");
  await number.fill("3");
  await save.click();
  await tab.getByText("Saved undefined [3]").waitFor();
  assert.deepEqual(errors, []);
  assert.equal((await worker.fresh(`GET /${name}/resource`)).json.total, 3);
}

test("the README's form with react-hook-form saves what is filled in, and shows what is wrong", () =>
  fillForm("react-hook-form"));

test("the README's form with TanStack Form saves what is filled in, and shows what is wrong", () =>
  fillForm("@tanstack/react-form"));
