// The files that commands write and read: what a path names, permissions, signals, two commands at once, pipes.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { before, test } from "node:test";
import { startGroup } from "../support/group.mjs";
import { listen } from "../support/server.mjs";
import { later } from "../support/waiting.mjs";
import { folderFor, KNOWN, MAIN, run, runCommand, startMock } from "./npm-project.mjs";
import { root } from "./support.mjs";

const folder = folderFor("resource-edge-files-");
const client = { RESOURCE_EDGE_CLIENT_ID: "testing", RESOURCE_EDGE_CLIENT_SECRET: "testing-secret" };
const at = (name) => join(folder, name);
/** For temporary files of these commands only. */
const temporary = at("temporary");
fs.mkdirSync(temporary);
const env = { ...KNOWN, RESOURCE_EDGE_URL: "", TMPDIR: temporary, ...client };
const write = (name, text = "") => fs.writeFileSync(at(name), text);
const read = (name) => fs.readFileSync(at(name), "utf8");
const modeOf = (name) => fs.statSync(at(name)).mode & 0o777;
const cli = (args, input = "") => runCommand(args, { cwd: folder, env }, input);
/** Runs a line of bash in which `$RUN` is the program. */
const bash = (line) =>
  run("bash", ["--norc", "-c", line], { cwd: folder, env: { ...env, RUN: `${process.execPath} ${MAIN}` } });

before(async () => {
  write("bodies.ndjson", '{"key":"a","objectTypeProperty":{}}\n{"key":"b","objectTypeProperty":{}}\n');
  const product = { type: "object", properties: { title: { type: "string" } } };
  write("resources.json", JSON.stringify({ resources: { product }, projects: { products: "product" } }));
  const args = ["--authenticate", "--seed", "bodies.ndjson", "--project", "demo"];
  env.RESOURCE_EDGE_URL = (await startMock(args, { cwd: folder, env })).url;
});

let clients = 0;
/** The commands that write a file: their arguments, what the file has before, and what it has once it is whole. */
const WRITERS = {
  export: { args: (path) => ["export", "--out", path, "--force"], text: "old", whole: /^(\{.*\}\n){2}\{"end":.*\}\n$/ },
  types: {
    args: (path) => ["types", "--out", path, "--force"],
    text: "old",
    whole: /^\/\/ Written .*^export const product .*"title".*\);\n$/ms,
  },
  client: { args: (path) => ["client", `c${clients++}`, "--file", path], text: "[]", whole: /^\[.*\]$/ },
};

/** What a path may name. Each prepares it, and checks it after the command; `text` is what a file has before. */
const TARGETS = {
  async "nothing yet"({ args, whole, name }) {
    assert.equal((await cli(args("new"))).code, 0);
    assert.match(read("new"), whole);
    assert.equal(modeOf("new"), name === "export" ? 0o600 : 0o666 & ~process.umask());
  },
  async "a link, which is followed"({ args, text, whole }) {
    write("volume/file", text);
    fs.symlinkSync("volume/file", at("link"));
    assert.equal((await cli(args("link"))).code, 0);
    assert.ok(fs.lstatSync(at("link")).isSymbolicLink());
    assert.match(read("volume/file"), whole);
  },
  async "a link to nothing, which is followed"({ args, whole }) {
    fs.symlinkSync("../volume/made", at("volume/link"));
    assert.equal((await cli(args("volume/link"))).code, 0);
    assert.match(read("volume/made"), whole);
  },
  async "a link to itself"({ args }) {
    fs.symlinkSync("loop", at("loop"));
    const { code, stderr } = await cli(args("loop"));
    assert.equal(code, 1);
    assert.match(stderr, /^error: loop cannot be (written|read): ELOOP/);
  },
  async "a folder"({ args }) {
    fs.mkdirSync(at("folder"));
    const { code, stderr } = await cli(args("folder"));
    assert.equal(code, 1);
    assert.match(stderr, /^error: folder (is a folder\. Name a file|cannot be read: EISDIR)/);
  },
  async "a folder that is not there"({ args }) {
    const { code, stderr } = await cli(args("none/file"));
    assert.deepEqual([code, stderr], [1, "error: There is no folder 'none'. Create it first.\n"]);
  },
  async "a folder in which nobody can write"({ args }) {
    const { code, stderr } = await cli(args("/proc/file"));
    assert.equal(code, 1);
    assert.match(stderr, /^error: \/proc\/file cannot be written: E/);
  },
  async "a pipe, which is written as it is"({ args, whole, name }) {
    // `client` would first read it.
    if (name === "client") return;
    execFileSync("mkfifo", [at("pipe")]);
    const reader = bash("cat pipe");
    assert.equal((await cli(args("pipe"))).code, 0);
    assert.match((await reader).stdout, whole);
    // The last line is the result of the command.
    const shown = await bash(`$RUN ${args("/proc/self/fd/1").join(" ")} | cat`);
    assert.match(shown.stdout.replace(/.*\n$/, ""), whole, shown.stderr);
  },
  async "a device, which is full"({ args, name }) {
    if (name === "client") return;
    // Not that of the machine: a fault here, run by root, would replace it.
    const isRoot = process.getuid?.() === 0;
    const device = isRoot ? at("device") : "/dev/full";
    if (isRoot) execFileSync("mknod", [device, "c", "1", "7"]);
    const { code, stderr } = await cli(args(device));
    assert.equal(code, 1);
    assert.match(stderr, /^error: \S+ cannot be written: ENOSPC/);
    assert.ok(fs.statSync(device).isCharacterDevice());
  },
  async "files with permissions"({ args, text, whole, name }) {
    for (const [before, after] of [
      [0o666, name === "export" ? 0o600 : 0o666],
      [0o640, name === "export" ? 0o600 : 0o640],
      [0o600, 0o600],
      [0o400, 0o400],
    ]) {
      fs.rmSync(at("file"), { force: true });
      write("file", text);
      fs.chmodSync(at("file"), before);
      assert.equal((await cli(args("file"))).code, 0);
      assert.equal(modeOf("file").toString(8), after.toString(8));
      assert.match(read("file"), whole);
    }
  },
  async "a file beside one that ends with .part"({ args, text, whole }) {
    write("file", text);
    fs.symlinkSync("volume/other", at("file.part"));
    write("volume/other", "other");
    assert.equal((await cli(args("file"))).code, 0);
    assert.match(read("file"), whole);
    assert.equal(read("volume/other"), "other");
  },
  async "a file that two commands write at once"({ args, text, whole }) {
    for (let count = 0; count < 4; count++) {
      write("file", text);
      const ended = await Promise.all([cli(args("file")), cli(args("file"))]);
      assert.deepEqual(
        ended.map(({ code }) => code),
        [0, 0],
      );
      assert.match(read("file"), whole);
    }
  },
};

test("every command that writes a file writes it whole, whatever its path names", async (t) => {
  for (const [name, writer] of Object.entries(WRITERS)) {
    for (const [target, check] of Object.entries(TARGETS)) {
      await t.test(`${name}: ${target}`, async () => {
        fs.mkdirSync(at("volume"));
        try {
          await check({ name, ...writer });
          const left = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
          assert.deepEqual(
            left.filter((path) => path.includes(".resource-edge-")),
            [],
          );
        } finally {
          for (const path of ["new", "link", "loop", "folder", "volume", "pipe", "device", "file", "file.part"])
            fs.rmSync(at(path), { recursive: true, force: true });
        }
      });
    }
  }
});

test("only one module writes files, and each command that uses it is tested above", () => {
  const sources = join(root, "pkg/src/cli");
  /** Returns the modules that import one of these names from a module. */
  const importing = (names, from) =>
    fs
      .readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .filter((module) =>
        [...fs.readFileSync(join(sources, module), "utf8").matchAll(/^import \{([^}]*)\} from "([^"]*)"/gm)].some(
          ([, imported, path]) => from.test(path) && imported.split(",").some((name) => names.test(name.trim())),
        ),
      )
      .sort();
  // `files` also copies a pipe into a temporary file, and `program` creates the file of a lock.
  const writers = /^(write|append|copy|cp|rename|open|createWrite|truncate|link|symlink)/;
  assert.deepEqual(importing(writers, /^node:fs/), ["files.ts", "program.ts"]);
  // `init` has a separate test, also of what `secrets` writes. `backup` exports.
  assert.deepEqual(Object.keys(WRITERS).sort(), ["client", "export", "types"]);
  const users = ["backup", "client", "init", "types"].map((name) => `commands/${name}.ts`).concat("secrets.ts");
  assert.deepEqual(importing(/^(writeFile|openTarget)$/, /^\.\.?\/files\.js$/), users);
});

test("a signal in the middle of an export leaves nothing behind", async (t) => {
  const line = '{"id":"a","version":1,"lastModifiedAt":"2026-01-01T00:00:00.000Z"}\n';
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url === "/oauth/token") return response.end('{"access_token":"t"}');
    if (request.url.endsWith("/status")) return response.end('{"resources":2}');
    // The second page never comes.
    if (request.url.includes("after=")) return void asked++;
    response.writeHead(200, { Link: '</demo/export?after=p>; rel="next"' }).end(line);
  });
  const { url, close } = await listen(server);
  t.after(close);
  for (const [signal, code] of /** @type {const} */ ([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])) {
    write("kept", "old");
    const args = [MAIN, "export", "--out", "kept", "--force", "--url", url];
    const command = startGroup(process.execPath, args, { cwd: folder, env });
    for (const before = asked; asked === before; ) await later(20);
    const [part] = fs.readdirSync(folder).filter((path) => path.startsWith(".resource-edge-"));
    assert.deepEqual([read(part), modeOf(part)], [line, 0o600]);
    assert.equal(await command.end(signal), code);
    assert.deepEqual([read("kept"), fs.existsSync(at(part))], ["old", false], signal);
  }
});

test("init follows no link to nothing, keeps a link to a package.json, and quotes the folder", async () => {
  fs.mkdirSync(at("linked"));
  fs.symlinkSync("../elsewhere", at("linked/README.md"));
  fs.symlinkSync("../elsewhere", at("linked/package.json"));
  fs.symlinkSync("../elsewhere", at("linked/.dev.vars"));
  const refused = await cli(["init", "linked"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /linked has these files already: (?=.*README\.md)(?=.*package\.json)(?=.*\.dev\.vars)/);
  assert.ok(!fs.existsSync(at("elsewhere")));
  for (const name of ["README.md", ".dev.vars"]) fs.rmSync(at(`linked/${name}`));
  write("elsewhere", '\uFEFF{ "name": "shop" }');
  assert.equal((await cli(["init", "linked"])).code, 0);
  assert.match((await cli(["init", "it's mine"])).stdout, /^ {2}cd 'it'\\''s mine'$/m);
  assert.ok(fs.lstatSync(at("linked/package.json")).isSymbolicLink());
  assert.equal(JSON.parse(read("elsewhere")).name, "shop");
  assert.equal(modeOf("linked/.dev.vars"), 0o600);
});

test("types replaces only what it has written, unless it is forced", async () => {
  write("mine.js", "export {};\n");
  const { code, stderr } = await cli(["types", "--out", "mine.js"]);
  assert.deepEqual([code, read("mine.js")], [1, "export {};\n"]);
  assert.equal(stderr, "error: mine.js exists, and this command has not written it. Use another --out, or --force.\n");
  for (const force of [["--force"], []]) assert.equal((await cli(["types", "--out", "mine.js", ...force])).code, 0);
});

test("standard output that is full or closed is a clear error, and standard error that is closed is none", async () => {
  for (const command of ["export", "query", "types --help", "status --json"]) {
    const { code, stderr } = await bash(`$RUN ${command} >/dev/full`);
    assert.equal(code, 1, command);
    assert.match(stderr, /Standard output cannot be written: ENOSPC: no space left on device, write\./);
    assert.doesNotMatch(stderr, /^ +at /m);
  }
  const piped = await bash("set -o pipefail; $RUN export | true");
  assert.equal(piped.code, 1, "an export that nobody has read is not complete");
  assert.match(piped.stderr, /^error: Standard output cannot be written: write EPIPE\.$/m);
  assert.equal((await bash("set -o pipefail; $RUN query | true")).code, 0);
  assert.equal((await bash("$RUN export 2> >(true) >all.ndjson; exit $?")).code, 0);
});

test("an import reads standard input, and any pipe", async () => {
  const { stdout } = await cli(["export"]);
  for (const [project, line] of [
    ["one", "$RUN import - --project one <all.ndjson"],
    ["two", "cat all.ndjson | $RUN import /dev/stdin --project two"],
  ]) {
    write("all.ndjson", stdout);
    const { code, stdout: result, stderr } = await bash(line);
    assert.deepEqual([code, result], [0, `Imported 2 lines into ${project}.\n`], stderr);
  }
  const wrong = await cli(["import", "-", "--project", "three"], "{");
  assert.equal(wrong.stderr, "error: Standard input, line 1: The line is not JSON.\n");
  assert.deepEqual(
    fs.readdirSync(temporary).filter((path) => path.startsWith(".resource-edge-")),
    [],
  );
});

test("a byte order mark, empty lines, and the ends of lines of Windows are no part of a file", async () => {
  write("marked.json", `\uFEFF${read("resources.json")}\r\n`);
  assert.equal((await cli(["types", "marked.json"])).code, 0);
  write("clients.json", "\uFEFF[]\r\n");
  assert.equal((await cli(["client", "marked", "--file", "clients.json"])).code, 0);
  write("bodies.txt", '\uFEFF{"key":"a","objectTypeProperty":{}}\r\n\r\n{"key":"b","objectTypeProperty":{}}\r\n');
  const args = ["--seed", "bodies.txt", "--project", "demo", "--resources", "marked.json"];
  const { url } = await startMock(args, { cwd: folder, env });
  const response = await fetch(`${url}/demo/resource`);
  assert.equal((await response.json()).total, 2);
});

test("a file that cannot be read is named, with the line", async () => {
  write("broken.ndjson", '{"key":"a","objectTypeProperty":{}}\n\n{"key":\n');
  write("broken.json", "{");
  for (const [args, expected] of /** @type {const} */ ([
    [["mock", "--seed", "broken.ndjson", "--project", "demo"], /^error: broken\.ndjson, line 3: Unexpected /],
    [["mock", "--seed", "none.ndjson"], /^error: There is no file 'none\.ndjson'\.\n$/],
    [["types", "broken.json"], /^error: broken\.json is not JSON: /],
    [["client", "a", "--file", "broken.json"], /^error: broken\.json is not JSON: /],
    [["import", "none.ndjson"], /^error: There is no file 'none\.ndjson'\.\n$/],
    [["import", "."], /^error: \. is a folder\. Name a file\.\n$/],
  ])) {
    const { code, stderr } = await cli(args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /** @type {RegExp} */ (expected));
  }
});
