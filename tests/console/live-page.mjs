// Pages of the console that follow a project, for tests.

import assert from "node:assert/strict";

import { fill, openProject, project } from "./support.mjs";

export const body = (key, more = {}) => ({ key, custom: "old", objectTypeProperty: {}, ...more });

/** Opens a project with a second client: `write` overwrites members of a resource by its key, `remove` deletes it. */
export async function openLivePage(console, keys = ["a", "b", "c"], options = {}) {
  const name = project();
  const bodies = keys.map((key) => body(key));
  // In the order of creation. Another list before it would linger.
  const opened = await openProject(console, bodies, { name, hash: `#/p/${name}?sort=createdAt+asc`, ...options });
  const { page, read } = opened;
  const call = async (line, sent) => {
    const { status, text, json } = await console.worker.call(line, sent && { body: sent });
    assert.ok(status < 300, text);
    return json;
  };
  const write = async (key, changes) => call(`PATCH /${name}/resource`, { ...(await read(`key=${key}`)), ...changes });
  const remove = async (key) => call(`DELETE /${name}/resource/${(await read(`key=${key}`)).id}`);
  const create = (...bodies) => fill(console.worker, name, bodies);
  await isConnected(page);
  return { ...opened, write, remove, create };
}

export const toggle = (page) => page.getByRole("switch", { name: "Live updates" });
export const isConnected = (page) => page.locator('.live[data-state="live"]').waitFor();
export const row = (page, key) => page.locator("tbody tr").filter({ has: page.getByText(key, { exact: true }) });
export const names = (page) => page.locator("tbody th .name > :first-child").allTextContents();

/** Waits until exactly these rows are marked as changed. A mark disappears after a while. */
export const isMarked = (page, expected) =>
  page.waitForFunction(
    (names) =>
      [...document.querySelectorAll("tr.changed .name > :first-child")].map((one) => one.textContent).join() === names,
    expected.join(),
  );
