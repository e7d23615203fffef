// Accessibility: by keyboard only, with assistive technology, in both color schemes, and on a phone. Also what the
// policy blocks.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import {
  addAction,
  addChips,
  audit,
  box,
  chooseFile,
  CLIENT,
  enter,
  fill,
  focusedName,
  project,
  screenshot,
  serveForTests,
  showPart,
} from "./support.mjs";

const name = project();
// Another project that the client can open, without resources.
const empty = project();
let made;
const console = serveForTests(async () => {
  const bodies = Array.from({ length: 40 }, (_, at) => ({
    key: `order-${at}`,
    custom: "A longer text",
    someProperty: at % 2 ? "odd" : "even",
    objectTypeProperty: {
      arrayOfIntExample: [3, 1, 2, at],
      arrayOfFloatExample: [0.5, at / 3],
      arrayOfTwonumbersExample: [1, 2],
      arrayOfStringExample: ["hello", `w${at}`],
      arrayOfObjectType: [{ integerExample: at }, { integerExample: 1, integerExampleInt32: 2 }],
    },
  }));
  made = await fill(console.worker, name, bodies);
});

const to = (page, path, project = name) => page.goto(`${console.url}/#/p/${project}${path}`);

/** Returns a function that shows a path of a project, until the page has the element. */
const view =
  (path, ready, project = name) =>
  async (page) => {
    await to(page, typeof path === "function" ? path() : path, project);
    await ready(page).waitFor();
  };

const body = (custom) => ({ custom, objectTypeProperty: {} });

/** Changes the resource of the form, as a second client. */
async function writeTheirs() {
  const sent = {
    id: made[7].id,
    custom: `theirs ${Math.random()}`,
    objectTypeProperty: { arrayOfIntExample: [Math.floor(Math.random() * 1e6), 3, 1] },
  };
  assert.equal((await console.worker.call(`POST /${name}/resource`, { body: sent })).status, 200);
}

/** The views by name: how to get there, signed in, and what is visible when it is shown. */
const VIEWS = {
  projects: async (page) => {
    await page.goto(`${console.url}/#/`);
    await page.getByRole("heading", { name: "Projects" }).waitFor();
  },
  collection: view("", (page) => page.getByRole("table")),
  "collection-wrong": async (page) => {
    await to(page, "?where=key+%3D");
    await page.getByText("Character 6:").waitFor();
  },
  "collection-empty": view("?where=version+%3E+99", (page) => page.getByRole("heading", { name: "No matches" })),
  "collection-live": async (page) => {
    const custom = `live ${Math.random()}`;
    const [gone, changed] = await fill(console.worker, name, [body(custom), body(custom)]);
    await to(page, `?sort=createdAt+desc&where=${encodeURIComponent(`custom = "${custom}"`)}`);
    await page.getByText("1–2 of 2").waitFor();
    await page.locator('.live[data-state="live"]').waitFor();
    await console.worker.call(`DELETE /${name}/resource/${gone.id}`);
    await console.worker.call(`PATCH /${name}/resource`, { body: { ...changed, someProperty: "new" } });
    await fill(console.worker, name, [body(custom)]);
    // The mark of a change disappears after a while.
    await page.locator("tr.changed").first().waitFor();
    await page.locator("tr.gone").waitFor();
    await page.getByRole("button", { name: "1 new: show" }).waitFor();
  },
  words: async (page) => {
    await to(page, "?text=hello&fuzzy=true&term=someProperty+%22odd%22");
    const filters = page.getByRole("button", { name: "Filters", exact: true });
    if ((await filters.getAttribute("aria-expanded")) === "false") await filters.click();
    await page.locator(".facet").first().waitFor();
  },
  completions: async (page) => {
    await VIEWS.collection(page);
    await page.getByRole("combobox", { name: "Search or condition" }).fill("version > 0 and ");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
  },
  keys: async (page) => {
    await VIEWS.status(page);
    await VIEWS.collection(page);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
  },
  "bulk-edit": async (page) => {
    await VIEWS.collection(page);
    await page.getByLabel("Select all resources of this page").check();
    await page.getByRole("button", { name: "Edit selected" }).click();
    await page.getByRole("dialog").waitFor();
  },
  views: async (page) => {
    await VIEWS.collection(page);
    await page.getByText("Views", { exact: true }).click();
    await page.getByRole("button", { name: "Save this view" }).waitFor();
  },
  mapping: async (page) => {
    await to(page, "/import");
    await chooseFile(page, "two.csv", "Key;Other\na;b\n");
    await page.getByLabel("Field of the column Other").waitFor();
  },
  resource: view(
    () => `/r/${made[7].id}`,
    (page) => page.locator(".fields"),
  ),
  "resource-json": async (page) => {
    await VIEWS.resource(page);
    await page.getByText("System data").click();
    await showPart(page, "JSON");
  },
  "resource-missing": view("/r/nobody", (page) => page.getByRole("alert")),
  delete: async (page) => {
    await VIEWS.resource(page);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor();
  },
  new: async (page) => {
    await to(page, "/new");
    await box(page, "arrayOfIntExample").fill("1, 2.5, x");
    await addChips(page, "arrayOfStringExample", "one", "two");
    await page.getByLabel("Array of twonumbers example: first").fill("1");
    await page.getByRole("button", { name: "Add a row" }).click();
    await page.getByLabel("Row 1, Integer example int32").fill("3000000000");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("alert", { name: /problems/ }).waitFor();
  },
  "new-json": async (page) => {
    await to(page, "/new");
    await page.getByRole("radio", { name: "JSON" }).click();
    await page
      .getByText(/^Line \d/)
      .first()
      .waitFor();
  },
  edit: view(
    () => `/r/${made[7].id}/edit`,
    (page) => page.getByLabel("Row 2, Integer example", { exact: true }),
  ),
  "edit-newer": async (page) => {
    await VIEWS.edit(page);
    await writeTheirs();
    await page.getByRole("button", { name: "Merge now" }).waitFor();
  },
  conflict: async (page) => {
    await VIEWS.edit(page);
    await box(page, "custom").fill(`mine ${Math.random()}`);
    await box(page, "arrayOfIntExample").fill("3, 1, 9");
    await writeTheirs();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").waitFor();
  },
  actions: async (page) => {
    await to(page, `/r/${made[8].id}/actions`);
    await addAction(page, "changeSomeProperty");
    await page.getByText("Request body").click();
  },
  import: async (page) => {
    await to(page, "/import");
    const text = '{"key":"a","objectTypeProperty":{}}\n{"key":"b","objectTypeProperty":{"arrayOfIntExample":["x"]}}\n';
    await chooseFile(page, "two.ndjson", text);
    await page.getByText("2 items: 1 valid, 1 invalid.").waitFor();
  },
  columns: async (page) => {
    await VIEWS.collection(page);
    await page.getByText("Columns", { exact: true }).click();
    await page.getByRole("checkbox", { name: "Last modified by" }).check();
  },
  backup: view("/backup", (page) => page.getByText("is not empty. If a restore")),
  "backup-empty": view("/backup", (page) => page.getByText(`${empty} is empty, so you can`), empty),
  "backup-checked": async (page) => {
    await VIEWS["backup-empty"](page);
    const line = '{"deletedAt":"2026-01-01T00:00:00.000Z","id":"gone","version":1}';
    await chooseFile(page, "backup.ndjson", line);
    await page.getByRole("button", { name: "Restore 1 line" }).waitFor();
  },
  "backup-invalid": async (page) => {
    await VIEWS["backup-empty"](page);
    await chooseFile(page, "a-file-with-a-long-name.ndjson", "[]");
    await page.getByText("Line 1:").waitFor();
  },
  status: view("/status", (page) => page.getByText("Pending KV entries", { exact: true })),
  export: async (page) => {
    await VIEWS.collection(page);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByText(/resources of/)
      .waitFor();
  },
  requests: async (page) => {
    await VIEWS.resource(page);
    await page.getByRole("button", { name: /^Requests/ }).click();
    await page.locator(".exchanges summary").first().click();
    await page.getByRole("button", { name: "Copy as curl" }).first().waitFor();
  },
};

/** Returns whether the page is wider than its window. */
const overflows = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

const DEVICES = { desktop: {}, phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } };

for (const [device, options] of Object.entries(DEVICES)) {
  describe(`on ${device}`, () => {
    let page;
    before(async () => {
      page = await console.open(options);
    });
    after(() => page.done());

    /** Checks what the page shows, in both color schemes. */
    async function check(view) {
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await audit(page), [], `${view}, ${colorScheme}`);
        assert.equal(await overflows(page), false, view);
        await screenshot(page, `${device}-${colorScheme}-${view}`);
      }
    }

    test("the sign-in page breaks no accessibility rule", async () => {
      for (const way of ["Token", "Client credentials"]) {
        await page.getByRole("radio", { name: way }).check();
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.locator(".field-error:not(:empty)").first().waitFor();
        await check(`signin ${way}`);
      }
      await enter(page, name);
    });

    for (const view of Object.keys(VIEWS)) {
      test(`${view} breaks no accessibility rule and fits the screen`, async () => {
        await VIEWS[view](page);
        await check(view);
        await page.keyboard.press("Escape");
      });
    }
  });
}

test("the light and the dark scheme differ", async () => {
  const grounds = [];
  for (const colorScheme of ["light", "dark"]) {
    const page = await console.open({ colorScheme });
    grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    await page.done();
  }
  assert.notEqual(grounds[0], grounds[1]);
});

test("the keyboard suffices from signing in to deleting, and the focus is visible", async () => {
  const other = project();
  await fill(console.worker, other, [{ key: "only", objectTypeProperty: { arrayOfIntExample: [1, 2] } }]);
  const page = await console.open();
  /** Presses Tab until the element has the focus, which must be visible. */
  const reach = async (label) => {
    for (let steps = 0; steps < 60; steps++) {
      if ((await focusedName(page)).startsWith(label)) return;
      await page.keyboard.press("Tab");
      const outline = await page.evaluate(() => {
        const { activeElement } = document;
        const shown = (element) =>
          element !== null &&
          getComputedStyle(element).outlineStyle !== "none" &&
          parseFloat(getComputedStyle(element).outlineWidth) >= 1;
        return activeElement === document.body || shown(activeElement) || shown(activeElement.nextElementSibling);
      });
      assert.equal(outline, true, `no focus ring on ${await focusedName(page)}`);
    }
    assert.fail(`${label} was not reached`);
  };
  await reach("Client ID");
  await page.keyboard.type(CLIENT.id);
  await reach("Client secret");
  await page.keyboard.type(CLIENT.secret);
  await reach("Project");
  await page.keyboard.press("Control+A");
  await page.keyboard.type(other);
  await page.keyboard.press("Enter");
  await page.getByRole("table").waitFor();
  await page.keyboard.press("Tab");
  await reach("Search or condition");
  await page.keyboard.type('key = "only"');
  await page.keyboard.press("Enter");
  await page.getByText("1–1 of 1").waitFor();
  await reach("Key");
  await page.keyboard.press("Enter");
  await page.locator("[aria-sort=ascending]").waitFor();
  await reach("only");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "only", exact: true }).waitFor();
  await reach("Delete");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("only was deleted.").waitFor();
  await page.done();
});

test("no layout shift occurs while a view loads", async () => {
  const page = await console.open({ viewport: { width: 1000, height: 700 } });
  await enter(page, name);
  await page.addInitScript(() => {
    globalThis.shifts = [];
    const note = (list) => {
      for (const entry of list.getEntries())
        if (!entry.hadRecentInput)
          globalThis.shifts.push({
            by: entry.value,
            what: entry.sources.map(({ node }) => node?.className || node?.nodeName),
          });
    };
    new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
  });
  for (const view of ["collection", "words", "resource", "collection-wrong"]) {
    await VIEWS[view](page);
    await page.reload();
    await VIEWS[view](page);
    const shifts = await page.evaluate(() => new Promise((tell) => setTimeout(() => tell(globalThis.shifts), 400)));
    assert.ok(shifts.reduce((sum, { by }) => sum + by, 0) < 0.05, `${view}: ${JSON.stringify(shifts)}`);
  }
  await page.done();
});

test("the first Tab of a page focuses a link that skips to the content", async () => {
  const page = await console.open();
  await enter(page, name);
  await page.evaluate(() => {
    /** @type {HTMLElement} */ (document.activeElement).blur();
    getSelection().removeAllRanges();
  });
  await page.getByRole("link", { name: "Skip to the content" }).focus();
  assert.ok((await page.getByRole("link", { name: "Skip to the content" }).boundingBox()).y >= 0);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.getByRole("table").waitFor();
  await page.done();
});

test("the policy blocks inline scripts, styles, evaluation, and requests to other origins", async () => {
  const page = await console.open();
  const tried = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "globalThis.hacked = 1";
    document.body.append(script);
    document.body.insertAdjacentHTML(
      "beforeend",
      `<p id="styled" style="position: fixed" onclick="globalThis.hacked = 2">x</p>`,
    );
    document.getElementById("styled").click();
    // In a separate task, because the code that the test runs may evaluate.
    const evaluated = await new Promise((tell) =>
      setTimeout(() => {
        try {
          // biome-ignore lint/security/noGlobalEval: the policy has to forbid it
          tell(globalThis.eval("1 + 1"));
        } catch (error) {
          tell(error.name);
        }
      }),
    );
    const image = new Image();
    image.src = "https://elsewhere.example/x.png";
    const sent = await fetch("https://elsewhere.example/").then(
      () => "sent",
      (error) => error.name,
    );
    // Chromium reports the violations later.
    for (let times = 0; times < 500 && globalThis.violations.length < 6; times++)
      await new Promise((later) => setTimeout(later, 20));
    return {
      hacked: globalThis.hacked,
      evaluated,
      sent,
      position: getComputedStyle(document.getElementById("styled")).position,
      violations: globalThis.violations.map((one) => one.split(" ")[0]).sort(),
    };
  });
  assert.deepEqual(tried, {
    hacked: undefined,
    evaluated: "EvalError",
    sent: "TypeError",
    position: "static",
    violations: ["connect-src", "img-src", "script-src", "script-src-attr", "script-src-elem", "style-src-attr"],
  });
  await page.context().close();
});
