// `resource-edge serve`: serves the Worker on plain workerd, without Cloudflare.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { type Command, CommandError } from "./command.js";
import { runProgram } from "./program.js";
import { FIELDS_OPTION, fieldsFile, readFields } from "./types.js";

/** The program, which a service manager may also start itself. It checks its arguments and the settings. */
const PROGRAM = fileURLToPath(new URL("../worker/self-hosted/serve.mjs", import.meta.url));

export const serve: Command = {
  about: "serve the Worker on a machine of yours, without Cloudflare",
  options: {
    host: { value: "ADDRESS", about: "the address to listen on (default: 127.0.0.1)" },
    port: { value: "PORT", about: "the port (default: 8787)" },
    ...FIELDS_OPTION,
    data: { value: "DIR", about: "the folder of the data (default: .workerd)" },
  },
  more: `It is one process, of workerd, which wrangler has installed. The settings are variables of the environment:
TOKEN_SECRET and API_CLIENTS, for example. Its log is on standard output.`,
  async run({ values, signal }) {
    try {
      createRequire(PROGRAM).resolve("workerd");
    } catch {
      throw new CommandError("workerd is not installed in this folder. Run: npm install workerd");
    }
    const fields = fieldsFile(values.fields);
    if (fields !== undefined) await readFields(fields);
    const given = Object.entries({ host: values.host, port: values.port, fields, data: values.data });
    const args = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
    return runProgram([PROGRAM, ...args], { stdio: "inherit" }, signal).exited;
  },
};
