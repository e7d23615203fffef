// Reverts each hunk of fork.patch in turn, in the patched copy of `.ci/fork`, and prints the check that fails: the
// compiler, `make generate`, or a fast test. If none fails, a team could miss the place of the hunk.
//
// node tests/repository/fork/hunks.mjs all | NUMBER…

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

const COPY = join(import.meta.dirname, "../../..");
const HUNK = join(COPY, "target/hunk.patch");
/** A repository beside the copy, so that its files can be compared and restored. */
const GIT = [
  "-c",
  "user.name=tests",
  "-c",
  "user.email=tests@example.com",
  "--git-dir",
  join(COPY, "target/hunks.git"),
];
const NATIVE = ["--quiet", "--locked", "--no-default-features"];
/**
 * The commands that a team runs, the fastest first.
 * @type {[string, ...string[]][]}
 */
const CHECKS = [
  ["cargo", "check", ...NATIVE, "--tests"],
  [".ci/generate"],
  ["cargo", "test", ...NATIVE, "--no-fail-fast", "--lib"],
  ["cargo", "test", ...NATIVE, "--test", "repository", "--", "openapi::", "generated::", "docs::"],
  ["cargo", "test", ...NATIVE, "--test", "service", "--", "client::", "cases::", "wire::", "random_writes"],
  ["node", ".ci/types.mjs"],
];

/**
 * @param {[string, ...string[]]} command
 * @param {boolean} [fails] Whether it may fail.
 */
function run([command, ...options], fails = false) {
  const { status, stdout, stderr, error } = spawnSync(command, options, {
    cwd: COPY,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw error;
  const text = stripVTControlCharacters(`${stdout}\n${stderr}`);
  if (status !== 0 && !fails) throw new Error(`${command} ${options.join(" ")}: ${text}`);
  return { passed: status === 0, text };
}

const git = (...options) => run(["git", ...GIT, "--work-tree", COPY, ...options]);

/** Returns the hunks of a patch, each as a patch. */
function hunksOf(patch) {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((file) => file.startsWith("diff "))
    .flatMap((file) => {
      const [head, ...hunks] = file.split(/^(?=@@ )/m);
      const name = /^\+\+\+ b\/(.*)$/m.exec(head)[1];
      return hunks.map((hunk) => ({ name, patch: head + hunk, added: /^\+(.*)$/m.exec(hunk)?.[1].trim() ?? "" }));
    });
}

/** Returns the first output of a failed check: a compiler's error, or the names of tests. */
function noticed(command, text) {
  const tests = [...text.matchAll(/^test ([\w:]+) \.\.\. FAILED$|^ {4}([\w:]+)$/gm)].map(
    ([, one, other]) => one ?? other,
  );
  const error = /^(?:error.*|.*error TS.*|.*panicked at.*)$/m.exec(text)?.[0];
  return `${command}: ${tests.length > 0 ? [...new Set(tests)].join(", ") : (error ?? text.trim().split("\n").at(-1))}`;
}

/** Returns what notices that the hunk is missing; nothing if everything passes. */
function notice() {
  for (const check of CHECKS) {
    const { passed, text } = run(check, true);
    if (!passed) return noticed(check.slice(0, 2).join(" "), text);
  }
  // The declaration of something, without which there is less of everything.
  const changed = git("status", "--porcelain").text.match(/\S+generated\S*|\S+openapi\.json/g);
  return changed === null ? undefined : `less is generated: ${changed.join(", ")}`;
}

const hunks = hunksOf(readFileSync(join(import.meta.dirname, "fork.patch"), "utf8"));
const wanted =
  process.argv[2] === "all" ? [...hunks.keys()] : process.argv.slice(2).map((number) => Number(number) - 1);
for (const at of wanted) if (hunks[at] === undefined) throw new Error(`fork.patch has ${hunks.length} hunks`);
if (!existsSync(GIT.at(-1))) run(["git", "init", "--quiet", "--bare", GIT.at(-1)]);
// Commits the copy without ignored files.
git("add", "--all");
git("commit", "--quiet", "--allow-empty", "--message", "The patched copy");

const before = notice();
if (before !== undefined) throw new Error(`the copy with the whole patch fails: ${before}`);

let unnoticed = 0;
console.log("| hunk | file | first line that it adds | noticed by |\n|---|---|---|---|");
for (const at of wanted) {
  const { name, patch, added } = hunks[at];
  writeFileSync(HUNK, patch);
  git("apply", "--reverse", HUNK);
  try {
    const by = notice();
    if (by === undefined) unnoticed += 1;
    const cells = [at + 1, name, added.slice(0, 60), by ?? "NOTHING"];
    console.log(`| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`);
  } finally {
    git("reset", "--quiet", "--hard");
  }
}
if (unnoticed > 0) {
  console.error(`${unnoticed} hunks are not noticed`);
  process.exitCode = 1;
}
