// The console with another schema: a new field of any kind appears in forms, columns, facets, and examples.

import assert from "node:assert/strict";
import { test } from "node:test";

import { exampleOf } from "../../build/site/model/predicate-examples.js";
import { notation, parseList } from "../../build/site/model/lists.js";
import { describe, leaves } from "../../build/site/model/schema.js";
import { fill, project, screenshot, serveForTests, signIn } from "./support.mjs";

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
  await signIn(page, name);
  await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
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

test("the form has an input for each field, and its JSON has the input", async () => {
  const name = project();
  const page = await opened(name);
  await page.goto(`${console.url}/#/p/${name}/new`);
  const input = (field) => page.locator(`[data-field="${field}"]`).locator("input, select, textarea");
  await input("note").fill("hello");
  await input("amount").fill("12");
  await input("ratio").fill("many");
  await input("isActive").selectOption("false");
  await input("plannedAt").fill("2026-01-31T00:00:00.000Z");
  await input("flags").fill("true false");
  await input("strange").fill('{"a": [1]}');
  await input("objectTypeProperty.arrayOfBooleanExample").fill("true, false, 7");
  await input("objectTypeProperty.arrayOfDateExample").fill("2026-01-31T00:00:00.000Z\n2026-02-01T00:00:00.000Z");
  await input("objectTypeProperty.arrayOfTextObject").fill('[{"name": "x"}');
  await page
    .getByText("The text of 'arrayOfTextObject' is not JSON.")
    .or(page.locator(".field-error li"))
    .first()
    .waitFor();
  await input("objectTypeProperty.arrayOfTextObject").fill('[{"name": "x"}]');
  await screenshot(page, "new-kinds", { fullPage: true });
  await page.getByRole("tab", { name: "JSON" }).click();
  const json = page.getByLabel("The whole body as JSON");
  const value = JSON.parse(await json.inputValue());
  const { objectTypeProperty, ...others } = value;
  assert.deepEqual(others, {
    note: "hello",
    amount: 12,
    ratio: "many",
    isActive: false,
    plannedAt: "2026-01-31T00:00:00.000Z",
    flags: [true, false],
    strange: { a: [1] },
  });
  assert.deepEqual(
    Object.keys(ARRAYS).map((field) => objectTypeProperty[field]),
    [[true, false, "7"], ["2026-01-31T00:00:00.000Z", "2026-02-01T00:00:00.000Z"], [{ name: "x" }]],
  );
  // The form shows the value again, and a value that an input cannot show is unchanged.
  await json.fill(JSON.stringify({ ...value, amount: { a: 1 }, isActive: "yes", plannedAt: null, strange: [2] }));
  await page.getByRole("tab", { name: "Form" }).click();
  assert.equal(await input("objectTypeProperty.arrayOfBooleanExample").inputValue(), "true, false, 7");
  assert.equal(await input("isActive").isDisabled(), true);
  assert.equal(await input("plannedAt").inputValue(), "");
  await input("note").fill("again");
  await page.getByRole("tab", { name: "JSON" }).click();
  const after = JSON.parse(await json.inputValue());
  assert.deepEqual([after.note, after.amount, after.isActive, after.strange], ["again", { a: 1 }, "yes", [2]]);
  await page.done();
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
  await page
    .getByRole("button", { name: "Search" })
    .or(page.getByRole("link", { name: "Search" }))
    .waitFor();
  await page.getByRole("button", { name: "Apply" }).click();
  const headings = await page.getByRole("columnheader").allTextContents();
  for (const field of ["amount", "isActive", "flags", "arrayOfBooleanExample"])
    assert.ok(
      headings.some((text) => text.startsWith(field)),
      `${field}: ${headings}`,
    );
  await page.getByRole("cell", { name: "true, false, true +1" }).waitFor();
  assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /columns=.*amount.*flags/);
  await screenshot(page, "new-columns");
  await page.reload();
  await page.getByRole("cell", { name: "true, false, true +1" }).waitFor();

  await page.getByRole("link", { name: "a", exact: true }).click();
  await page.getByRole("article", { name: "arrayOfBooleanExample" }).getByText("4 items").waitFor();
  await page.getByRole("article", { name: "flags" }).waitFor();
  const details = await page.getByRole("region", { name: "Details" }).textContent();
  assert.match(details, /amount12.*isActivefalse.*plannedAt31 Jan/s);

  await page.getByRole("link", { name: "Search" }).click();
  await page.getByLabel("Add a facet").waitFor();
  const facets = await page.getByLabel("Add a facet").locator("option").allTextContents();
  for (const field of ["amount", "isActive", "plannedAt", "flags", "arrayOfBooleanExample", "arrayOfDateExample"])
    assert.ok(facets.includes(field), field);
  assert.ok(!facets.includes("strange"));
  await page.done();
});
