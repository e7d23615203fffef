// A program that a test starts, with the programs that it starts itself.

import { spawn } from "node:child_process";
import { later } from "./waiting.mjs";

/** The groups to end when this process ends. */
const running = new Set();
process.once("exit", () => {
  for (const group of running) group.end("SIGKILL");
});

/**
 * Starts a program in its own process group. `output` is what it has printed. `end` sends a signal to the whole group,
 * Ctrl-C by default, and resolves like `exited` with the exit code. `printed` resolves with the match of a pattern in
 * the output, or with `undefined` if the program ends before.
 * @param {string} file
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export function startGroup(file, args, options) {
  const child = spawn(file, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const exited = new Promise((resolve) => child.once("exit", resolve)).then(async (code) => {
    // The rest of the output. A program of the group may keep it open.
    await Promise.race([closed, later(1_000)]);
    running.delete(group);
    return code;
  });
  const group = {
    pid: child.pid,
    output: "",
    exited,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    /** @param {NodeJS.Signals} signal */
    end(signal = "SIGINT") {
      try {
        process.kill(-child.pid, signal);
      } catch (error) {
        if (error.code !== "ESRCH") throw error;
      }
      return exited;
    },
    /** @param {RegExp} pattern */
    printed: (pattern) =>
      new Promise((resolve) => {
        const look = () => pattern.test(group.output) && resolve(pattern.exec(group.output));
        for (const stream of [child.stdout, child.stderr]) stream.on("data", look);
        exited.then(() => resolve(undefined));
        look();
      }),
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      group.output += text;
    });
  }
  running.add(group);
  return group;
}
