// Lets Schemathesis call the built Worker as its own OpenAPI document describes it. Ends as Schemathesis does.
//
//   node tests/schemathesis/run.mjs SCHEMATHESIS [FLAG…]
//
// SCHEMATHESIS is the program. What it does, and what is left out and why: schemathesis.toml, hooks.py.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT, folder, start } from "../e2e/support.mjs";

const [program, ...flags] = process.argv.slice(2);
if (program === undefined) throw new Error("name the program: .ci/tools installs it");
const here = join(ROOT, "tests/schemathesis");
// The project of the document's examples. One that fuzzing names instead is another's, and answered 403.
const PROJECT = "demo";

const worker = await start({ site: true });
const environment = {
  ...process.env,
  TOKEN: await worker.token(PROJECT),
  CLIENT_ID: "tests",
  CLIENT_SECRET: "tests-secret",
  PYTHONDONTWRITEBYTECODE: "1",
  PYTHONPATH: here,
};
const address = new URL("/openapi.json", worker.url).href;
const options = ["--config-file", join(here, "schemathesis.toml"), "run", address, "--checks", "all", ...flags];
// What it writes beside its report is of no use to the next run, which does the same.
const child = spawn(program, options, { cwd: folder(), env: environment, stdio: "inherit" });
const ended = await new Promise((resolve) => {
  child.on("error", (error) => resolve(error.message));
  child.on("exit", (code, signal) => resolve(code ?? signal));
});
await worker.stop();
if (ended !== 0) {
  console.error(`error: Schemathesis ended with ${ended}`);
  process.exitCode = 1;
}
