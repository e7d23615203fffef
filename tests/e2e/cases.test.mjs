// The case files of tests/cases against the built Worker, over real sockets.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { runs } from "./cases.mjs";
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
    const worker = await workerFor(document.settings);
    const waiting = [...runs(document, worker, project)];
    const failures = [];
    const count = waiting.length;
    assert.ok(count > 0, "no cases");
    // A few at a time: they wait for KV more than for the machine.
    const lane = async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        await one.run().catch((error) => failures.push(`${one.name}\n  ${error.message.replaceAll("\n", "\n  ")}`));
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    assert.equal(failures.length, 0, `${failures.length} of ${count} cases failed:\n\n${failures.join("\n\n")}`);
  });
}
