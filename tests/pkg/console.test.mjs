// The console uses the package like any other front end: only the paths of `exports` and the declared names.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

import ts from "typescript";

import { project, root, run, tool } from "./support.mjs";

const folder = join(root, "www");
const read = (path) => readFileSync(join(root, path), "utf8");

/** Returns the file that a browser gets. */
const fileFor = (target) => (typeof target === "string" ? target : fileFor(target.default ?? target.import));
/** The entries of the package by the files that browsers get. */
const { exports } = JSON.parse(read("pkg/package.json"));
const entries = Object.fromEntries(
  Object.entries(exports).map(([name, target]) => [join("pkg", fileFor(target)), join("resource-edge", name)]),
);

/**
 * Returns a module's imports from the package, one for each name. Other mentions of the package's folder are errors.
 */
function importsOf(file, text) {
  const found = [];
  const visit = (node) => {
    const target = node.moduleSpecifier ?? (ts.isCallExpression(node) ? node.arguments[0] : undefined);
    const path =
      target !== undefined && ts.isStringLiteralLike(target) ? resolve("/", dirname(file), target.text) : undefined;
    if (path?.startsWith("/pkg/")) {
      const named =
        ts.isImportDeclaration(node) && node.importClause?.name === undefined
          ? node.importClause?.namedBindings
          : undefined;
      assert.ok(named !== undefined && ts.isNamedImports(named), `${file}: ${target.text}: import it by names`);
      const { isTypeOnly } = node.importClause;
      for (const { name, propertyName, isTypeOnly: isType } of named.elements)
        found.push({ file, path: path.slice(1), name: (propertyName ?? name).text, isType: isTypeOnly || isType });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
}

const scripts = readdirSync(folder, { encoding: "utf8", recursive: true }).filter((file) => file.endsWith(".ts"));
const imports = scripts.flatMap((file) => importsOf(file, read(`www/${file}`)));

test("the console imports only entries of the package", () => {
  assert.ok(imports.length >= 5, "the console uses the package");
  assert.deepEqual(
    imports.filter(({ path }) => entries[path] === undefined),
    [],
  );
  const preloaded = [...read("www/index.html").matchAll(/(?:href|src)="\/?(pkg\/[^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(
    preloaded.filter((path) => entries[path] === undefined),
    [],
  );
});

test("no file of the console imports the package in another way", () => {
  for (const file of scripts) {
    const lines = read(`www/${file}`).split("\n");
    const named = lines.filter((line) => /["'`][./]*\/?pkg\//.test(line));
    const imported = new Set(imports.filter((one) => one.file === file).map(({ path }) => path));
    assert.equal(named.length, imported.size, `${file}: ${named.join(" ")}`);
  }
});

/** The folders in their order: each imports from itself and from those after it. */
const LAYERS = ["views", "forms", "widgets", "state", "model", "pkg"];

test("the folders of the console import in one direction", () => {
  const layerOf = (path) => LAYERS.indexOf(path.split("/").length > 1 ? path.split("/")[0] : "");
  let count = 0;
  for (const file of scripts) {
    for (const [, target] of read(`www/${file}`).matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
      const path = resolve("/", dirname(file), target).slice(1);
      assert.ok(layerOf(path) >= 0 && layerOf(path) >= layerOf(file), `${file} imports ${path}`);
      count += 1;
    }
  }
  assert.ok(count > 100, `${count} imports`);
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), [...LAYERS.slice(0, -1), "styles"].sort());
});

test("every import of the console has types", () => {
  const lines = imports.map(({ path, name, isType }, at) => {
    const line = `import ${isType ? "type " : ""}{ ${name} as ${name}${at} } from "${entries[path]}";`;
    return isType ? line : `${line}\nvoid ${name}${at};`;
  });
  const compiler = [
    "--noEmit",
    "--strict",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom",
    "--module",
    "nodenext",
    "console.mts",
  ];
  run(tool("tsc"), compiler, project("console", { "console.mts": `${lines.join("\n")}\n` }));
});

test("an import of an unknown entry is found", () => {
  assert.equal(entries["pkg/browser.js"], "resource-edge");
  const [{ path }] = importsOf("a.ts", 'import { types } from "./pkg/accept.js";');
  assert.equal(entries[path], undefined);
  for (const text of [
    'import("./pkg/browser.js");',
    'import * as all from "/pkg/browser.js";',
    'export * from "./pkg/browser.js";',
  ]) {
    assert.throws(() => importsOf("a.ts", text), /import it by names/, text);
  }
});
