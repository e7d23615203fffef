// `resource-edge serve`: serves the Worker on plain workerd, without Cloudflare.

import type { Command } from "../command.js";
import { RESOURCES_OPTION, resourcesFile } from "../resources.js";
import { readResources } from "../shape.js";

/** The program, which a service manager may also start itself. It checks its arguments and the settings. */
const PROGRAM = new URL("../../worker/self-hosted/serve.mjs", import.meta.url);

export const serve: Command = {
  about: "serve the Worker on a machine of yours, without Cloudflare",
  options: {
    host: { value: "ADDRESS", about: "the address to listen on (default: 127.0.0.1)" },
    port: { value: "PORT", about: "the port (default: 8787)" },
    ...RESOURCES_OPTION,
    data: { value: "DIR", about: "the folder of the data (default: .workerd)" },
  },
  more: `It runs workerd, which wrangler has installed, and only one server at a time may use the folder of the data.
The settings are variables of the environment: TOKEN_SECRET and API_CLIENTS, for example. Its log is on standard
output.`,
  async run({ values }) {
    const resources = resourcesFile(values);
    if (resources !== undefined) await readResources(resources);
    const given = Object.entries({ host: values.host, port: values.port, resources, data: values.data });
    const args = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
    process.argv.splice(2, process.argv.length, ...args);
    await import(PROGRAM.href);
    // It ends this process when workerd ends.
    await new Promise(() => {});
  },
};
