// The case files of tests/cases against the built Worker, over real sockets.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { runAll } from "./cases.mjs";
import { ROOT, project, start } from "./support.mjs";

const folder = join(ROOT, "tests/cases");
const files = readdirSync(folder).filter((file) => file.endsWith(".json"));

const workers = new Map();
/** Starts one Worker for all files with the same settings. */
function workerFor(changes) {
  const name = JSON.stringify(changes ?? {});
  if (!workers.has(name)) workers.set(name, start({ changes, site: true }));
  return workers.get(name);
}
after(async () => {
  for (const worker of workers.values()) await (await worker).stop();
});

for (const file of files) {
  test(file, async () => {
    const document = JSON.parse(readFileSync(join(folder, file), "utf8"));
    await runAll(document, await workerFor(document.settings), project);
  });
}
