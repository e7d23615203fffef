// Runs Schemathesis against the built Worker with its OpenAPI documents. Exits with the exit code of Schemathesis.
//
//   node tests/workerd/schemathesis/run.mjs SCHEMATHESIS [FLAG…]
//
// SCHEMATHESIS is the program. schemathesis.toml and hooks.py configure it, and list skipped checks with their reasons.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { RESOURCES } from "../../package/resources.mjs";
import { ROOT, folder, start } from "../support.mjs";

const [program, ...flags] = process.argv.slice(2);
if (program === undefined) throw new Error("name the program: .ci/tools installs it");
const here = join(ROOT, "tests/workerd/schemathesis");
// The project of the document's examples. If fuzzing generates another name, the service returns 403.
const PROJECT = "demo";

// The interface's resource, and a declared one: the address of the document, its seconds, and the fields of hooks.py.
const RUNS = [
  { path: "openapi.json", seconds: 60, fields: "custom,arrayOfStringExample,arrayOfIntExample" },
  { path: `${PROJECT}/openapi.json`, seconds: 25, fields: "title,tags,grades", resources: RESOURCES },
];

for (const { path, seconds, fields, resources } of RUNS) {
  const worker = await start({ site: true, ...(resources && { resources }) });
  const environment = {
    ...process.env,
    TOKEN: await worker.token(PROJECT),
    CLIENT_ID: "tests",
    CLIENT_SECRET: "tests-secret",
    FIELDS: fields,
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONPATH: here,
  };
  const address = new URL(path, worker.url).href;
  const file = join(here, "schemathesis.toml");
  const args = ["--config-file", file, "run", address, "--checks", "all", "--max-time", `${seconds}`, ...flags];
  // The next run does the same, so it does not need any output other than the report.
  const child = spawn(program, args, { cwd: folder(), env: environment, stdio: "inherit" });
  const ended = await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
  await worker.stop();
  if (ended !== 0) {
    console.error(`error: Schemathesis of ${path} ended with ${ended}`);
    process.exitCode = 1;
  }
}
