// Signing in and out, and what is kept of a sign-in.

import assert from "node:assert/strict";
import { describe } from "node:test";

import {
  CLIENT,
  enter,
  eventually,
  fill,
  heldBack,
  hide,
  isFocused,
  PARTS,
  project,
  READER,
  serveForTests,
  signIn,
  signInAgain,
  testsOf,
} from "./support.mjs";

const console = serveForTests(undefined, undefined, { site: PARTS });
const test = testsOf(async (options) => ({ page: await console.open(options), name: project() }));

const hash = (page) => new URL(page.url()).hash;
const field = (page, label) => page.getByLabel(label, { exact: true });
const go = (page, hash) => page.evaluate((hash) => (location.hash = hash), hash);

/** Signs in with a token. */
async function paste(page, token, name) {
  await page.getByRole("radio", { name: "Token" }).check();
  await page.getByRole("textbox", { name: "Token" }).fill(token);
  if (name !== undefined) await field(page, "Project").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
}

describe("signing in", () => {
  test("with a client's ID and secret opens the project, and a reload remains there", async ({ page, name }) => {
    await enter(page, name);
    assert.equal(hash(page), `#/p/${name}`);
    await page.reload();
    await page.getByRole("heading", { name: "No resources yet" }).waitFor();
  });

  test("continues to the requested address", async () => {
    const name = project();
    const page = await console.open({ hash: `#/p/${name}/search?text=hello` });
    assert.equal(await field(page, "Project").inputValue(), name);
    await field(page, "Client ID").fill(CLIENT.id);
    await field(page, "Client secret").fill(CLIENT.secret);
    await field(page, "Client secret").press("Enter");
    await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
    assert.equal(await page.getByRole("combobox", { name: "Search or condition" }).inputValue(), "hello");
    await page.done();
  });

  test("with a wrong secret shows an error at the field and keeps the input", async ({ page }) => {
    await signIn(page, "demo", { id: "tests", secret: "wrong" });
    await page.getByText("Unknown ID or wrong secret.").waitFor();
    const secret = field(page, "Client secret");
    assert.equal(await secret.getAttribute("aria-invalid"), "true");
    assert.equal(await isFocused(secret), true);
    assert.equal(await field(page, "Client ID").inputValue(), "tests");
    await secret.fill(CLIENT.secret);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
  });

  test("for a project that the client may not open shows an error at the project", async ({ page }) => {
    await signIn(page, "three", READER);
    await page.getByText("This client has no access to the project three.").waitFor();
  });

  test("for a project that the client may only read shows no actions that write", async ({ page }) => {
    await signIn(page, "two", READER);
    await page.getByText("read only").waitFor();
  });
});

describe("a pasted token", () => {
  /** Returns a token with these claims. Only the service could verify it. */
  const telling = (claims) => `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
  const opened = (page) => page.evaluate(async () => (await import("/state/session.js")).projects());

  test("opens the project that it names", async ({ page, name }) => {
    await paste(page, "not a token");
    await page.getByText("Paste a token. It has only printable ASCII characters and no spaces.").waitFor();
    await paste(page, await console.worker.token(name));
    await page.getByRole("heading", { name: "No resources yet" }).waitFor();
    assert.deepEqual([await opened(page), hash(page)], [[name], `#/p/${name}`]);
    await page.getByRole("link", { name: "New resource" }).first().waitFor();
  });

  test("opens each project that it names once", async ({ page }) => {
    await paste(
      page,
      telling({ scope: "view_test:one manage_test:two manage_test:one other:three view_test: openid" }),
    );
    await page.getByRole("heading", { name: "Projects" }).waitFor();
    assert.deepEqual(await opened(page), ["one", "two"]);
  });

  test("that names no project asks for the project, whatever its scope", async () => {
    for (const claims of [null, {}, { scope: ["manage_test:one"] }, { scope: 5 }]) {
      const page = await console.open();
      await paste(page, telling(claims));
      await page.getByText("The token names no project. Enter the project here.").waitFor();
      assert.equal(await field(page, "Project").getAttribute("aria-invalid"), "true");
      await field(page, "Project").fill("a b");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("A project key has 1 to 128").waitFor();
      await page.done();
    }
  });

  test("for another project shows no actions that write, and names the missing scope", async ({ page, name }) => {
    await paste(page, await console.worker.token(project()), name);
    await page.getByRole("heading", { name: "The request failed" }).waitFor();
    await page.getByText("read only").waitFor();
    assert.equal(await page.getByRole("link", { name: "New resource" }).count(), 0);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("dialog").getByText("Your token has no access to this project.").waitFor();
  });
});

describe("a sign-in", () => {
  test("opens another project once the service is available again", async ({ page, name }) => {
    await enter(page, name);
    await page.context().setOffline(true);
    await go(page, `#/p/${project()}`);
    await page.getByRole("alert").getByText("The service is not reachable.").waitFor();
    await page.context().setOffline(false);
    // The browser says that it is online before requests of the page succeed.
    await page.waitForFunction(() => fetch("/health").then(Boolean, () => false));
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "No resources yet" }).waitFor();
  });

  test("opens another project if drafts fill the storage of the tab", async ({ page, name }) => {
    await enter(page, name);
    await page.evaluate(() => {
      for (let text = "x".repeat(2 ** 20), at = 0; text !== ""; at++) {
        try {
          sessionStorage.setItem(`draft ${at}`, text);
        } catch {
          text = text.slice(text.length / 2 + 1);
        }
      }
    });
    await go(page, `#/p/${project()}/status`);
    await page.getByRole("heading", { name: "Status" }).waitFor();
  });

  test("keeps the token for the tab, and stores no secret", async ({ page, name }) => {
    await enter(page, name);
    const kept = await page.evaluate(() => ({
      local: localStorage.length,
      session: JSON.stringify({ ...sessionStorage }),
      cookie: document.cookie,
      page: document.documentElement.outerHTML,
    }));
    assert.deepEqual([kept.local, kept.cookie], [0, ""]);
    const { tokens } = JSON.parse(JSON.parse(kept.session)["resource-edge"]);
    assert.match(tokens[name].token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    for (const place of [kept.session, kept.page]) assert.ok(!place.includes(CLIENT.secret));
    assert.ok(!kept.page.includes(tokens[name].token));
  });

  test("changes to another project and back by the list", async ({ page }) => {
    const [one, two] = [project(), project()];
    await enter(page, one);
    await page.getByTitle("Change the project").click();
    await field(page, "Open another project").fill("no such name!");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("A project key has 1 to 128").waitFor();
    await field(page, "Open another project").fill(two);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
    assert.equal(hash(page), `#/p/${two}`);
    await page.getByTitle("Change the project").click();
    assert.deepEqual(await page.locator(".project-list .mono").allTextContents(), [two, one]);
    await page.getByRole("link", { name: one }).click();
    await page.getByRole("heading", { name: "Resources", exact: true }).waitFor();
    assert.equal(hash(page), `#/p/${one}`);
  });

  test("ends with signing out, and the page keeps nothing", async ({ page }) => {
    await signIn(page, project());
    await page.getByRole("link", { name: "New resource" }).first().click();
    await page.getByLabel("Key", { exact: true }).fill("half written");
    await page.waitForFunction(() => sessionStorage.length === 2);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  });

  test("that has ended keeps nothing of pending requests", async ({ page }) => {
    await enter(page, project());
    const token = await heldBack(page, "**/oauth/token");
    await go(page, `#/p/${project()}`);
    await token.wait();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await token.answer();
    const kept = await page.evaluate(async () => {
      const { isSignedIn } = await import("/state/session.js");
      const { exchanges } = await import("/state/request-log.js");
      return [sessionStorage.length, isSignedIn(), exchanges.length];
    });
    assert.deepEqual(kept, [0, false, 0]);
  });

  test("remains in the shown project if the token of another project arrives late", async ({ page }) => {
    const [shown, late] = [project(), project()];
    await enter(page, shown);
    const token = await heldBack(page, "**/oauth/token");
    await go(page, `#/p/${late}`);
    await token.wait();
    await go(page, `#/p/${shown}/status`);
    await page.getByRole("heading", { name: "Status", exact: true }).waitFor();
    await token.answer();
    assert.equal(await page.evaluate(async () => (await import("/state/session.js")).project()), shown);
    await go(page, `#/p/${late}`);
    await page.getByRole("heading", { name: "No resources yet" }).waitFor();
    assert.equal(await page.evaluate(async () => (await import("/state/session.js")).project()), late);
  });
});

describe("a token that expires", () => {
  // An hour passes only for the page: the service still accepts the tokens that the page considers expired.
  const HOUR = 3600_000;
  const later = async (page) => {
    await page.clock.fastForward(HOUR - 20_000);
  };

  test("is renewed automatically while the page has the credentials", async ({ page, name }) => {
    await page.clock.install();
    await enter(page, name);
    const grants = () =>
      page.evaluate(
        async () =>
          (await import("/state/request-log.js")).exchanges.filter(({ url }) => url.endsWith("/oauth/token")).length,
      );
    assert.equal(await grants(), 1);
    await fill(console.worker, name, [{ key: "late", objectTypeProperty: {} }]);
    const token = await heldBack(page, "**/oauth/token");
    await later(page);
    await go(page, `#/p/${name}?text=late`);
    await token.wait();
    // The feed needs the token, too.
    await hide(page, true);
    await hide(page, false);
    await token.answer();
    await page.getByRole("link", { name: "late" }).waitFor();
    await page.locator('.live[data-state="live"]').waitFor();
    assert.equal(await grants(), 2);
  });

  test("a dialog asks for a new sign-in, and the typed input is kept", async ({ page, name }) => {
    await fill(console.worker, name, [{ key: "kept", objectTypeProperty: {} }]);
    await page.clock.install();
    await paste(page, await console.worker.token(name), name);
    await page.getByRole("link", { name: "kept" }).waitFor();
    await later(page);
    const box = page.getByRole("combobox", { name: "Search or condition" });
    await box.fill('key = "kept"');
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    await dialog.getByLabel("Client ID").fill(CLIENT.id);
    await dialog.getByLabel("Client secret").fill("wrong");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByText("Unknown ID or wrong secret.").waitFor();
    for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
    await dialog.waitFor();
    await signInAgain(page);
    await page.getByText("1 match").waitFor();
    assert.equal(await box.inputValue(), 'key = "kept"');
  });

  test("a single dialog asks for a new sign-in, even if two projects wait", async ({ page }) => {
    const [one, two] = [project(), project()];
    await page.clock.install();
    await enter(page, one);
    await go(page, `#/p/${two}`);
    await page.getByTitle("Change the project").getByText(two).waitFor();
    // After a reload the secret is gone.
    await page.reload();
    await page.getByRole("heading", { name: "No resources yet" }).waitFor();
    await later(page);
    const totals = page.evaluate(
      async (names) => {
        const session = await import("/state/session.js");
        await Promise.all(names.map(session.open));
        const found = names.map((name) => {
          session.enter(name);
          return session.client().query({ limit: 0 });
        });
        return (await Promise.allSettled(found)).map(
          (/** @type {any} */ { value, reason }) => value?.total ?? reason.message,
        );
      },
      [one, two],
    );
    await signInAgain(page);
    assert.deepEqual(await totals, [0, 0]);
  });

  test("a dialog also asks for a new sign-in if the service rejects the token", async ({ page, name }) => {
    await paste(page, "made.by.nobody", name);
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    await dialog.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    await eventually(async () => assert.equal(await page.evaluate(() => sessionStorage.length), 0));
  });
});
