// The console with another schema: a new field of any kind appears in forms, columns, facets, and examples.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ownFirst } from "../../build/site/model/fields.js";
import { exampleOf } from "../../build/site/model/query/predicate-examples.js";
import { notation, parseList } from "../../build/site/model/lists.js";
import { describe, leaves } from "../../build/site/model/schema.js";
import { enter, fill, project, serveForTests } from "./support.mjs";

const console = serveForTests();

const NULLABLE = (type) => ({ type: [type, "null"] });
const LIST = (items) => ({ type: ["array", "null"], items });
const DATE = { type: "string", format: "date-time" };
/** New fields of a resource, and new arrays of its group. */
const FIELDS = {
  note: { type: ["string", "null"], pattern: "^[^\\u0000]*$" },
  amount: NULLABLE("integer"),
  ratio: NULLABLE("number"),
  isActive: NULLABLE("boolean"),
  plannedAt: { ...DATE, type: ["string", "null"] },
  flags: LIST({ type: "boolean" }),
  strange: { type: ["object", "null"], additionalProperties: true },
};
const ARRAYS = {
  arrayOfBooleanExample: LIST({ type: "boolean" }),
  arrayOfDateExample: LIST(DATE),
  arrayOfTextObject: LIST({ type: "object", properties: { name: { type: "string" } } }),
};

/** Opens the console with a package whose schema has the new fields. */
async function opened(name) {
  const page = await console.open();
  await page.route("**/pkg/generated/json-schemas.js", async (route) => {
    const response = await route.fetch();
    const added = `
      Object.assign(schemas.ResourceDraft.properties, ${JSON.stringify(FIELDS)});
      Object.assign(schemas.ObjectTestType.properties, ${JSON.stringify(ARRAYS)});`;
    await route.fulfill({ response, body: (await response.text()) + added });
  });
  await page.reload();
  await enter(page, name);
  return page;
}

test("a field's kind follows from its schema", () => {
  const schema = {
    properties: { ...FIELDS, inside: { type: "object", properties: ARRAYS } },
  };
  const body = /** @type {any} */ ({ "~standard": { jsonSchema: { input: () => schema } } });
  const fields = leaves(describe(body));
  assert.deepEqual(
    fields.map(({ name, kind }) => [name, kind]),
    [
      ["note", "text"],
      ["amount", "number"],
      ["ratio", "number"],
      ["isActive", "boolean"],
      ["plannedAt", "date"],
      ["flags", "booleans"],
      ["strange", "json"],
      ["arrayOfBooleanExample", "booleans"],
      ["arrayOfDateExample", "dates"],
      ["arrayOfTextObject", "json"],
    ],
  );
  assert.deepEqual(
    fields.map(exampleOf).map(({ text }) => text),
    [
      'note matches ignore case "hello"',
      "amount > 1",
      "ratio > 1",
      "isActive = true",
      'plannedAt >= "2026-01-31T00:00:00.000Z"',
      "flags contains any (true)",
      "strange is defined",
      "arrayOfBooleanExample contains any (true)",
      'arrayOfDateExample >= "2026-01-31T00:00:00.000Z"',
      "inside.arrayOfTextObject is defined",
    ],
  );
  const [booleans, dates] = [fields[7], fields[8]].map(notation);
  assert.deepEqual(parseList(booleans, "true, false;\n[true] maybe").items, [true, false, true, "maybe"]);
  const times = ["2026-01-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z"];
  assert.deepEqual(parseList(dates, JSON.stringify(times)).items, times);
  for (const [form, list] of /** @type {const} */ ([
    [booleans, [true, false]],
    [dates, times],
  ]))
    assert.deepEqual(parseList(form, form.print(list)), { items: list, problems: [] });
});

test("a team's own fields come before those of the sample schema, which are folded in the form", async () => {
  const name = project();
  await fill(console.worker, name, [{ id: "a", objectTypeProperty: {} }]);
  const page = await opened(name);
  await page.getByRole("columnheader").first().waitFor();
  const headings = await page.getByRole("columnheader").allTextContents();
  assert.deepEqual(headings.map((text) => text.replace(/[↑↓]/, "")).slice(0, 4), ["Key", "Version", "note", "amount"]);
  assert.ok(!headings.join().includes("arrayOfIntExample"), headings.join());
  await page.getByRole("link", { name: "New resource" }).click();
  await page.getByRole("region", { name: "Your fields" }).getByLabel("note").waitFor();
  const sample = page.getByLabel("someProperty");
  assert.equal(await sample.isVisible(), false);
  await page.getByText("Sample fields").click();
  assert.equal(await sample.isVisible(), true);
  await page.done();
});

test("own fields are those after the last sample field, and identifying fields stay first", () => {
  const field = (name) => ({ name, path: [name], kind: /** @type {const} */ ("text") });
  const all = ["id", "version", "key", "createdAt", "someProperty", "custom", "title", "price"].map(field);
  const { fields, own } = ownFirst(all);
  assert.deepEqual(own, ["title", "price"]);
  const names = fields.map(({ name }) => name);
  assert.deepEqual(names, ["id", "version", "key", "title", "price", "createdAt", "someProperty", "custom"]);
  assert.deepEqual(ownFirst(all.slice(0, 6)).own, []);
});

test("columns, facets, examples, and the page of a resource include the new fields", async () => {
  const name = project();
  await fill(console.worker, name, [{ id: "a", objectTypeProperty: {} }]);
  const page = await opened(name);
  // The service does not have the fields, so its response gets them here.
  await page.route(/\/resource(\/a)?(\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const resource of body.results ?? [body]) {
      Object.assign(resource, { amount: 12, isActive: false, plannedAt: "2026-01-31T00:00:00.000Z", flags: [true] });
      Object.assign(resource.objectTypeProperty ?? {}, { arrayOfBooleanExample: [true, false, true, true] });
    }
    await route.fulfill({ response, json: body });
  });
  await page.locator(".examples summary").click();
  for (const field of ["isActive", "plannedAt", "arrayOfDateExample", "flags", "strange"])
    await page.locator(".example code").getByText(field, { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".menu summary").click();
  for (const field of ["amount", "isActive", "flags", "arrayOfBooleanExample"])
    await page.getByRole("checkbox", { name: field, exact: true }).check();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Apply" }).click();
  const headings = await page.getByRole("columnheader").allTextContents();
  for (const field of ["amount", "isActive", "flags", "arrayOfBooleanExample"])
    assert.ok(
      headings.some((text) => text.startsWith(field)),
      `${field}: ${headings}`,
    );
  await page.getByRole("cell", { name: "true, false, true +1" }).waitFor();
  assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /columns=.*amount.*flags/);
  await page.reload();
  await page.getByRole("cell", { name: "true, false, true +1" }).waitFor();

  await page.getByRole("link", { name: "a", exact: true }).click();
  await page.getByRole("article", { name: "arrayOfBooleanExample" }).getByText("4 items").waitFor();
  await page.getByRole("article", { name: "flags" }).waitFor();
  const details = await page.getByRole("region", { name: "Details" }).textContent();
  assert.match(details, /amount12.*isActivefalse.*plannedAt31 Jan/s);

  // The service has no facets of the new fields.
  await page.goto(`${console.url}/#/p/${name}/search?facet=none`);
  await page.getByLabel("Add a facet").waitFor();
  const facets = await page.getByLabel("Add a facet").locator("option").allTextContents();
  for (const field of ["amount", "isActive", "plannedAt", "flags", "arrayOfBooleanExample", "arrayOfDateExample"])
    assert.ok(facets.includes(field), field);
  assert.ok(!facets.includes("strange"));
  await page.done();
});
