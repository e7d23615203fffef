// Starts the service, and Vite with the page, which passes requests on to the service. Ctrl-C ends both.
import { spawn } from "node:child_process";

const port = process.env.SERVICE_PORT ?? "8787";
const start = (program, ...args) =>
  spawn(program, args, { stdio: "inherit", shell: process.platform === "win32" }).on("exit", (code) => {
    for (const other of started) other.kill();
    process.exitCode ??= code ?? 1;
  });
const started = [start("resource-edge", "dev", "--port", port), start("vite", ...process.argv.slice(2))];
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => started.map((one) => one.kill(signal)));
