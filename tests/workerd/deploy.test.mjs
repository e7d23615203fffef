// `make deploy` and `make smoke`. A deployment needs an account, so a script with wrangler's output replaces wrangler.
// The last tests check the built Worker on workerd.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { folder, ROOT, startForTests } from "./support.mjs";

const WITHOUT_KEYS = { TOKEN_SECRET: null, API_CLIENTS: null };

const worker = startForTests({ site: true });
const closed = startForTests({ site: true, changes: WITHOUT_KEYS });

/** Runs a command of this repository. Returns its exit code and its output. */
const run = (command, parameters, environment = {}) =>
  new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...process.env, ...environment }, timeout: 120_000 };
    execFile(command, parameters, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const smoke = (...parameters) => run(process.execPath, ["pkg/dist/cli/main.js", "smoke", ...parameters]);

/**
 * Runs `.ci/deploy` with a replacement of wrangler. The options set what `whoami`, `secret list`, and `deploy` print,
 * and the exit code of `secret list`. Also returns the commands that were called.
 */
async function deploy({ whoami = "You are logged in", secrets = "[]", code = 0, deployed = "" }, ...parameters) {
  const path = join(folder(), "wrangler");
  const script = [
    "#!/usr/bin/env node",
    `require("node:fs").appendFileSync(${JSON.stringify(`${path}.log`)}, process.argv.slice(2).join(" ") + "\\n");`,
    `const answers = ${JSON.stringify({ whoami: [whoami, 0], secret: [secrets, code], deploy: [deployed, 0] })};`,
    "const [text, code] = answers[process.argv[2]];",
    "console.log(text);",
    "process.exitCode = code;",
  ];
  writeFileSync(path, script.join("\n"), { mode: 0o755 });
  writeFileSync(`${path}.log`, "");
  const result = await run(".ci/deploy", parameters, { WRANGLER: path });
  return { ...result, calls: readFileSync(`${path}.log`, "utf8").trim().split("\n") };
}

const KEYS = JSON.stringify([
  { name: "TOKEN_SECRET", type: "secret_text" },
  { name: "API_CLIENTS", type: "secret_text" },
]);

test("an address without a token issuer fails, and the failure names the setting", async () => {
  const { code, stdout } = await smoke(closed.url.href);
  assert.equal(code, 1);
  assert.match(stdout, /FAILS health: .*TOKEN_SECRET/);
  const expected = await smoke(closed.url.href, "--without-issuer");
  assert.equal(expected.code, 0, expected.stdout);
  assert.equal((await smoke(worker.url.href, "--without-issuer")).code, 1, "a service that should be closed is open");
});

test("an invalid address is rejected, and the error names the expected form", async () => {
  for (const parameter of ["", "example.org"]) {
    const { code, stderr } = await smoke(parameter);
    assert.equal(code, 2);
    assert.match(stderr, /^error: .* is not an address\. Expected https:/);
  }
});

test("without a login nothing is deployed, and the message explains how to log in", async () => {
  const { code, stderr, calls } = await deploy({ whoami: "You are not authenticated." });
  assert.equal(code, 1);
  assert.match(stderr, /npx wrangler login/);
  assert.deepEqual(calls, ["whoami"]);
});

test("a first deployment reports that it creates the Worker, and lists the remaining steps", async () => {
  const secrets = "This Worker does not exist on your account. [code: 10007]";
  const { code, stderr, calls } = await deploy({ secrets, code: 1, deployed: `Deployed\n  ${closed.url.href}` });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /Worker {2}creates `resource-edge`/);
  assert.match(stderr, /Tokens {2}no token issuer is configured/);
  assert.match(stderr, /wrangler secret put TOKEN_SECRET/);
  assert.deepEqual(calls, ["whoami", "secret list", "deploy"]);
});

test("a later deployment ends with the test of its address", async () => {
  const { code, stdout, stderr } = await deploy({ secrets: KEYS, deployed: `Deployed\n  ${worker.url.href}` });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /Worker {2}replaces the code of `resource-edge`/);
  assert.match(stderr, /Tokens {2}issued tokens/);
  assert.equal(stdout.match(/^ {2}ok /gm).length, 4, stdout);
});

test("a deployment that does not work fails", async () => {
  const { code, stdout } = await deploy({ secrets: KEYS }, closed.url.href);
  assert.equal(code, 1);
  assert.match(stdout, /FAILS health/);
});

test("a failure of wrangler stops the deployment before it changes anything", async () => {
  const { code, stderr, calls } = await deploy({ secrets: "Authentication error [code: 10000]", code: 1 });
  assert.equal(code, 1);
  assert.match(stderr, /code: 10000/);
  assert.match(stderr, /cannot list the secrets/);
  assert.deepEqual(calls, ["whoami", "secret list"]);
});
