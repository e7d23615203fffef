// Generates clients from the OpenAPI document, compiles each strictly, and runs one script through it against the built
// Worker on workerd: `node tests/package/tools/generators/run.mjs [--write] [name …]`, or `make test-tools`. `--write`
// writes the results into the guide, if all generators ran.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { start } from "../../../workerd/support.mjs";
import { compare, install, nameOf, root, shell } from "../runner.mjs";
import { generators, rowOf } from "./table.mjs";

/** What the program prints if the client works. */
const EXPECTED = {
  version: 1,
  isFound: true,
  keys: ["first"],
  updated: [200, null],
  stale: [409, 2],
  isRemoved: true,
};
const TSC =
  "tsc --noEmit --strict --noUncheckedIndexedAccess --noImplicitReturns --target es2022 " +
  "--module esnext --moduleResolution bundler --lib es2023,dom,dom.iterable --types node";
const BUNDLE =
  "esbuild --bundle --packages=external --platform=node --format=esm --outfile=out.mjs --log-level=warning";
/** The type checker of Python, and the types of a package that clients import. */
const MYPY = "mypy==2.4.1 types-python-dateutil==2.9.0.20261116";
const HEADER = "| generator | version | outcome | command | what to know |\n|---|---|---|---|---|\n";
const GUIDE = join(root, "src/guide/use/generated-clients.md");

/** Returns the commands that generate a client in Python, check its types, and run the program. */
function python({ packages, command, files: [program] }) {
  const names = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
  return [
    `python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check ${names.join(" ")} ${MYPY}`,
    `venv/bin/${command}`,
    `venv/bin/mypy --strict ${program}`,
    `venv/bin/python ${program}`,
  ];
}

/** Creates a project of the generator in TypeScript. Returns the commands that do the same. */
function typescript({ packages, command, files: [program] }, folder) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { typescript, esbuild, "@types/node": types } = devDependencies;
  // The generators need Node 22.18.
  const dependencies = { ...packages, typescript, esbuild, "@types/node": types, node: "22.23.3" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  install(folder);
  return [command, `${TSC} ${program} $(find api -name '*.ts')`, `${BUNDLE} ${program}`, "node out.mjs"];
}

/** Creates a project of the generator in the folder, and runs it. */
async function run(generator, folder, service) {
  const { files, config } = generator;
  mkdirSync(folder);
  copyFileSync(join(root, "tests/repository/openapi/openapi.json"), join(folder, "openapi.json"));
  for (const file of [...files, "program.ts"]) copyFileSync(join(import.meta.dirname, file), join(folder, file));
  if (config !== undefined) writeFileSync(join(folder, config[0]), config[1]);
  const commands = files[0].endsWith(".py") ? python(generator) : typescript(generator, folder);
  const environment = {
    SERVICE: service.address,
    PROJECT: nameOf(generator),
    TOKEN: await service.token(nameOf(generator)),
  };
  let printed = "";
  for (const one of commands) printed = await shell(one, folder, environment);
  compare(JSON.parse(/REPORT (.*)/.exec(printed)?.[1] ?? "null"), EXPECTED);
}

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("--"));
const wanted = generators.filter((generator) => names.length === 0 || names.includes(nameOf(generator)));
// The names are others: tests/package/tools/run.mjs has checked them.
if (wanted.length === 0) process.exit();
const parent = mkdtempSync(join(tmpdir(), "resource-edge-generators-"));
const service = await start();
let table = HEADER;
try {
  for (const generator of wanted) {
    const began = Date.now();
    let failure;
    try {
      await run(generator, join(parent, nameOf(generator)), service);
    } catch (error) {
      failure = error;
      process.exitCode = 1;
    }
    table += rowOf(generator, failure === undefined ? "works" : "**fails**");
    const seconds = Math.round((Date.now() - began) / 1000);
    console.error(`${failure === undefined ? "works" : "fails"} ${generator.name} (${seconds} s) ${failure ?? ""}`);
  }
} finally {
  await service.stop();
  rmSync(parent, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
console.log(table);
if (words.includes("--write")) {
  if (wanted.length < generators.length) throw new Error("Not written: not all generators ran.");
  const [before, after] = readFileSync(GUIDE, "utf8").split(/(?<=<!-- make test-tools -->\n)[^]*(?=<!-- end -->)/);
  writeFileSync(GUIDE, `${before}${table}${after}`);
}
