// Runs the official inspector of the Model Context Protocol on the built Worker: it may not find any fault of the
// tools' schemas. `node tests/package/tools/inspector.mjs [name …]`, or `make test-tools`. The workspace does not
// depend on it, because it installs 120 packages of 110 MB.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { start } from "../../workerd/support.mjs";
import { install, nameOf } from "./runner.mjs";

const INSPECTOR = { name: "mcp inspector", packages: { "@modelcontextprotocol/inspector": "2.12.0", node: "22.23.3" } };
/** A resource with each type of field. */
const SCALARS = ["string", "integer", "number", "boolean"].map((type) => ({ type }));
const LISTS = SCALARS.map((items) => ({ type: "array", items }));
const inner = { type: "object", required: ["f0"], properties: { f0: { type: "string", format: "date-time" } } };
const FIELDS = [...SCALARS, ...LISTS, inner, { type: "array", items: inner }, { enum: ["a", "b"] }];
const properties = Object.fromEntries(FIELDS.map((schema, at) => [`f${at}`, schema]));
const RESOURCES = { resources: { sample: { type: "object", required: ["f0"], properties } } };

/** Returns what the inspector finds wrong with the tools that a token lists, and how many tools it lists. */
async function inspect(folder, service, permission) {
  const token = await service.token("demo", permission);
  const options = [
    "--transport",
    "http",
    "--method",
    "tools/list",
    "--strict",
    "--header",
    `Authorization: Bearer ${token}`,
  ];
  const run = promisify(execFile)("node_modules/.bin/inspector", ["--cli", `${service.address}/demo/mcp`, ...options], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(folder, "node_modules/.bin")}:${process.env.PATH}` },
  });
  const { stdout, stderr } = await run.catch((error) => ({ stdout: "", stderr: String(error.stderr ?? error) }));
  return { found: stderr.trim(), tools: JSON.parse(stdout || '{"tools":[]}').tools.length };
}

const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (names.length > 0 && !names.includes(nameOf(INSPECTOR))) process.exit();
const folder = mkdtempSync(join(tmpdir(), "resource-edge-inspector-"));
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: INSPECTOR.packages }));
  install(folder);
  for (const [label, options] of /** @type {[string, object][]} */ ([
    ["the resource of the interface", {}],
    ["a declared resource", { resources: RESOURCES }],
    ["its operations", { resources: RESOURCES, changes: { AGENT_TOOLS: "operations" } }],
  ])) {
    const service = await start(options);
    try {
      for (const [permission, least] of [
        ["manage_test", 6],
        ["view_test", 3],
      ]) {
        const { found, tools } = await inspect(folder, service, permission);
        const works = found === "" && tools >= least;
        console.error(
          `${works ? "works" : "fails"} ${INSPECTOR.name}: ${tools} tools for ${permission}, ${label} ${found}`,
        );
        if (!works) process.exitCode = 1;
      }
    } finally {
      await service.stop();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
