// The templates of `init`, from the packed package: their tests, their page beside the service, and their deployment.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { blocksIn } from "../support/blocks.mjs";
import { CHROMIUM, launchChromium } from "../support/chromium.mjs";
import { freePort } from "../support/server.mjs";
import { environment, folderFor, linkDependencies, run, serve } from "./npm-project.mjs";
import { packed, root } from "./support.mjs";

const parent = folderFor("resource-edge-template-");
/** @type {Record<string, string>} */
const env = { ...environment(parent), CI: "1", NO_COLOR: "1", CHROMIUM };
const react = join(parent, "react");

/** Runs a program in a project. Returns what it prints. */
async function sh(cwd, ...command) {
  const [file, ...args] = command;
  const { code, stdout, stderr } = await run(file, args, { cwd, env, timeout: 120_000 });
  assert.equal(code, 0, stdout + stderr);
  return stdout + stderr;
}

/** Creates a project. */
async function init(folder, ...options) {
  mkdirSync(folder);
  await sh(folder, "npm", "install", "--no-audit", "--no-fund", packed().path);
  await sh(folder, "npx", "resource-edge", "init", ...options);
  // What `npm install` downloads.
  linkDependencies(folder);
}

before(() => init(react, "--template", "react"));

test("the README has the commands that run here", () => {
  const commands = blocksIn(readFileSync(join(react, "README.md"), "utf8"), "sh")
    .join("")
    .split("\n");
  for (const command of ["npm install", "npm run dev", "npm test", "npm run e2e", "npm run deploy"])
    assert.ok(commands.includes(command), command);
});

test("init says which templates there are, and writes nothing", async () => {
  const { code, stderr } = await run("npx", ["resource-edge", "init", "../other", "--template", "vue"], {
    cwd: react,
    env,
  });
  assert.deepEqual([code, stderr.split("\n")[0]], [2, "error: There is no template 'vue'. Expected worker or react."]);
  assert.ok(!readdirSync(parent).includes("other"));
});

test("the tests of a project with the template `worker` pass", async () => {
  const folder = join(parent, "worker");
  await init(folder, "--template", "worker");
  assert.match(await sh(folder, "npm", "test"), /# pass 2|ℹ pass 2/);
});

test("the app is small, its types are right, and its tests pass", async () => {
  const code = ["src/App.tsx", "src/main.tsx", "worker/index.ts"].map((file) =>
    readFileSync(join(react, file), "utf8"),
  );
  const lines = code.join("").split("\n").length - 1;
  assert.ok(lines <= 120, `${lines} lines`);
  assert.match(await sh(react, "npm", "test"), /Tests.* 2 passed/);
});

test("its test in a browser passes", async () => {
  env.E2E_PORT = String(await freePort());
  assert.match(await sh(react, "npm", "run", "e2e"), /1 passed/);
});

test("dev serves the page and the service: a person signs in, and saves", { timeout: 120_000 }, async () => {
  const [port, service] = [await freePort(), await freePort()];
  const options = { cwd: react, env: { ...env, SERVICE_PORT: String(service) } };
  const args = ["run", "dev", "--", "--port", String(port), "--host", "127.0.0.1"];
  const server = await serve("npm", args, options, /In another shell/);
  const browser = await launchChromium();
  try {
    const page = await (await browser.newContext()).newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${port}/`);
    const signIn = async (password) => {
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await signIn("wrong");
    await page.getByText("The password is wrong.").waitFor();
    await signIn(/^DEV_CLIENT_SECRET=(.*)$/m.exec(readFileSync(join(react, ".dev.vars"), "utf8"))?.[1] ?? "");
    await page.getByText("0 products").waitFor();
    await page.getByLabel("Title").fill("Desk");
    await page.getByLabel("Price").fill("cheap");
    await page.getByText("expected a number").waitFor();
    await page.getByLabel("Price").fill("240");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("1 products").waitFor();
    assert.deepEqual(complaints, []);
    // The service's own address has no page.
    assert.match(server.output, /^ {2}App {7}where Vite serves it {3}\(sign in with the client's secret\)$/m);
    assert.doesNotMatch(server.output, /^ {2}Console /m);
  } finally {
    await browser.close();
    await server.end();
  }
});

test("a deployment uploads the page, without the secret, and the service", async () => {
  const printed = await sh(react, "npm", "run", "deploy", "--", "--dry-run", "--outdir", "out");
  for (const binding of ["env.PROJECTS (ProjectObject)", "env.RESOURCES", "env.ASSETS"])
    assert.ok(printed.includes(binding), printed);
  const files = readdirSync(join(react, "dist"), { recursive: true, encoding: "utf8" });
  for (const file of ["index.html", "_headers", "openapi.json"]) assert.ok(files.includes(file), files.join());
  const script = files.find((file) => /index-.*\.js$/.test(file)) ?? "";
  assert.ok(!readFileSync(join(react, "dist", script), "utf8").includes("CLIENT_SECRET"));
});

test("the template's packages are those of this repository", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = JSON.parse(readFileSync(join(root, "pkg/template/react/package.json"), "utf8"));
  const all = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const [name, range] of Object.entries(all)) {
    if (name === "@types/node") continue;
    assert.equal(range.split(".")[0], `^${devDependencies[name].split(".")[0]}`, name);
  }
});
