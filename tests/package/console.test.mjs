// The console uses the package like any other front end: only the paths of `exports`, and the modules that it shares
// with the command line. TypeScript checks the names.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

import { root } from "./support.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

/** Returns the file that a browser gets. */
const fileFor = (target) => (typeof target === "string" ? target : fileFor(target.default ?? target.import));
const { exports } = JSON.parse(read("pkg/package.json"));
const entries = Object.values(exports).map((target) => join("pkg", fileFor(target)));

/** What the console and the command line share. */
const SHARED = ["backup/backup", "backup/file-lines", "client/project-calls"]
  .concat(["columns", "csv", "items", "json", "references", "words"].map((name) => `items/${name}`))
  .map((name) => `pkg/${name}.js`);

const scripts = readdirSync(join(root, "www"), { encoding: "utf8", recursive: true }).filter((file) =>
  file.endsWith(".ts"),
);
/** The paths in the console's folder that each of its files names: imports, and other texts that name a module. */
const named = scripts.flatMap((file) =>
  [...read(`www/${file}`).matchAll(/["'`]((?:\.{1,2})?\/[^"'`]*?\.js)["'`]/g)].map(([, target]) => ({
    file,
    path: resolve("/", dirname(file), target).slice(1),
  })),
);

test("the console imports only entries of the package, and what it shares with the command line", () => {
  const used = named.map(({ path }) => path).filter((path) => path.startsWith("pkg/"));
  assert.ok(used.length >= 5, "the console uses the package");
  const preloaded = [...read("www/index.html").matchAll(/(?:href|src)="\/?(pkg\/[^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(
    [...used, ...preloaded].filter((path) => !entries.includes(path) && !SHARED.includes(path)),
    [],
  );
});

const WIDGETS = ["frame", "list", "files", "values", "base"].map((name) => `widgets/${name}`);
const MODEL = ["model/import", "model/query", "model/edit", "model"];
/** The folders in order: each imports from itself and from those after it. The first has the files beside them. */
const LAYERS = [".", "views", "forms", "forms/inputs", ...WIDGETS, "state", ...MODEL];

test("the folders of the console import in one direction", () => {
  assert.ok(named.length > 100, `${named.length} imports`);
  for (const { file, path } of named) {
    if (path.startsWith("pkg/")) continue;
    const [from, to] = [file, path].map((one) => LAYERS.indexOf(dirname(one)));
    assert.ok(from >= 0 && to >= from, `${file} imports ${path}`);
  }
});

test("no folder of the console has more than 12 files", () => {
  for (const folder of LAYERS) {
    const files = scripts.filter((file) => dirname(file) === folder);
    assert.ok(files.length > 0 && files.length <= 12, `${folder}: ${files.length} files`);
  }
});

test("no file of the console has a path of the API", () => {
  const [, list] = /^run_worker_first = (\[.*\])$/m.exec(read("wrangler.toml"));
  const ofApi = JSON.parse(list).map((path) => new RegExp(`^${path.replaceAll("*", ".*")}$`));
  const files = scripts.map((file) => `/${file.replace(/ts$/, "js")}`);
  assert.deepEqual(
    files.filter((file) => ofApi.some((pattern) => pattern.test(file))),
    [],
  );
});
