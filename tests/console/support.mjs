// The console in Chromium. workerd serves it with the Worker like a deployment: files first for the console's paths
// (according to wrangler.toml, as wrangler reads it), and the Worker for all other paths.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { ROOT, eventually, project, start } from "../workerd/support.mjs";
import { labelOf } from "../../build/console/model/wording.js";
import { launchChromium } from "../support/chromium.mjs";

export { eventually, project };

const AXE = readFileSync(join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");
const ARTIFACTS = join(ROOT, "artifacts");
/** The site with a file for each of the console's modules: a test may replace them. */
export const MODULES = join(ROOT, "build/console");
/** The site with files for the modules of the console's state, which a test may import in the page. It loads faster. */
export const PARTS = join(ROOT, "build/parts");
/** The API client of tests/support/settings.json. */
export const CLIENT = { id: "tests", secret: "tests-secret" };

/**
 * Starts the Worker with the console, and a browser.
 * @param {{ changes?: Record<string, any>, resources?: object, site?: boolean | string }} [options]
 */
export async function serve({ changes, resources, site = true } = {}) {
  const worker = await start({ changes, site, resources });
  const browser = await launchChromium();
  const console = {
    worker,
    browser,
    url: worker.url.origin,
    open: (options) => open(console, options),
    stop: async () => {
      await browser.close();
      await worker.stop();
    },
  };
  return console;
}

/**
 * Starts the console before the tests of a file, and stops it after them. `setUp` runs once it has started,
 * and `tearDown` before it stops. `options` are those of `serve`.
 * @param {() => Promise<unknown>} [setUp]
 * @param {() => Promise<unknown>} [tearDown]
 * @param {Parameters<typeof serve>[0]} [options]
 */
export function serveForTests(setUp, tearDown, options = {}) {
  const console = /** @type {any} */ ({});
  before(async () => {
    Object.assign(console, await serve(options));
    await setUp?.();
  });
  after(async () => {
    await tearDown?.();
    await console.stop();
  });
  return console;
}

/**
 * Returns a function that declares a test. The test gets what `opening` returns for the arguments between its name and
 * its body: a page, which is closed after the test and may have no complaints, and more.
 * @param {(...options: any[]) => Promise<any>} opening
 * @returns {(name: string, ...rest: any[]) => void}
 */
export const testsOf =
  (opening) =>
  (name, ...rest) => {
    const body = rest.pop();
    test(name, async (context) => {
      const opened = await opening(...rest);
      await body(opened, context);
      await opened.page.done();
    });
  };

/**
 * Opens a page that is signed in to a project, a new one by default, with these resources, at a path of the project.
 * @param {any} console
 * @param {object[]} [bodies]
 * @param {{ path?: string, name?: string, [option: string]: unknown }} [options]
 */
export async function openProject(console, bodies = [], { path, name = project(), ...options } = {}) {
  const made = await fill(console.worker, name, bodies);
  const page = await console.open(options);
  const to = (path) => page.goto(`${console.url}/#/p/${name}/${path}`);
  await enter(page, name);
  if (path !== undefined) await to(path);
  return { page, name, made, to, read: (path) => readFresh(console.worker, name, path) };
}

/** Returns the resource from the source of truth. */
export const readFresh = async (worker, name, path) => (await worker.fresh(`GET /${name}/resource/${path}`)).json;

/**
 * What Chromium logs anyway: each response that is not a success, which the tests check themselves, and a socket that
 * the page closes while it connects, or that a test takes offline.
 */
const EXPECTED =
  /^Failed to load resource|^WebSocket connection to .*(before the connection is established|INTERNET_DISCONNECTED)/;

/**
 * Opens a page in a separate context. All complaints of the page (script errors, console messages, policy violations,
 * requests to other origins) are recorded in `page.complaints`. `page.done()` checks that there are none.
 */
async function open({ browser, url }, { hash = "", ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = /** @type {import("playwright-core").Page & { complaints: string[], done(): Promise<void> }} */ (
    await context.newPage()
  );
  // A busy machine takes long for a page.
  page.setDefaultTimeout(30_000);
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !EXPECTED.test(message.text())) {
      page.complaints.push(`console: ${message.text()}`);
    }
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:"))
      page.complaints.push(`request: ${request.url()}`);
  });
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  page.done = async () => {
    const violations = await page.evaluate(() => globalThis.violations);
    assert.deepEqual([...page.complaints, ...violations.map((one) => `policy: ${one}`)], []);
    await context.close();
  };
  await page.goto(`${url}/${hash}`);
  // The script of the page runs after it has loaded: a key pressed before that reaches nobody.
  await page.locator("#main > *").first().waitFor();
  awaitInterception(page);
  return page;
}

/**
 * Makes `page.route` wait until the page's requests are intercepted. Playwright waits only for the browser: a key that
 * a test presses next may reach a busy page before the browser's message does.
 */
function awaitInterception(page) {
  const route = page.route.bind(page);
  page.route = async (...call) => {
    await route(...call);
    const probe = `${new URL(page.url()).origin}/intercepted`;
    await route(probe, (request) => request.fulfill({ status: 204 }));
    await eventually(async () => {
      assert.equal(await page.evaluate(async (address) => (await fetch(address)).status, probe), 204);
    });
    await page.unroute(probe);
  };
}

/** Signs in to the project on the page as a person does. */
export async function signIn(page, name, { id, secret } = CLIENT) {
  await page.getByLabel("Client ID").fill(id);
  await page.getByLabel("Client secret").fill(secret);
  await page.getByLabel("Project", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs in, and waits for the resources of the project. */
export async function enter(page, name, client = CLIENT) {
  await signIn(page, name, client);
  await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
}

/** Signs in by the dialog that asks for a new sign-in. */
export async function signInAgain(page) {
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Client ID").fill(CLIENT.id);
  await dialog.getByLabel("Client secret").fill(CLIENT.secret);
  await dialog.getByLabel("Client secret").press("Enter");
  await dialog.waitFor({ state: "detached" });
}

/** A client that may only read the project `two`. */
export const READER = { id: "one-project", secret: "one-project-secret" };

/** Returns the input of a field. */
export const box = (page, name) => page.getByRole("textbox", { name: labelOf({ name, schema: {} }), exact: true });

/** Adds items to the input of a list of texts. */
export async function addChips(page, name, ...items) {
  for (const item of items) {
    await box(page, name).fill(item);
    await box(page, name).press("Enter");
  }
}

/** Waits until the page of a resource has a version. */
export const seesVersion = (page, version) =>
  page
    .locator(".system dl > div")
    .filter({ hasText: new RegExp(`^Version${version}$`) })
    .waitFor({ state: "attached" });

/** Shows the JSON of a resource, or its form. */
export const showPart = (page, part) => page.getByRole("radio", { name: part, exact: true }).check();

/** Saves the form, and waits until the resource has the version. */
export async function save(page, name, version = 2) {
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(`Saved ${name}, version ${version}.`).waitFor();
}

/** Adds an action to a list of update actions, and focuses its first input. */
export async function addAction(page, name) {
  await page.getByLabel("Action to add").selectOption(name);
  await page.getByRole("button", { name: "Add", exact: true }).click();
}

/** Returns whether the element has the focus. */
export const isFocused = (element) => element.evaluate((one) => one === document.activeElement);

/** Returns the name of the element that has the focus, or its text. */
export const focusedName = (page) =>
  page.evaluate(
    () =>
      document.activeElement.getAttribute("aria-label") ??
      /** @type {HTMLInputElement} */ (document.activeElement).labels?.[0]?.textContent ??
      document.activeElement.textContent,
  );

/** Hides the page's tab, or shows it. */
export const hide = (page, isHidden) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

/** Returns whether the page asks before the browser leaves it. */
export const asksToStay = (page) =>
  page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));

/**
 * Lets the page write files that a person would choose, because such a choice cannot be automated. Returns a function
 * that reads the last one, which is a real file of the browser.
 */
export async function pickFiles(page) {
  await page.evaluate(() => {
    globalThis.showSaveFilePicker = async ({ suggestedName: file }) =>
      (globalThis.picked = await (await navigator.storage.getDirectory()).getFileHandle(file, { create: true }));
  });
  return () => page.evaluate(async () => (await globalThis.picked.getFile()).text());
}

/** Returns the file that a button saves. */
export async function saveFile(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 60_000 }), press()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

/** Chooses a file on an import page. */
export const chooseFile = (page, name, content) =>
  page
    .getByLabel("Choose a file")
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });

/** Delays the page's next write. `wait()` waits until it is sent, and `answer()` forwards it to the service. */
export async function heldBack(page, pattern = "**/resource**") {
  let held;
  await page.route(pattern, (route) => {
    if (held !== undefined || ["GET", "HEAD"].includes(route.request().method())) return route.continue();
    held = route;
  });
  return {
    wait: () => eventually(() => assert.ok(held, "the page sends no write")),
    /** Resolves once the page has had time to process the response. */
    answer: async () => {
      await held.continue();
      await (await held.request().response())?.finished();
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    },
  };
}

/** Returns the serious violations of accessibility rules with their places. */
export async function audit(page) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => ["serious", "critical"].includes(impact))
      .map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`,
      );
  });
}

/** Saves a screenshot of the page in artifacts/, which is not committed, if `SCREENSHOTS` is set: it takes time. */
export async function screenshot(page, name, options = {}) {
  if (!process.env.SCREENSHOTS) return;
  if (!existsSync(ARTIFACTS)) mkdirSync(ARTIFACTS);
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`), ...options });
}

/**
 * Creates resources through the API, one after the other: a query without `sort` returns the resources in the order in
 * which they were created.
 */
export async function fill(worker, name, bodies) {
  const made = [];
  for (const body of bodies) {
    const { status, text, json } = await worker.call(`POST /${name}/resource`, { body });
    assert.equal(status, 201, text);
    made.push(json);
  }
  return made;
}
