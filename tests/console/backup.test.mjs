// The exact backup: downloaded to a file, and restored into an empty project.

import assert from "node:assert/strict";
import { describe } from "node:test";

import {
  asksToStay,
  chooseFile,
  enter,
  eventually,
  fill,
  pickFiles,
  project,
  READER,
  saveFile,
  serveForTests,
  signIn,
  testsOf,
} from "./support.mjs";

let source;
let text;
const console = serveForTests(async () => {
  source = await fillProject();
  const { page } = await openBackup({ name: source });
  ({ text } = await downloadBackup(page));
  await page.done();
});
const test = testsOf(openBackup);

const COUNT = 320;

/** Creates a project with resources of several pages, an update, and a deleted resource. */
async function fillProject() {
  const name = project();
  const body = (at) => ({
    id: `r${at}`,
    ...(at % 2 === 1 ? { key: `k${at}` } : {}),
    custom: `ü😀 ${"x".repeat(1500)}`,
    objectTypeProperty: { arrayOfIntExample: [at % 5, at], arrayOfStringExample: [`red ${at}`, 'two\n"lines"'] },
  });
  await fill(
    console.worker,
    name,
    Array.from({ length: COUNT }, (_, at) => body(at)),
  );
  await console.worker.call(`POST /${name}/resource`, { body: { ...body(3), key: "moved" } });
  await fill(console.worker, name, [{ id: "gone", objectTypeProperty: {} }]);
  assert.equal((await console.worker.call(`DELETE /${name}/resource/gone`)).status, 200);
  return name;
}

/** Opens the page of a new project, the source, or the named one. The browser downloads files. */
async function openBackup({ isSource = false, name = isSource ? source : project() } = {}) {
  const page = await console.open({ acceptDownloads: true });
  await page.addInitScript(() => Object.assign(globalThis, { showSaveFilePicker: undefined }));
  await page.reload();
  await enter(page, name);
  await page.getByRole("link", { name: "Backup" }).click();
  await page.getByRole("heading", { name: "Backup", exact: true }).waitFor();
  return { page, target: name };
}

const button = (page, name) => page.getByRole("button", { name, exact: true });
const result = (page) => page.getByRole("region", { name: "Result" });

async function downloadBackup(page) {
  const file = await saveFile(page, () => button(page, "Download backup").click());
  await page.getByRole("heading", { name: "Backup saved" }).waitFor();
  return file;
}

const choose = (page, content) => chooseFile(page, "backup.ndjson", content);

/** Asserts that both projects have the same states. Each has its own history. */
async function assertSame(to, from) {
  const states = async (name) => (await console.worker.pages(name)).join("").replaceAll(/^{"end":.*\n/gm, "");
  assert.equal(await states(to), await states(from));
}

describe("a backup", () => {
  test("has every state of the project, and restores all of it in another project", { isSource: true }, async ({
    page,
  }) => {
    const file = await downloadBackup(page);
    assert.match(file.name, new RegExp(`^${source}-\\d{4}-\\d\\d-\\d\\d-backup\\.ndjson$`));
    assert.equal(file.text, text);
    assert.equal(file.text.trimEnd().split("\n").length, COUNT + 2);
    assert.match(file.text, new RegExp(`\n{"end":"[^"]+","lines":${COUNT + 1},"checksum":\\d+}\n$`));
    assert.match(
      await result(page).getByRole("status").textContent(),
      new RegExp(`: ${COUNT} resources, 1 deleted ID, [\\d.]+ KiB\\.$`),
    );

    const { page: other, target } = await openBackup();
    await other.getByText(`${target} is empty, so you can restore a backup into it.`).waitFor();
    await choose(other, file.text);
    await other.getByText(`321 lines: ${COUNT} resources, 1 deleted ID.`).waitFor();
    await button(other, "Restore 321 lines").click();
    await other.getByRole("heading", { name: "Restored" }).waitFor();
    await other.getByText(`${target} has all lines of the file: ${COUNT} resources, 1 deleted ID.`).waitFor();
    await other.getByText("The service has checked that no line of the backup is missing.").waitFor();
    await assertSame(target, source);
    // The page reports that the same file is complete.
    await choose(other, file.text);
    await other.getByText("The project already has all lines of the file.").waitFor();
  });

  test("is written to a chosen file page by page, if the browser supports it", { isSource: true }, async ({ page }) => {
    const read = await pickFiles(page);
    const pages = [];
    page.on("request", (request) => request.url().includes("/export") && pages.push(request.url()));
    await button(page, "Download backup").click();
    await page.getByRole("heading", { name: "Backup saved" }).waitFor();
    assert.ok(pages.length > 1, `${pages}`);
    assert.equal(await read(), text);
  });

  test("can be paused and canceled, and a canceled backup saves no file", { isSource: true }, async ({ page }) => {
    let downloads = 0;
    page.on("download", () => downloads++);
    /** @type {import("playwright-core").Route[]} */
    const held = [];
    await page.route("**/export**", (route) => void held.push(route));
    await button(page, "Download backup").click();
    await eventually(() => assert.equal(held.length, 1));
    await button(page, "Pause").click();
    await held[0].continue();
    await page.waitForTimeout(300);
    assert.equal(held.length, 1);
    await button(page, "Continue").click();
    await eventually(() => assert.equal(held.length, 2));
    await button(page, "Cancel").click();
    await page.getByRole("heading", { name: "The download was canceled" }).waitFor();
    await held[1].continue().catch(() => {});
    await page.waitForTimeout(300);
    assert.equal(downloads, 0);
  });

  test("continues its restore after a failure and in a new page", async ({ page: first, target }) => {
    let page = first;
    let sent = 0;
    await page.route("**/import", (route) => {
      if (route.request().postData() === null || route.request().postData() === "") return route.continue();
      sent += 1;
      return sent === 1 ? route.continue() : route.abort();
    });
    await choose(page, text);
    await button(page, "Restore 321 lines").click();
    await page.getByRole("alert").getByText("The service could not be reached").waitFor({ timeout: 30_000 });
    const { resources } = (await console.worker.call(`GET /${target}/status`)).json;
    assert.ok(resources > 0 && resources < COUNT, `${resources}`);
    await button(page, "Cancel").click();
    await page.getByText(`${target} has ${resources} of 321 lines. Choose the same file again to continue.`).waitFor();
    ({ page } = await openBackup({ name: target }));
    await page.getByText(`${target} is not empty. If a restore into it was interrupted`).waitFor();
    const bodies = [];
    page.on("request", (request) => request.url().endsWith("/import") && bodies.push(request.postData() ?? ""));
    await choose(page, text);
    await page.getByText(`${target} already has the first ${resources} lines.`).waitFor();
    await button(page, `Continue with ${321 - resources} lines`).click();
    await page.getByRole("heading", { name: "Restored" }).waitFor();
    // Nothing that was restored before is sent again. The last line is the end.
    assert.equal(bodies.join("\n").split("\n").filter(Boolean).length, 322 - resources);
    await assertSame(target, source);
    await page.done();
  });

  test("stops if another writer changes the project during its restore, and names the next step", async ({
    page,
    target,
  }) => {
    let isFirst = true;
    await page.route("**/import", async (route) => {
      if (!isFirst || !route.request().postData()) return route.continue();
      isFirst = false;
      await fill(console.worker, target, [{ key: "a", objectTypeProperty: {} }]);
      return route.continue();
    });
    await choose(page, text);
    await button(page, "Restore 321 lines").click();
    await page.getByRole("heading", { name: "The restore stopped" }).waitFor();
    await page.getByText("Restore the file into another, empty project.").waitFor();
    await choose(page, text);
    await page.getByText(`${target} has resources that no backup restored.`).waitFor();
    assert.equal(await page.getByRole("button", { name: /^(Restore|Continue)/ }).count(), 0);
    assert.equal((await console.worker.call(`GET /${target}/status`)).json.resources, 1);
  });

  test("shows the line that the service rejects, with its text", async ({ page, target }) => {
    const lines = text.trimEnd().split("\n");
    lines[299] = lines[299].replace('"custom":"', '"costum":"');
    await choose(page, lines.join("\n"));
    await button(page, "Restore 321 lines").click();
    await page
      .getByText(
        /^Line 300 was rejected \(line \d+ of its request\)\. .*There is no field 'costum'\. Did you mean 'custom'\?$/,
      )
      .waitFor();
    await page.getByLabel("Line 300").getByText("costum").waitFor();
    const has = (await console.worker.call(`GET /${target}/status`)).json.resources;
    assert.ok(has < 300);
    // The corrected file continues after what is restored.
    await choose(page, text);
    await button(page, `Continue with ${321 - has} lines`).click();
    await page.getByRole("heading", { name: "Restored" }).waitFor();
    await assertSame(target, source);
  });

  test("is checked before anything is sent, and other files are rejected with the reason", async ({ page }) => {
    const sent = [];
    page.on("request", (request) => request.url().endsWith("/import") && request.postData() && sent.push(request));
    const [first, second] = text.split("\n");
    for (const [content, message] of [
      ['{"key":"a","objectTypeProperty":{}}\n', "Line 1: The line lacks an ID, a version, or a time."],
      ["[]", "Line 1: The line lacks an ID, a version, or a time."],
      [`${first}\n${first.slice(0, 40)}`, "Line 2: The line is not JSON."],
      [`${second}\n\n${first}\n`, "Line 3: The line is not later than the line before it."],
      ["x".repeat(1_100_000), "Line 1: The line is longer than any resource."],
    ]) {
      await choose(page, content);
      await page.getByText(message).waitFor();
      await page.getByText("Nothing was sent.").waitFor();
    }
    await choose(page, "");
    await page.getByText("There is nothing to restore.").waitFor();
    const latin = Buffer.concat([Buffer.from(`${first}\n`), Buffer.from([0x22, 0xe4, 0x22])]);
    await choose(page, latin);
    await page.getByText("Line 2: The line is not UTF-8 text.").waitFor();
    assert.deepEqual(sent, []);
  });
});

test("a file with lines of every size and with other line ends is restored", async ({ page, target }) => {
  const source = project();
  await fill(console.worker, source, [
    { id: "small", objectTypeProperty: {} },
    { id: "large", objectTypeProperty: {}, custom: "x".repeat(1_000_000) },
    { id: "last", objectTypeProperty: {} },
  ]);
  const pages = await console.worker.pages(source);
  assert.equal(pages.length, 3);
  await choose(page, `\ufeff${pages.join("").trimEnd().replaceAll("\n", "\r\n\r\n")}`);
  await button(page, "Restore 3 lines").click();
  await page.getByRole("heading", { name: "Restored" }).waitFor();
  await assertSame(target, source);
});

test("a backup without its end is restored with a warning, and one that lacks lines is refused", async ({ page }) => {
  const source = project();
  await fill(
    console.worker,
    source,
    ["a", "b", "c"].map((id) => ({ id, objectTypeProperty: {} })),
  );
  const { text } = await console.worker.call(`GET /${source}/export`);
  const lines = text.trimEnd().split("\n");
  const warning = "The file does not end as a complete backup does";
  await choose(page, text);
  await button(page, "Restore 3 lines").waitFor();
  assert.equal(await page.getByText(warning).count(), 0);
  await choose(page, [lines[0], ...lines.slice(2)].join("\n"));
  await button(page, "Restore 2 lines").click();
  await page.getByRole("heading", { name: "The restore stopped" }).waitFor();
  await page.getByText("The project has 2 of the 3 states of the export.").waitFor();
  await choose(page, lines.slice(0, 2).join("\n"));
  await page.getByText(warning).waitFor();
  await button(page, "Restore 2 lines").click();
  await page.getByRole("heading", { name: "Restored" }).waitFor();
  assert.equal(await page.getByText("The service has checked").count(), 0);
});

test("no request fails when the page of a project with data opens", { isSource: true }, async ({ page }) => {
  const failed = [];
  page.on("response", (response) => response.status() >= 400 && failed.push(response.url()));
  await page.reload();
  await page.getByRole("heading", { name: "Restore" }).waitFor();
  await page.waitForLoadState("networkidle");
  assert.deepEqual(failed, []);
});

test("the page shows a missing scope to people without write access", async ({ page: other, target: name }) => {
  const page = await console.open({ hash: "#/p/two/backup" });
  await signIn(page, "two", READER);
  await page.getByRole("alert").getByText("Sign in with a client that has the scope").waitFor();
  assert.equal(await page.getByRole("button", { name: "Download backup" }).count(), 0);
  await page.done();

  // The console cannot read the scope of this token: the service rejects it.
  const json = { statusCode: 403, message: "Insufficient scope.", errors: [{ code: "InsufficientScope" }] };
  await other.route(/\/(status|import)$/, (route) => route.fulfill({ status: 403, json }));
  await other.getByRole("link", { name: "Status" }).click();
  await other.getByRole("link", { name: "Backup" }).click();
  await other.getByRole("alert").getByText(`manage_test:${name}`).waitFor();
});

test("leaving the page ends a restore with a notice, and the service keeps the lines that were sent", async ({
  page,
}) => {
  await page.route("**/import", (route) => (route.request().postData() ? undefined : route.continue()));
  await choose(page, text);
  await page.getByRole("button", { name: /^Restore \d+ lines$/ }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  assert.equal(await asksToStay(page), true);
  await page.getByRole("link", { name: "Status" }).click();
  await page.getByText("The restore was canceled because you left its page.").waitFor();
  await eventually(async () => assert.equal(await asksToStay(page), false));
});

test("the check of a file can be canceled, and not paused", async ({ page }) => {
  // A disk that does not respond.
  await page.evaluate(() => (Blob.prototype.stream = () => new ReadableStream({ pull: () => new Promise(() => {}) })));
  await choose(page, text);
  await page.getByRole("heading", { name: /^Checking / }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Pause" }).count(), 0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "The check was canceled" }).waitFor();
});
