// Creates a project for a tool, installs the packed package and the tool, and runs the parts of the table.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { pack } from "../pack.mjs";
import { startGroup } from "../../support/group.mjs";
import { POLICY, serveFolder } from "../../support/pages.mjs";
import { freePort } from "../../support/server.mjs";
import { isInstalled, openIn, versionOf } from "./browsers.mjs";
import { esm, expected, expectedOffline, expectedTesting } from "./program.mjs";
import { serve } from "./service.mjs";

export const root = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../../..");
const COMMAND_MS = 240_000;
const READY_MS = 90_000;
const REPORT_MS = 60_000;

/** Returns the name of a row of a table, in lower case, with - between words. */
export const nameOf = ({ name }) => name.toLowerCase().replace(/\W+/g, "-");

/** Packs the package. `remove` removes it and every project. */
export function prepare() {
  const folder = mkdtempSync(join(tmpdir(), "resource-edge-tools-"));
  return {
    folder,
    tarball: pack(folder).path,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  };
}

/** Runs the parts of one version of a tool, or only the named parts, and removes its project. */
export async function runTool(tool, version, { folder: parent, tarball }, only) {
  const all = Object.entries(typeof tool.parts === "function" ? tool.parts(version) : tool.parts);
  const parts = Object.fromEntries(all.filter(([part]) => only === undefined || only.includes(part)));
  const folder = join(parent, `${tool.name}-${version}`.replace(/[^\w.-]+/g, "-").toLowerCase());
  const { browser = "chromium" } = tool.versions[version];
  const label = tool.versions[version].browser ? (versionOf(browser) ?? version) : version;
  const result = (part, outcome, more) => ({ name: tool.name, version: label, part, outcome, seconds: 0, ...more });
  if (!isInstalled(browser))
    return Object.keys(parts).map((part) => result(part, "not run", { reason: `${version} is not installed here` }));
  const service = await serve();
  const results = [];
  try {
    create(folder, tool, version, tarball, service.url);
    for (const [part, work] of Object.entries(parts)) {
      const began = Date.now();
      service.reset();
      let outcome;
      try {
        await runPart(folder, work, service, browser);
        outcome = result(part, "passes");
      } catch (error) {
        outcome = result(part, "fails", { reason: error.message });
      }
      results.push({ ...outcome, seconds: Math.round((Date.now() - began) / 1000) });
    }
  } catch (error) {
    results.push(
      ...Object.keys(parts)
        .slice(results.length)
        .map((part) => result(part, "fails", { reason: `not installed: ${error.message}` })),
    );
  } finally {
    service.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  return results;
}

function create(folder, tool, version, tarball, service) {
  const manifest = { name: "project", private: true, ...(tool.module !== false && { type: "module" }) };
  const dependencies = { "resource-edge": `file:${tarball}`, ...tool.packages(version) };
  const files = { "package.json": JSON.stringify({ ...manifest, dependencies }), "program.js": esm(), ...tool.files };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "function" ? content(service) : content);
  }
  install(folder);
}

/** Installs what the manifest in the folder names. */
export function install(folder) {
  try {
    execFileSync(
      "npm",
      ["install", "--prefer-offline", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"],
      { cwd: folder, stdio: "pipe", timeout: COMMAND_MS, env: environment(folder) },
    );
  } catch (error) {
    throw new Error(clean(String(error.stderr || error.message)));
  }
}

function environment(folder, more = {}) {
  return {
    ...process.env,
    PATH: `${join(folder, "node_modules/.bin")}:${process.env.PATH}`,
    CI: "1",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    ELSEWHERE: join(dirname(folder), "elsewhere"),
    // No tool sends telemetry or checks for updates.
    NEXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_HIDE_BANNER: "true",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    DENO_NO_UPDATE_CHECK: "1",
    NODE_TEST_CONTEXT: undefined,
    ...more,
  };
}

async function runPart(folder, part, service, browser) {
  let printed = "";
  for (const command of part.commands ?? []) printed = await shell(command, folder);
  if (part.offline || part.testing)
    return compare(
      JSON.parse(/REPORT (.*)/.exec(printed)?.[1] ?? "null"),
      part.testing ? expectedTesting : expectedOffline,
    );

  const closing = [];
  try {
    let origin;
    let log = () => "";
    if (part.serve) {
      const port = await freePort();
      const server = start(part.serve, folder, { PORT: String(port) });
      closing.push(() => server.end("SIGKILL"));
      log = () => server.output;
      origin = `http://127.0.0.1:${port}`;
      await answers(port, server);
    } else if (part.folder) {
      // The policy also allows requests to the service.
      const policy = part.policy === false ? undefined : `${POLICY} ${service.url}`;
      const server = await serveFolder(join(folder, part.folder), policy);
      closing.push(server.close);
      origin = server.url;
    }
    for (const path of [part.get ?? []].flat()) {
      const response = await fetch(origin + path, { signal: AbortSignal.timeout(REPORT_MS) });
      if (response.status !== 200) throw new Error(`${path} responds with ${response.status}: ${clean(log())}`);
      await response.text();
      compare(await readReport(service, log), expected);
    }
    if (part.open) {
      if (part.serve) {
        const response = await fetch(origin + part.open, {
          headers: { accept: "text/html" },
          signal: AbortSignal.timeout(REPORT_MS),
        });
        if (response.status !== 200) throw new Error(`${part.open} responds with ${response.status}: ${clean(log())}`);
        await response.text();
        // The server reports this request too.
        for (let more = 1; more < (part.reports ?? 1); more++) compare(await readReport(service, log), expected);
      }
      const page = await openIn(browser, origin + part.open);
      closing.push(page.close);
      const complaints = () => `${page.complaints.join("; ")} ${log()}`;
      for (let more = 0; more < (part.reports ?? 1); more++) compare(await readReport(service, complaints), expected);
    }
    if (!part.get && !part.open) compare(await readReport(service, () => printed), expected);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

export function compare(report, wanted) {
  if (report?.error) throw new Error(clean(report.error));
  if (!isDeepStrictEqual(report, wanted)) throw new Error(`reported ${JSON.stringify(report)}`);
}

async function readReport(service, log) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing reported: ${clean(log())}`)), REPORT_MS);
  });
  try {
    return await Promise.race([service.next(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a command to its end and returns what it printed. */
export async function shell(command, folder, more = {}) {
  const program = start(command, folder, more);
  const timer = setTimeout(() => program.end("SIGKILL"), COMMAND_MS);
  const code = await program.exited;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${command}: ${clean(program.output)}`);
  return program.output;
}

const start = (command, folder, more) =>
  startGroup("bash", ["-c", command], { cwd: folder, env: environment(folder, more) });

/** Waits until something listens on the port. */
async function answers(port, server) {
  for (const end = Date.now() + READY_MS; Date.now() < end; ) {
    if (!server.isRunning) throw new Error(clean(server.output));
    try {
      await fetch(`http://127.0.0.1:${port}/favicon.ico`, { signal: AbortSignal.timeout(READY_MS) });
      return;
    } catch {
      await new Promise((later) => setTimeout(later, 200));
    }
  }
  throw new Error(`the server is not ready: ${clean(server.output)}`);
}

/** Returns the line of a log that contains the error, without colors. `VERBOSE=1` prints the whole log. */
function clean(log) {
  if (process.env.VERBOSE) console.error(log);
  const lines = log
    .replace(/\x1b\[[0-9;]*m/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const line = lines.find((text) => /error|cannot|failed|not defined/i.test(text)) ?? lines.at(-1) ?? "";
  return line.slice(0, 300);
}

/** Returns the matrix as Markdown: a row per tool and version, with the parts that pass and those that fail. */
export function matrix(results) {
  const rows = new Map();
  for (const result of results) {
    const row = `${result.name}\n${result.version}`;
    rows.set(row, [...(rows.get(row) ?? []), result]);
  }
  const groups = [];
  for (const parts of rows.values()) {
    const [{ name, version }] = parts;
    const cell = Object.entries({ passes: "passes", fails: "**fails**", "not run": "not run" })
      .map(([outcome, title]) => [title, parts.filter((one) => one.outcome === outcome).map(({ part }) => part)])
      .filter(([, names]) => names.length > 0)
      .map(([title, names]) => `${title}: ${/** @type {string[]} */ (names).join("; ")}`)
      .join("<br>");
    const last = groups.at(-1);
    if (last?.name === name && last.cell === cell) last.versions.push(version);
    else groups.push({ name, versions: [version], cell });
  }
  const total = results.length;
  const passed = results.filter(({ outcome }) => outcome === "passes").length;
  const lines = groups.map(({ name, versions, cell }) => `| ${name} | ${versions.join(", ")} | ${cell} |`);
  const table = ["| tool | version | outcome |", "|---|---|---|", ...lines].join("\n");
  return `${table}\n\n${passed} of ${total} pass.\n`;
}
