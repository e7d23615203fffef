#!/usr/bin/env node
// The command line of the package: `npx resource-edge COMMAND`. A command is a row of COMMANDS.

import { readFileSync } from "node:fs";

import type { ResourceError } from "../client/errors.js";
import { commandHelp, expected, help, readArguments } from "./arguments.js";
import { batch } from "./commands/batch.js";
import { check } from "./commands/check.js";
import { client } from "./commands/client.js";
import { type Command, CommandError, EXIT, Output, SIGNALS, UsageError } from "./command.js";
import { exportProject, importProject } from "./commands/backup.js";
import { dev } from "./commands/dev.js";
import { init } from "./commands/init.js";
import { loadFile } from "./commands/load.js";
import { mock } from "./commands/mock.js";
import { clear, restore, status } from "./commands/project.js";
import { query } from "./commands/query.js";
import { get, put, remove } from "./commands/resource.js";
import { rewrite } from "./commands/rewrite.js";
import { serve } from "./commands/serve.js";
import { smoke } from "./commands/smoke.js";
import { token } from "./commands/token.js";
import { types } from "./commands/types.js";
import { watch } from "./commands/watch.js";

/** The commands, in the order of the help. */
const COMMANDS: { readonly [name: string]: Command } = {
  init,
  dev,
  types,
  mock,
  serve,
  token,
  client,
  status,
  query,
  get,
  put,
  delete: remove,
  batch,
  load: loadFile,
  watch,
  check,
  rewrite,
  export: exportProject,
  import: importProject,
  clear,
  restore,
  smoke,
};

/** Ends with Ctrl-C or SIGTERM. A second signal ends the process at once. */
const interrupted = new AbortController();
let codeOfSignal = 0;
for (const [signal, code] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(code);
    codeOfSignal = code;
    interrupted.abort();
  });
}

const version = () => JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--version") return print(version());
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    print(help(COMMANDS));
    return name === undefined ? EXIT.usage : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined)
    throw new UsageError(`Unknown command '${name}'. ${expected(name, Object.keys(COMMANDS))}`);
  const { values, ...others } = readArguments(name, command, args);
  if (values.help) return print(commandHelp(name, command));
  const output = new Output(values.json === true);
  return (await command.run({ values, ...others, output, signal: interrupted.signal })) ?? 0;
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Returns the exit code of an error. */
function codeOf(error: unknown) {
  if (interrupted.signal.aborted) return codeOfSignal;
  if (error instanceof UsageError) return EXIT.usage;
  const { kind, retryable } = error as Partial<ResourceError>;
  const isUnreachable = kind === "network" || kind === "timeout" || (kind === "unexpected" && retryable);
  return isUnreachable ? EXIT.unreachable : EXIT.failed;
}

/** Writes an error, and everything that the service said about it. */
function report(error: unknown, isJson: boolean) {
  const { message, kind, status, errors = [], correlationId } = error as ResourceError;
  if (isJson) {
    const more =
      error instanceof UsageError || error instanceof CommandError ? {} : { kind, status, errors, correlationId };
    process.stderr.write(`${JSON.stringify({ error: { message, ...more } })}\n`);
    return;
  }
  const others = errors.map((item) => item.message).filter((text) => !message.includes(text));
  const lines = [`error: ${message}`, ...others.map((text) => `       ${text}`)];
  if (correlationId !== undefined && (status ?? 0) >= 500) lines.push(`Correlation ID: ${correlationId}`);
  process.stderr.write(`${lines.join("\n")}\n`);
}

const args = process.argv.slice(2);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader such as `head` that has read enough is no error, except of an export, which would not be complete.
  if (error.code === "EPIPE" && args[0] !== "export") process.exit(0);
  report(new CommandError(`Standard output cannot be written: ${error.message}.`), args.includes("--json"));
  process.exit(EXIT.failed);
});
// Nobody may read it.
process.stderr.on("error", () => {});
try {
  process.exitCode = await main(args);
} catch (error) {
  process.exitCode = codeOf(error);
  const isKnown = error instanceof UsageError || error instanceof CommandError;
  const { kind, code } = error as { kind?: unknown; code?: unknown };
  // Errors of the client and of the system (a file) have sentences for people. Any other is a bug, with its place.
  if (interrupted.signal.aborted) process.stderr.write("\nInterrupted.\n", () => process.exit());
  else if (isKnown || kind !== undefined || typeof code === "string") report(error, args.includes("--json"));
  else throw error;
}
