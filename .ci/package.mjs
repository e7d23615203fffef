// Compiles the npm package's TypeScript (pkg/src) into pkg/dist, the folder that is published, and copies the package's
// other files and the template of projects there. Types that users cannot reach are not published, and neither is
// JavaScript of modules that have only types.

import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";

import ts from "typescript";

import { relinked } from "./links.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PKG = join(ROOT, "pkg");
const DIST = join(PKG, "dist");
/** What other scripts build. */
const BUILT = /^(cjs|syntax|wasm|worker)\/|^testing\/(files|worker)\.js$/;
const COPIED = ["package.json", "resources.schema.json", "wasm.d.ts", "worker.d.ts"];
/**
 * The documents of the package, by their places in the repository: the README, and the pages of the guide for those who
 * use and operate a service.
 * @type {{ [document: string]: string }}
 */
const DOCUMENTS = { "pkg/README.md": "README.md", "CHANGELOG.md": "CHANGELOG.md" };
for (const page of readdirSync(join(ROOT, "src/guide"), { recursive: true, encoding: "utf8" })) {
  const path = page.replaceAll("\\", "/");
  if (/^(use|operate|evaluate)\/.*\.md$/.test(path)) DOCUMENTS[`src/guide/${path}`] = `guide/${path}`;
}

const config = ts.getParsedCommandLineOfConfigFile(join(PKG, "tsconfig.json"), undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (problem) => report([problem]),
});
if (config === undefined) process.exit(1);

/** @param {readonly ts.Diagnostic[]} problems */
function report(problems) {
  if (problems.length === 0) return;
  console.error(ts.formatDiagnosticsWithColorAndContext(problems, ts.createCompilerHost({})));
  process.exit(1);
}

/**
 * The compiled files: their texts by their paths in the folder.
 * @type {Map<string, string>}
 */
const compiled = new Map();
const program = ts.createProgram(config.fileNames, config.options);
report([...config.errors, ...ts.getPreEmitDiagnostics(program)]);
program.emit(undefined, (path, text) => compiled.set(relative(DIST, path).replaceAll("\\", "/"), text));

/** @type {Set<string>} */
const declared = new Set();
/** @param {string} path */
function declare(path) {
  const text = compiled.get(path);
  if (text === undefined || declared.has(path)) return;
  declared.add(path);
  for (const { fileName } of ts.preProcessFile(text).importedFiles)
    declare(join(dirname(path), fileName).replaceAll("\\", "/").replace(/\.js$/, ".d.ts"));
}
const { exports } = JSON.parse(readFileSync(join(PKG, "package.json"), "utf8"));
for (const [, path] of JSON.stringify(exports).matchAll(/"types":"\.\/(?!cjs\/)(.*?)"/g)) declare(path);

for (const [path, text] of compiled) {
  if (path.endsWith(".d.ts") ? !declared.has(path) : /^(\s*\/\/.*\n)*export \{\};\s*$/.test(text)) {
    compiled.delete(path);
    continue;
  }
  mkdirSync(dirname(join(DIST, path)), { recursive: true });
  // With a private member a class would accept only its own instances, and not those of the CommonJS build.
  writeFileSync(join(DIST, path), text.replace(/^ *#private;\n/gm, ""));
}
for (const entry of readdirSync(DIST, { recursive: true, encoding: "utf8" })) {
  const path = entry.replaceAll("\\", "/");
  if (/\.(js|d\.ts)$/.test(path) && !compiled.has(path) && !BUILT.test(path)) rmSync(join(DIST, path));
}
rmSync(join(DIST, "guide"), { recursive: true, force: true });
for (const [document, place] of Object.entries(DOCUMENTS)) {
  const text = relinked(document, readFileSync(join(ROOT, document), "utf8"), (file) => {
    const there = DOCUMENTS[file];
    return there && posix.relative(posix.dirname(place), there);
  });
  mkdirSync(dirname(join(DIST, place)), { recursive: true });
  writeFileSync(join(DIST, place), text);
}
for (const file of COPIED) copyFileSync(join(PKG, file), join(DIST, file));
rmSync(join(DIST, "template"), { recursive: true, force: true });
cpSync(join(PKG, "template"), join(DIST, "template"), { recursive: true });
