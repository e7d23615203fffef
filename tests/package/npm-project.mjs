// Projects that only have npm: the packed package, a PATH without the tools of this repository, and wrangler, which npm
// would install from the network.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after } from "node:test";
import { startGroup } from "../support/group.mjs";
import { onPath } from "../support/programs.mjs";
import { root } from "./support.mjs";

/** The Node that wrangler needs, if that of the tests is older (.ci/tools). */
const newer = join(root, "node_modules/.bin/node");
export const NODE = existsSync(newer) ? newer : process.execPath;

const started = [];
const folders = [];
after(async () => {
  for (const server of started) await server.end("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder, which is removed after the tests of the file. */
export function folderFor(prefix) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  folders.push(folder);
  return folder;
}

/**
 * Returns the environment of a person who has Node and the system's own programs.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
export function environment(folder) {
  const bin = join(folder, ".bin");
  if (!existsSync(bin)) {
    mkdirSync(bin, { recursive: true });
    symlinkSync(NODE, join(bin, "node"));
    for (const name of ["npm", "npx"]) symlinkSync(onPath(name, root), join(bin, name));
  }
  const kept = Object.fromEntries(["HOME", "LANG", "TMPDIR"].map((name) => [name, process.env[name]]));
  return {
    ...kept,
    PATH: `${bin}:/usr/bin:/bin`,
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_HIDE_BANNER: "true",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  };
}

/** Puts the repository's wrangler, with workerd, and the types of Node into a project. */
export function linkWrangler(folder) {
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  for (const name of ["wrangler", "workerd", "@types/node"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  symlinkSync("../wrangler/bin/wrangler.js", join(folder, "node_modules/.bin/wrangler"));
}

/** Puts the repository's packages that a project depends on into it, with their programs. */
export function linkDependencies(folder) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  linkWrangler(folder);
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const link = join(folder, "node_modules", name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
    const { bin = {} } = JSON.parse(readFileSync(join(link, "package.json"), "utf8"));
    for (const [program, path] of Object.entries(typeof bin === "string" ? { [basename(name)]: bin } : bin))
      symlinkSync(join("..", name, path), join(folder, "node_modules/.bin", program));
  }
}

/** Runs a program. Returns its exit code and its output; `input` is its standard input. */
export const run = (file, args, options, input = "") =>
  new Promise((resolve) => {
    const child = execFile(file, args, { timeout: 60_000, ...options }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr }),
    );
    // A program may end without reading its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });

/** The command line of the built package, and the environment of its commands. */
export const MAIN = join(root, "pkg/dist/cli/main.js");
export const KNOWN = { PATH: process.env.PATH, NODE_NO_WARNINGS: "1" };

/** Runs a command of the package. */
export const runCommand = (args, options, input) => run(process.execPath, [MAIN, ...args], options, input);

/** Starts the command `mock` on a free port. Returns what it prints: its address, and its API client. */
export async function startMock(args, options) {
  const { output } = await serve(process.execPath, [MAIN, "mock", "--port", "0", "--json", ...args], options, /\n/);
  return JSON.parse(output);
}

/** Starts a program that serves. Resolves once its output matches. */
export async function serve(file, args, options, pattern) {
  const server = startGroup(file, args, options);
  started.push(server);
  if ((await server.printed(pattern)) === undefined) throw new Error(`it ended: ${server.output}`);
  return server;
}
