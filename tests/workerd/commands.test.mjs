// The configuration for wrangler, and commands, in documents and in the template of projects.
// `tests/repository/docs/commands.rs` checks the other commands.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import ts from "typescript";
import { blocksIn } from "../support/blocks.mjs";
import { bash, folder, pathWithNpx, project, ROOT, startIn } from "./support.mjs";

/** The guide for operators. */
const guide = readFileSync(join(ROOT, "src/guide/operate/operations.md"), "utf8");

/** Returns the value of a text in JSONC. */
function parseJsonc(text) {
  const { config, error } = ts.parseConfigFileTextToJson("wrangler.jsonc", text);
  assert.equal(error, undefined);
  return config;
}

/** The configuration of a project of `init`. */
const template = parseJsonc(
  readFileSync(join(ROOT, "pkg/template/worker/wrangler.jsonc"), "utf8").replace("{name}", "name"),
);

/** Returns how wrangler reads a configuration. */
async function read(configuration) {
  const { unstable_readConfig } = await import("wrangler");
  const path = join(folder(), "wrangler.json");
  writeFileSync(path, JSON.stringify(configuration));
  return unstable_readConfig({ config: path }, { hideWarnings: true });
}

test("wrangler accepts the configuration that the guide shows", async () => {
  await assert.rejects(read({ ...template, ratelimits: [{ name: "A" }] }));
  const members = blocksIn(guide, "jsonc").map((block) => parseJsonc(`{${block}}`));
  const [settings, limits, routes, ...others] = await Promise.all(
    members.map((more) => read({ ...template, ...more })),
  );
  assert.deepEqual(others, []);
  const { vars } = settings;
  assert.ok(Object.keys(vars).length >= 3);
  for (const [name, value] of Object.entries(vars)) {
    assert.ok(guide.includes(`\n| \`${name}\` | variable |`), `${name} is no variable of the table`);
    assert.equal(typeof value, "string", name);
  }
  const bindings = limits.ratelimits.map(({ name }) => name);
  assert.deepEqual(bindings, ["REQUEST_LIMIT", "TOKEN_LIMIT"]);
  assert.equal(routes.routes.length, 2);
});

test("a project of `init` has the configuration of this repository, with the package's files", async () => {
  const { unstable_readConfig } = await import("wrangler");
  const parts = ({ assets, ...config }) => {
    const names = ["compatibility_date", "compatibility_flags", "workers_dev", "minify", "keep_names", "migrations"];
    const more = ["kv_namespaces", "durable_objects", "observability", "vars", "limits", "triggers"];
    const { directory, ...files } = assets;
    const all = { files, ...Object.fromEntries([...names, ...more].map((name) => [name, config[name]])) };
    // The objects of TOML have another prototype.
    return JSON.parse(JSON.stringify(all));
  };
  const ours = unstable_readConfig({ config: join(ROOT, "wrangler.toml") }, { hideWarnings: true });
  assert.deepEqual(parts(await read(template)), parts(ours));
  const line = readFileSync(join(ROOT, "pkg/template/worker/src/index.js"), "utf8");
  for (const { class_name } of ours.durable_objects.bindings) assert.ok(line.includes(class_name), class_name);
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const manifest = JSON.parse(readFileSync(join(ROOT, "pkg/template/worker/package.json"), "utf8"));
  assert.equal(manifest.devDependencies.wrangler, `^${devDependencies.wrangler}`);
});

test("the command of the README creates a signing secret", async () => {
  for (const document of ["README.md", "pkg/template/worker/README.md"]) {
    const readme = readFileSync(join(ROOT, document), "utf8");
    const [, program] = /node -e '([^']+)' \| npx wrangler secret put TOKEN_SECRET/.exec(readme);
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", program]);
    assert.equal(Buffer.from(stdout.trim(), "base64url").length, 32);
  }
});

test("the command of the guide gets a token, which opens the project", { timeout: 60_000 }, async (t) => {
  const commands = blocksIn(guide, "sh").filter((block) => /^(TOKEN=|export RESOURCE_EDGE_URL=)/.test(block));
  assert.equal(commands.length, 2);
  const worker = await startIn(t, {
    changes: { API_CLIENTS: [{ id: "my-client", secret: "its-secret", scopes: ["manage_test:*"] }] },
  });
  const FROM = project();
  const variables = { SERVICE: worker.address, SECRET: "its-secret", FROM, PATH: pathWithNpx() };
  const token = (await bash(`${commands.join("\n")}\necho "$TOKEN"`, variables)).trim();
  const headers = { Authorization: `Bearer ${token}` };
  assert.equal((await fetch(new URL(`${FROM}/status`, worker.url), { headers })).status, 200, token);
});
