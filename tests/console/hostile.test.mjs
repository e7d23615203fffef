// Hostile data: markup in every field and in errors, names of JavaScript's built-in object members, and a page that
// frames the console. src/guide/operate/security.md lists every attack with its tests.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { schemas } from "../../pkg/dist/generated/json-schemas.js";
import { listen } from "../support/server.mjs";
import { box, enter, fill, project, serveForTests, showPart, signIn } from "./support.mjs";

const XSS =
  `"'><img src=x onerror=globalThis.hacked=1><script>globalThis.hacked=1</script>` +
  `<svg onload=globalThis.hacked=1>{{1}}\${1}\u202eevil\u2066`;

const { properties } = /** @type {any} */ (schemas.ResourceDraft);
/** The names of the texts. */
const TEXTS = Object.keys(properties).filter((name) => isDeepStrictEqual(properties[name], properties.custom));

const console = serveForTests();

/** Fails if the page contains an element that the console does not create, or if a script in a text ran. */
async function clean(page, where) {
  assert.equal(
    await page
      .locator("main img, main script, dialog img, dialog script, [onerror], [onload], iframe, object, embed, base")
      .count(),
    0,
    where,
  );
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined, where);
}

test("every view and every error shows markup in a field as text", async () => {
  const name = project();
  const person = { firstName: XSS, lastName: XSS };
  const all = Object.fromEntries(TEXTS.map((field) => [field, XSS]));
  const [{ id }] = await fill(console.worker, name, [
    {
      id: XSS,
      key: XSS,
      createdBy: person,
      lastModifiedBy: person,
      ...all,
      objectTypeProperty: { arrayOfStringExample: [XSS, "all"] },
    },
  ]);
  assert.equal(id, XSS);
  const page = await console.open();
  page.on("dialog", (dialog) => page.complaints.push(`dialog: ${dialog.message()}`));
  await enter(page, name);
  await clean(page, "collection");
  const at = `${console.url}/#/p/${name}`;
  const resource = `${at}/r/${encodeURIComponent(XSS)}`;
  const asked = encodeURIComponent(XSS);
  for (const [url, ready] of [
    [resource, page.locator(".fields")],
    [`${resource}/edit`, box(page, "custom")],
    [`${resource}/actions`, page.getByLabel("Action to add")],
    [
      `${at}/search?text=all&term=${encodeURIComponent(`custom ${JSON.stringify(XSS)}`)}`,
      page.locator("tbody tr").first(),
    ],
    [`${at}?where=${asked}`, page.getByText("Character 1:").first()],
    [`${at}?sort=${asked}`, page.getByRole("alert").first()],
    [`${at}/r/${asked}x`, page.getByRole("alert").first()],
    [`${at}/${asked}`, page.getByText("There is no such page.")],
  ]) {
    await page.goto(url);
    await ready.waitFor();
    await clean(page, url);
  }
  // The request log contains all of these requests.
  await page.getByRole("button", { name: /^Requests/ }).click();
  await page.getByRole("region", { name: "Requests" }).getByRole("listitem").first().locator("summary").click();
  await clean(page, "drawer");
  await page.goto(resource);
  await showPart(page, "JSON");
  await page.locator(".json pre").waitFor();
  await clean(page, "json");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor();
  await clean(page, "delete");
  await page.done();
});

test("projects, views, and resources may have the names of members of Object.prototype", async () => {
  const page = await console.open();
  await signIn(page, "__proto__");
  const empty = page.getByRole("heading", { name: "No resources yet" });
  await empty.waitFor();
  // While the page has the secret, the address is enough to open another project.
  for (const name of ["constructor", "toString", "hasOwnProperty"]) {
    await page.goto(`${console.url}/#/p/${name}`);
    await page.getByTitle("Change the project").getByText(name).waitFor();
    await empty.waitFor();
  }
  // The tokens survive a reload of the page.
  for (const name of ["__proto__", "constructor"]) {
    await page.goto(`${console.url}/#/p/${name}`);
    await page.reload();
    await page.getByTitle("Change the project").getByText(name).waitFor();
    await empty.waitFor();
  }
  for (const view of ["constructor", "__proto__", "toString"]) {
    await page.goto(`${console.url}/#/p/constructor/${view}`);
    await page.getByText("There is no such page.").waitFor();
  }
  await fill(console.worker, "__proto__", [
    { id: "__proto__", key: "constructor", objectTypeProperty: { arrayOfStringExample: ["toString"] } },
  ]);
  await page.goto(`${console.url}/#/p/__proto__/r/__proto__`);
  await page.getByRole("heading", { level: 1, name: "constructor", exact: true }).waitFor();
  await page.done();
});

test("another site's page cannot frame the console or read a response of the API with a person's cookies", async (t) => {
  const evil = createServer((_, response) =>
    response.setHeader("Content-Type", "text/html").end(`<iframe src="${console.url}/"></iframe>`),
  );
  const { url, close } = await listen(evil);
  t.after(close);
  const context = await console.browser.newContext();
  const page = await context.newPage();
  const refused = page.waitForEvent("console", (message) => /frame-ancestors/.test(message.text()));
  await page.goto(url);
  await refused;
  const framed = page.frames().find((frame) => frame !== page.mainFrame());
  assert.equal(await framed.locator("main").count(), 0);
  const read = await page.evaluate(
    (url) =>
      fetch(url, { credentials: "include" }).then(
        () => "read",
        (error) => error.name,
      ),
    `${console.url}/health`,
  );
  assert.equal(read, "TypeError");
  await context.close();
});
