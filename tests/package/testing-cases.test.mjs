// The case files of tests/cases against `resource-edge/testing`: the same cases as natively and on workerd, on each
// engine of SQLite that the runtime provides.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { runAll } from "../workerd/cases.mjs";
import { ROOT, project, settings, token } from "../workerd/support.mjs";
import { createService } from "../../pkg/dist/testing/index.js";

const folder = join(ROOT, "tests/cases");
const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
const engines = process.getBuiltinModule?.("node:sqlite") === undefined ? ["wasm"] : ["wasm", "node"];

/** Starts the service with the interface of the case runner. Reads use KV by default. */
async function start(sqlite, changes) {
  const removed = { TOKEN_SECRET: null, API_CLIENTS: null };
  const service = await createService({ sqlite, lag: 0, settings: { ...removed, ...settings(changes) }, log() {} });
  const worker = {
    service,
    tokens: new Map(),
    token: (...parts) => token(worker, ...parts),
    async send({ method, target, headers = {}, body }) {
      const response = await service.fetch(`${service.baseUrl}${target}`, { method, headers, body });
      const pairs = [...response.headers];
      const { status } = response;
      return { status, headers: Object.fromEntries(pairs), raw: pairs.flat(), text: await response.text() };
    },
  };
  return worker;
}

const workers = new Map();
function workerFor(engine, changes) {
  const name = JSON.stringify([engine, changes ?? {}]);
  if (!workers.has(name)) workers.set(name, start(engine, changes));
  return workers.get(name);
}
after(async () => {
  for (const worker of workers.values()) (await worker).service.close();
});

for (const engine of engines) {
  for (const file of files) {
    test(`${file}, sqlite: ${engine}`, async () => {
      const document = JSON.parse(readFileSync(join(folder, file), "utf8"));
      await runAll(document, await workerFor(engine, document.settings), project);
    });
  }
}
