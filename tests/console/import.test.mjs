// Import from files and export to files.

import assert from "node:assert/strict";
import { describe } from "node:test";

import { parseLines } from "../support/lines.mjs";
import {
  asksToStay,
  chooseFile,
  eventually,
  openProject,
  pickFiles,
  project,
  saveFile,
  screenshot,
  serveForTests,
  testsOf,
} from "./support.mjs";

const console = serveForTests();

/** Declares a test with an import page, which is signed in to a project with these resources. */
const test = testsOf((bodies, options) =>
  openProject(console, bodies, { acceptDownloads: true, path: "import", ...options }),
);
const start = (page, count) => page.getByRole("button", { name: `Import ${count}` }).click();
const result = async (page, title, timeout = 60_000) => {
  await page.getByRole("heading", { name: title, exact: true }).waitFor({ timeout });
  return page.getByRole("region", { name: "Result" }).getByRole("status").textContent();
};
/** Returns all resources of a project, in the order of an export. */
const all = async (name) => (await console.worker.call(`GET /${name}/resource?limit=500&sort=id%20asc`)).json.results;
const content = ({ version, createdAt, lastModifiedAt, ...rest }) => rest;
const byKey = (resources) => Object.fromEntries(resources.map((one) => [one.key, one]));

async function exportAs(page, format = "NDJSON") {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const box = page.getByRole("dialog");
  await box.getByText(/resources? of /).waitFor();
  await box.getByLabel(format).check();
  return saveFile(page, () => box.getByRole("button", { name: "Export" }).click());
}

const draft = (at) => ({
  key: `key-${at}`,
  createdBy: { firstName: "Ada", lastName: `${at}` },
  objectTypeProperty: {
    arrayOfIntExample: [at, at + 1],
    arrayOfFloatExample: [at / 7],
    arrayOfStringExample: [`ä ${at}`, "two\nlines"],
    arrayOfObjectType: [{ integerExample: at }],
  },
  custom: `custom ${at}`,
});

/**
 * Starts an import of 400 resources from a file, and holds it up while the page waits for the responses to 16 requests,
 * after 40 others. Returns a function that lets it continue.
 */
async function startAndHold(page, file, content) {
  await chooseFile(page, file, content);
  let [sent, isHeld] = [0, true];
  const held = [];
  await page.route("**/resource", (route) => (isHeld && ++sent > 40 ? void held.push(route) : route.continue()));
  await start(page, "400 resources");
  await eventually(() => assert.equal(held.length, 16));
  await page
    .getByText(/ of 400 items · .* per second · .* left/)
    .first()
    .waitFor();
  return async () => {
    isHeld = false;
    for (const route of held) await route.continue();
    // The other requests are faster without the test.
    await page.unroute("**/resource");
  };
}

/** Starts an import of 40 resources, which is paused because the service rejects each write. */
async function pause(page) {
  await page.route("**/resource", (route) =>
    route.fulfill({
      status: 403,
      contentType: "application/json",
      body: '{"statusCode":403,"message":"Insufficient scope."}',
    }),
  );
  await chooseFile(page, "x.ndjson", Array.from({ length: 40 }, () => '{"objectTypeProperty":{}}\n').join(""));
  await start(page, "40 resources");
  await page.getByText("Paused. Nothing is lost or sent twice.").waitFor();
}

describe("import and export", () => {
  test("400 resources are imported from NDJSON, and exported into an empty project", async ({
    page,
    name: first,
    to,
  }) => {
    const drafts = Array.from({ length: 400 }, (_, at) => draft(at));
    const lines = drafts.map((one) => `${JSON.stringify(one)}\n`).join("");
    const proceed = await startAndHold(page, "many.ndjson", lines);
    // The page remains responsive: record its longest pause.
    await page.evaluate(() => {
      globalThis.longest = 0;
      let last = performance.now();
      setInterval(() => {
        const now = performance.now();
        globalThis.longest = Math.max(globalThis.longest, now - last);
        last = now;
      }, 20);
    });
    await proceed();
    assert.equal(await result(page, "Imported"), "400 created · 0 updated.");
    const longest = await page.evaluate(() => globalThis.longest);
    assert.ok(longest < 1000, `the page stood still for ${longest} ms`);

    await to("");
    const { text } = await exportAs(page);
    const resources = parseLines(text);
    assert.equal(resources.length, 400);
    const there = await all(first);
    assert.deepEqual(resources, there);
    const found = byKey(resources);
    for (const one of drafts) {
      const { objectTypeProperty, custom, createdBy } = found[one.key];
      assert.deepEqual(
        { ...one, objectTypeProperty: { ...objectTypeProperty, ...one.objectTypeProperty } },
        { key: one.key, createdBy, objectTypeProperty, custom },
      );
    }

    // A JSON array of the same resources into an empty project: IDs, keys, and everything except versions and times are
    // equal.
    const second = project();
    await page.goto(`${console.url}/#/p/${second}/import`);
    await page.getByRole("heading", { name: "Import" }).waitFor();
    await chooseFile(page, "many.json", `[\n${resources.map((one) => JSON.stringify(one)).join(",\n")}\n]`);
    await start(page, "400 resources");
    assert.equal(await result(page, "Imported"), "400 created · 0 updated.");
    assert.deepEqual((await all(second)).map(content), there.map(content));
  });

  test("a large export is written to a chosen file", [draft(0)], { path: "" }, async ({ page, name }) => {
    const read = await pickFiles(page);
    await page.route("**/resource?*limit=0*", (route) => route.fulfill({ json: { results: [], total: 2001 } }));
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("dialog").getByText("2,001 resources of").waitFor();
    await page.getByRole("dialog").getByLabel("NDJSON").check();
    await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
    await page.getByText(`Exported 1 resource to ${name}-`).waitFor();
    assert.equal(await read(), (await all(name)).map((one) => `${JSON.stringify(one)}\n`).join(""));
  });

  test(
    "an import of a project's own export updates, skips, or compares versions, as chosen",
    [draft(1), draft(2), draft(3)],
    { path: "" },
    async ({ page, name, to }) => {
      const { text } = await exportAs(page, "JSON array");
      assert.deepEqual(JSON.parse(text), await all(name));
      await console.worker.call(`POST /${name}/resource`, {
        body: { key: "key-1", objectTypeProperty: {}, custom: "changed since" },
      });
      await to("import");

      await chooseFile(page, "export.json", text);
      await page.getByLabel("Skip it").check();
      await start(page, "3 resources");
      assert.equal(await result(page, "Imported"), "0 created · 0 updated · 3 skipped.");
      assert.equal(byKey(await all(name))["key-1"].custom, "changed since");

      await chooseFile(page, "export.json", text);
      await page.getByLabel("only if its version").check();
      await start(page, "3 resources");
      assert.equal(await result(page, "Partly imported"), "0 created · 2 updated · 1 failed.");
      await page.getByRole("cell", { name: /different version than expected/ }).waitFor();
      assert.equal(byKey(await all(name))["key-1"].custom, "changed since");

      // An item without a version only creates.
      const lines = ["key-1", "key-4"].map((key) => JSON.stringify({ key, custom: "new", objectTypeProperty: {} }));
      await chooseFile(page, "x.ndjson", lines.join("\n"));
      await page.getByLabel("only if its version").check();
      await start(page, "2 resources");
      assert.equal(await result(page, "Partly imported"), "1 created · 0 updated · 1 failed.");
      await page.getByRole("cell", { name: "this item has no version to compare. Nothing was changed." }).waitFor();
      assert.equal(byKey(await all(name))["key-1"].custom, "changed since");

      await chooseFile(page, "export.json", text);
      await start(page, "3 resources");
      assert.equal(await result(page, "Imported"), "0 created · 3 updated.");
      assert.equal(byKey(await all(name))["key-1"].custom, "custom 1");

      await chooseFile(page, "export.json", text);
      await page.getByLabel("Create all as new resources").check();
      await start(page, "3 resources");
      assert.equal(await result(page, "Imported"), "3 created · 0 updated.");
      assert.equal((await all(name)).length, 7);
    },
  );

  test(
    "an import imports the valid lines and offers the broken ones for another attempt",
    [{ key: "owner", id: "owner", objectTypeProperty: {} }],
    async ({ page, name }) => {
      const broken = [
        '{"key":"b","objectTypeProperty":{"arrayOfIntExample":[1.5]}}',
        '{"key":"c", "objectTypeProperty":',
        '{"key":"owner","id":"other","objectTypeProperty":{}}',
      ];
      await chooseFile(
        page,
        "mixed.ndjson",
        [
          '{"key":"a","objectTypeProperty":{}}',
          broken[0],
          "",
          broken[1],
          broken[2],
          '{"key":"d","objectTypeProperty":{}}',
        ].join("\n"),
      );
      await page.getByText("5 items: 3 valid, 2 invalid.").waitFor();
      await start(page, "3 resources");
      assert.equal(await result(page, "Partly imported"), "2 created · 0 updated · 3 failed.");
      const rows = await page.getByRole("region", { name: "Failed items" }).getByRole("row").allTextContents();
      assert.equal(rows.length, 4);
      assert.match(rows[1], /^22b.*Expected an integer, found 1\.5/);
      assert.match(rows[2], /^34–.*line 4, column 34: expected a value/);
      assert.match(rows[3], /^45owner.*owner/);
      const failed = await saveFile(page, () =>
        page.getByRole("button", { name: "Download the failed items" }).click(),
      );
      assert.equal(failed.text, `${broken.join("\n")}\n`);
      const reasons = await saveFile(page, () => page.getByRole("button", { name: "Download the reasons" }).click());
      const [first] = parseLines(reasons.text);
      assert.deepEqual([first.number, first.line, first.key, first.errors[0].code], [2, 2, "b", "InvalidField"]);
      // After a correction they are imported.
      await chooseFile(
        page,
        failed.name,
        failed.text
          .replace("[1.5]", "[1]")
          .replace('"objectTypeProperty":\n', '"objectTypeProperty":{}}\n')
          .replace('"owner","id"', '"e","id"'),
      );
      await start(page, "3 resources");
      assert.equal(await result(page, "Imported"), "3 created · 0 updated.");
      assert.deepEqual((await all(name)).map(({ key }) => key).sort(), ["a", "b", "c", "d", "e", "owner"]);
    },
  );

  test("a canceled import reports what it did, and the rest can be imported later", async ({ page, name }) => {
    const text = JSON.stringify(Array.from({ length: 400 }, (_, at) => draft(at)));
    const proceed = await startAndHold(page, "long.json", text);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("Waiting for the responses to the items that were sent").waitFor();
    await proceed();
    assert.equal(await result(page, "Canceled"), "56 created · 0 updated. 344 items not sent.");
    assert.equal((await all(name)).length, 56);
    await chooseFile(page, "long.json", text);
    await page.getByLabel("Skip it").check();
    await start(page, "400 resources");
    assert.equal(await result(page, "Imported"), "344 created · 0 updated · 56 skipped.");
  });

  test("an import waits while the service is unavailable, and continues without writing twice", async ({
    page,
    name,
  }) => {
    await pause(page);
    await page.unroute("**/resource");
    await page.getByRole("button", { name: "Continue" }).click();
    assert.equal(await result(page, "Imported"), "40 created · 0 updated.");
    assert.equal((await all(name)).length, 40);
  });

  test("an import that ends while the service is unavailable reports the state of each item", async ({ page }) => {
    await pause(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await result(page, "Canceled"), "0 created · 0 updated · 16 failed. 24 items not sent.");
    assert.equal(await page.getByRole("cell", { name: "Not sent: the import was canceled." }).count(), 16);
  });

  test("a canceled import waits for its responses, or reports what may be saved", async ({ page }) => {
    await page.route("**/resource", () => {});
    await chooseFile(page, "x.ndjson", '{"objectTypeProperty":{}}\n{"objectTypeProperty":{}}\n');
    await start(page, "2 resources");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("status").getByText("Waiting for the responses to the items that were sent").waitFor();
    assert.equal(await page.getByRole("button", { name: "Pause" }).isVisible(), false);
    await page.getByRole("button", { name: "Cancel without waiting" }).click();
    assert.equal(await result(page, "Canceled"), "0 created · 0 updated · 2 failed.");
    assert.equal(await page.getByRole("cell", { name: "The service may have saved the item." }).count(), 2);
  });

  test("a column that no field has is asked for once, and one that spreadsheets write is imported", async ({
    page,
    name,
  }) => {
    await chooseFile(page, "a.csv", "Key;sku;Custom;note\na;1;x;n\nb;2;y;\n");
    const field = (column) => page.getByLabel(`Field of the column ${column}`, { exact: true });
    // Names that differ in case are recognized.
    assert.deepEqual(await Promise.all(["Key", "sku", "Custom", "note"].map((one) => field(one).inputValue())), [
      "key",
      "",
      "custom",
      "",
    ]);
    await field("note").selectOption("custom");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Two columns set the field 'custom'.").waitFor();
    await field("note").selectOption("");
    await field("sku").selectOption("someProperty");
    await screenshot(page, "import of a CSV file with an unknown column");
    await page.getByRole("button", { name: "Continue" }).click();
    await start(page, "2 resources");
    assert.equal(await result(page, "Imported"), "2 created · 0 updated.");
    const { a, b } = byKey(await all(name));
    assert.deepEqual([a.someProperty, a.custom, b.someProperty, b.custom], ["1", "x", "2", "y"]);
    await chooseFile(page, "a.csv", Buffer.from('\ufeffsep=;\r\nkey;custom;\r\na;"1,5; x";\r\n', "utf16le"));
    await start(page, "1 resource");
    assert.equal(await result(page, "Imported"), "0 created · 1 updated.");
    assert.equal(byKey(await all(name)).a.custom, "1,5; x");
  });

  test("a file that cannot be imported is reported with the reason", async ({ page }) => {
    await chooseFile(page, "half.json", '[{"key":"a","objectTypeProperty":{}},\n{"key":"b"');
    await page.getByText("The list has no closing ']': the file ends in item 2, which starts in line 2.").waitFor();
    await page.getByText("1 item: 1 valid, 0 invalid.").waitFor();
    await chooseFile(page, "latin.json", [0x5b, 0x22, 0xe4, 0x22, 0x5d]);
    await page.getByText("The file is not UTF-8 text").waitFor();
    await page.getByRole("button", { name: "Nothing to import" }).waitFor();
    await chooseFile(page, "empty.json", "");
    await page.getByText("0 items: 0 valid, 0 invalid.").waitFor();
  });

  test(
    "an export can be repeated after its resources could not be counted",
    [draft(1)],
    { path: "" },
    async ({ page, name }) => {
      await page.getByRole("table").waitFor();
      await page.route("**/resource?*limit=0*", (route) => route.fulfill({ status: 403, json: { statusCode: 403 } }));
      await page.getByRole("button", { name: "Export", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("alert").waitFor();
      await page.unroute("**/resource?*limit=0*");
      await dialog.getByRole("button", { name: "Export" }).click();
      await page.getByText(`Exported 1 resource to ${name}-`).waitFor();
    },
  );

  test("an export can be canceled, and then saves no file", [draft(1)], { path: "" }, async ({ page }) => {
    let downloads = 0;
    page.on("download", () => downloads++);
    /** @type {import("playwright-core").Route} */
    let held;
    await page.route("**/resource?*sort=id*", (route) => (held = route));
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("dialog").getByText("1 resource of").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
    await page.getByRole("progressbar", { name: "Exporting" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await held?.continue().catch(() => {});
    await page.waitForTimeout(300);
    assert.equal(downloads, 0);
  });

  test("leaving the page ends an import with a notice", async ({ page, name }) => {
    await startAndHold(page, "long.json", JSON.stringify(Array.from({ length: 400 }, (_, at) => draft(at))));
    assert.equal(await asksToStay(page), true);
    await page.getByRole("link", { name: "Resources" }).click();
    await page.getByText("The import was canceled because you left its page.").waitFor();
    await page.getByRole("table").waitFor();
    await eventually(async () => assert.equal(await asksToStay(page), false));
    assert.equal((await console.worker.call(`GET /${name}/resource?limit=0`)).json.total, 40);
  });

  test("leaving the page ends the reading of a file, and the page reports that nothing was sent", async ({ page }) => {
    // A disk that does not respond.
    await page.evaluate(
      () => (Blob.prototype.stream = () => new ReadableStream({ pull: () => new Promise(() => {}) })),
    );
    await chooseFile(page, "x.ndjson", "{}");
    await page.getByRole("heading", { name: "Reading x.ndjson" }).waitFor();
    await page.getByRole("link", { name: "Status" }).click();
    await page.getByText("You left the page while the file was checked. Nothing was sent.").waitFor();
    await eventually(async () => assert.equal(await asksToStay(page), false));
  });

  test("a file that is dropped beside its zone does not replace the page", async ({ page }) => {
    const areRefused = () =>
      page.evaluate(() =>
        ["dragover", "drop"].map(
          (name) =>
            !document.querySelector("h1").dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true })),
        ),
      );
    await page.getByRole("heading", { name: "Import" }).waitFor();
    assert.deepEqual(await areRefused(), [true, true]);
    await page.getByRole("link", { name: "Status" }).click();
    await page.getByRole("heading", { name: "Status" }).waitFor();
    assert.deepEqual(await areRefused(), [false, false]);
  });

  test(
    "an export has only the matches of a condition, and may be empty",
    [draft(1), draft(2)],
    { path: `?where=${encodeURIComponent('key = "key-2"')}` },
    async ({ page, name, to }) => {
      const { name: file, text } = await exportAs(page);
      assert.match(file, new RegExp(`^${name}-\\d{4}-\\d\\d-\\d\\d\\.ndjson$`));
      assert.deepEqual(
        parseLines(text).map(({ key }) => key),
        ["key-2"],
      );
      await to(`?where=${encodeURIComponent('key = "none"')}`);
      await page.getByText("No matches").waitFor();
      const none = await exportAs(page, "JSON array");
      assert.deepEqual(JSON.parse(none.text), []);
    },
  );
});
