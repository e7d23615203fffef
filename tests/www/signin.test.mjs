// Signing in and out.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { project, screenshot, serve, signIn } from "./support.mjs";

let console;
before(async () => {
  console = await serve();
});
after(() => console.stop());

describe("signing in", () => {
  test("with a client's id and secret opens the project", async () => {
    const page = await console.open();
    const name = project();
    await signIn(page, name);
    await page.getByRole("heading", { name, exact: true }).waitFor();
    assert.equal(new URL(page.url()).hash, `#/p/${name}`);
    await screenshot(page, "first");
    await page.done();
  });
});
