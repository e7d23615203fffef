import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { publint } from "publint";

import { sizes } from "../../.ci/sizes.mjs";
import { packed, project, root, run, tool } from "./support.mjs";

/** Returns the paths of the files in a folder. */
const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(root, folder, path)).isFile(),
  );
const read = (path) => readFileSync(join(root, path), "utf8");

test("each download of a page stays within its limit", () => {
  for (const { what, total, limit } of sizes()) assert.ok(total <= limit, `${what}: ${total} bytes, at most ${limit}`);
});

test("the tarball contains exactly the needed files", () => {
  const folders = {
    backup: "backup file-lines",
    cli: "arguments command connection declarations edits example files main program resources secrets shape stored",
    "cli/commands":
      "backup batch check client dev init load mock project query resource rewrite serve smoke token types watch",
    client:
      "call-time calls client client-options errors export-import input modify pages project-calls response " +
      "share-reads signals tokens",
    core: "encoders instance ready",
    expressions: "inline-syntax syntax-check",
    feed: "follower live-view page repeated-query shared-feed socket",
    generated: "json-schemas kinds languages limits messages operations routes",
    hooks: "fields form form-fields form-store list live",
    items: "columns csv items json references words",
    own: "declare merge reader resource",
    testing: "clock faults files index pattern random request route sample sockets sqlite storage wasm worker world",
    validate: "checks field-schema serialize validate",
  };
  const typeFolders = {
    client: "client errors options share-reads",
    core: "ready wasm-source",
    expressions: "operators syntax-check",
    feed: "follower live-view page",
    generated: "bodies issues limits operations params predicate-fields responses",
    hooks: "fields form form-fields list live",
    own: "bodies declare fields merge parts resource",
    testing: "index types",
    validate: "field-schema validate",
  };
  const inFolders = (folders) =>
    Object.entries(folders).flatMap(([folder, names]) => names.split(" ").map((name) => `${folder}/${name}`));
  const types = [
    ..."api browser inline json-schema live operations predicate react syntax tanstack-db token".split(" "),
    ...inFolders(typeFolders),
  ];
  const modules = [
    ..."api browser edge-light inline json-schema live node operations predicate react react-native syntax".split(" "),
    ..."syntax-workerd tanstack-db token workerd".split(" "),
    ...inFolders(folders),
    ..."index json-schema live operations predicate react syntax tanstack-db testing token"
      .split(" ")
      .map((one) => `cjs/${one}`),
    ...["syntax", "wasm"].flatMap((folder) => [`${folder}/inline`, `${folder}/resource_edge`]),
  ];
  const others =
    "CHANGELOG.md LICENSE-APACHE LICENSE-MIT README.md resources.schema.json package.json cjs/package.json wasm.d.ts " +
    "worker.d.ts";
  const template = filesIn("pkg/template").map((path) => `template/${path}`);
  const guide = filesIn("src/guide").filter((path) => /^(use|operate|evaluate)\//.test(path));
  // The files that the repository's own Worker serves.
  const site = filesIn("build/site").map((path) => `worker/site/${path}`);
  const hosted = ["front.mjs", "kv.mjs", "serve.mjs", "settings.mjs", "site.mjs", "workerd.mjs", "wrangler.toml"].map(
    (name) => `self-hosted/${name}`,
  );
  const worker = ["index.js", "resource_edge_bg.wasm", "api-only/_headers", "api-only/openapi.json", ...hosted];
  assert.deepEqual(
    packed().files,
    [
      ...others.split(" "),
      ...template,
      ...guide.map((path) => `guide/${path}`),
      ...site,
      ...worker.map((path) => `worker/${path}`),
      ...["syntax", "wasm"].map((folder) => `${folder}/resource_edge_bg.wasm`),
      ...modules.map((name) => `${name}.js`),
      ...types.flatMap((name) => [`${name}.d.ts`, `cjs/${name}.d.ts`]),
    ].sort(),
  );
});

test("the version is the crate's, and the licenses are the repository's", () => {
  assert.equal(JSON.parse(read("pkg/package.json")).version, read("Cargo.toml").match(/^version = "(.+)"$/m)[1]);
  assert.equal(JSON.parse(read("pkg/package.json")).license, read("Cargo.toml").match(/^license = "(.+)"$/m)[1]);
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) assert.equal(read(`pkg/dist/${file}`), read(file));
});

test("publint reports only the expected findings", async () => {
  const { messages } = await publint({ pkgDir: join(root, "pkg/dist"), strict: true });
  // Parcel does not read `exports` by default, so it needs the field `browser`.
  const findings = messages.map(({ code, type }) => [code, type]);
  assert.deepEqual(findings, [["USE_EXPORTS_OR_IMPORTS_BROWSER", "suggestion"]]);
});

test("types and JavaScript agree in every module resolution, according to arethetypeswrong", () => {
  // `./wasm` is a file for bundlers, not a module that runs, and `./worker` is only for Workers, which are modules.
  run(tool("attw"), [packed().path, "--exclude-entrypoints", "./wasm", "./worker"], root);
});

test("the React Native entry throws an error with the reason", () => {
  const folder = project("react-native", {
    "main.js": `import("resource-edge").catch(({ message }) => console.log(message));`,
  });
  const printed = run(process.execPath, ["--conditions=react-native", "main.js"], folder);
  assert.equal(printed, "resource-edge needs WebAssembly, which React Native does not have.\n");
});
