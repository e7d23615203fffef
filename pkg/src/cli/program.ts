// The programs and servers that commands run: they end with the command, have a data folder for themselves, and a port.

import { type ChildProcess, spawn, spawnSync, type StdioOptions } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { CommandError, UsageError } from "./command.js";

/** How often, and after which pauses, a lock is tried: another server may be about to end. */
const TRIES = 10;
const PAUSE_MS = 200;
/** The flag with which a system opens a file for one process. Linux has none. */
const EXCLUSIVE: { [platform: string]: number } = { darwin: 0x20, win32: 0x10000000 };

/**
 * Ends a program if this process ends, in whatever way: a shell waits for the end of a pipe that only this process has
 * open. Without a shell (a small container), SIGKILL of this process leaves the program running.
 */
export function endTogether(program: ChildProcess, signal: "SIGTERM" | "SIGKILL") {
  const script = `trap '' HUP INT TERM; read -r _; kill -${signal.slice(3)} ${program.pid}`;
  const guard = spawn("sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
  guard.once("error", () => {});
  program.once("exit", () => guard.kill("SIGKILL"));
}

/** Runs a program of Node.js until it ends, or `signal` aborts. `exited` is its exit code; 0 if it was ended so. */
export function runProgram(
  args: readonly string[],
  options: { stdio: StdioOptions; env?: NodeJS.ProcessEnv },
  signal: AbortSignal,
) {
  const program = spawn(process.execPath, args, options);
  endTogether(program, "SIGTERM");
  const end = () => void program.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  const exited = new Promise<number>((done) => {
    program.once("exit", (code, by) => done(code ?? (by === "SIGINT" || by === "SIGTERM" ? 0 : 1)));
  });
  return { exited, end };
}

/**
 * Calls `run` when a person presses Enter in the terminal. Returns a function that ends this. A shell reads, because it
 * can ignore the signal that stops a program in the background when it reads.
 */
export function onEnter(run: () => void) {
  const script = "trap '' TTIN; while read -r _; do echo; done";
  const reader = spawn("sh", ["-c", script], { stdio: ["inherit", "pipe", "ignore"] });
  reader.once("error", () => {});
  reader.stdout.on("data", run);
  return () => void reader.kill("SIGKILL");
}

/** Opens the file. Returns undefined if another process has it. */
function lock(file: string) {
  const flag = EXCLUSIVE[process.platform];
  try {
    const descriptor = openSync(
      file,
      constants.O_RDWR | constants.O_CREAT | (flag === undefined ? 0 : flag | (constants.O_NONBLOCK ?? 0)),
      0o600,
    );
    if (flag !== undefined) return descriptor;
    // The lock is of the opened file, so it remains when `flock` ends, until all processes that share it have ended.
    const { status } = spawnSync("flock", ["-n", "3"], { stdio: ["ignore", "ignore", "ignore", descriptor] });
    if (status !== 0 && status !== 1)
      console.error(`flock (util-linux) cannot lock ${file}, so nothing keeps another server from this data.`);
    if (status !== 1) return descriptor;
    closeSync(descriptor);
  } catch (error) {
    if (!["EAGAIN", "EBUSY"].includes((error as { code: string }).code)) throw error;
  }
  return undefined;
}

/**
 * Creates the folder of a server's data, which only its owner may read, and holds it. Returns a descriptor that the
 * server inherits: the system frees the folder when all processes with this descriptor have ended, in whatever way.
 */
export async function holdFolder(path: string, advice: string) {
  const folder = resolve(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let count = 0; count < TRIES; count++) {
      const descriptor = lock(join(folder, "lock"));
      if (descriptor !== undefined) return descriptor;
      await sleep(PAUSE_MS);
    }
  } catch (error) {
    throw new CommandError(`The folder ${folder} cannot be written: ${(error as Error).message}. ${advice}`);
  }
  throw new CommandError(`Another server uses the data in ${folder}. Stop it, or use another folder.`);
}

/** Returns a port on which nothing listens: this one, or any if it is 0. */
export async function freePort(port: number, host: string) {
  const probe = createServer();
  return new Promise<number>((done, fail) => {
    probe.once("error", ({ code, message }: NodeJS.ErrnoException) =>
      fail(
        code === "EADDRINUSE"
          ? new UsageError(`Port ${port} is in use. Stop the program that uses it, or choose another with --port.`)
          : new CommandError(`It cannot listen at ${authority(host, port)}: ${message}.`),
      ),
    );
    probe.listen(port, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}

/** Returns an address as a URL has it. */
export const authority = (host: string, port: number | string) => `${host.includes(":") ? `[${host}]` : host}:${port}`;
