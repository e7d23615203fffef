// A program that a command runs until it ends.

import { spawn, type StdioOptions } from "node:child_process";

/**
 * Runs a program of Node.js. Ctrl-C and SIGTERM end it, as `end` does. `exited` is its exit code: 0 if it was ended so,
 * and 1 if another signal has ended it.
 */
export function runProgram(
  args: readonly string[],
  options: { stdio: StdioOptions; env?: NodeJS.ProcessEnv },
  signal: AbortSignal,
) {
  const program = spawn(process.execPath, args, options);
  const end = () => void program.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  process.once("SIGTERM", end);
  const exited = new Promise<number>((done) => {
    program.once("exit", (code, by) => {
      process.removeListener("SIGTERM", end);
      done(code ?? (by === "SIGINT" || by === "SIGTERM" ? 0 : 1));
    });
  });
  return { exited, end };
}
