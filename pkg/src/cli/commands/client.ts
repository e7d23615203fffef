// `resource-edge client`: creates an API client of a deployment.

import { existsSync } from "node:fs";

import { type Command, CommandError, UsageError } from "../command.js";
import { readJson, writeFile } from "../files.js";
import { createClient, type Entry } from "../secrets.js";

/** The characters of an ID that need no quotes in a shell. The service accepts more. */
const ID = /^[\w.-]{1,64}$/;

/** Returns the clients in a file that keeps the value of API_CLIENTS. */
function clientsIn(file: string): Entry[] {
  if (!existsSync(file)) return [];
  const entries = readJson(file);
  if (!Array.isArray(entries)) throw new CommandError(`${file} must be a JSON list: the value of API_CLIENTS.`);
  return entries;
}

export const client: Command = {
  about: "create an API client: its secret, and the value of API_CLIENTS",
  parameters: [{ name: "ID", about: "the name of the client (default: my-client)", isOptional: true }],
  options: {
    project: { value: "NAME", isList: true, about: "a project that it may use; repeat it for several (default: all)" },
    "view-only": { about: "it may read, and not write" },
    file: { value: "FILE", about: "add it to the clients of this file, which keeps the value of API_CLIENTS" },
  },
  more: `The secret is shown once. The value of API_CLIENTS has only hashes of secrets, so you can keep it in a file.
The platform replaces it as a whole: a value without a client removes that client.`,
  async run({ values, parameters: [id = "my-client"], output }) {
    if (!ID.test(id))
      throw new UsageError(`'${id}' is not a name of a client. Use letters, digits, '.', '_', and '-'.`);
    const { project: projects = ["*"], "view-only": viewOnly, file } = values;
    const names = viewOnly ? ["view_test"] : ["manage_test", "view_test"];
    const scopes = projects.flatMap((project: string) => names.map((name) => `${name}:${project}`));
    const others = file === undefined ? [] : clientsIn(file);
    if (others.some((other) => other.id === id)) throw new CommandError(`${file} has a client '${id}' already.`);
    const { secret, entry } = createClient(id, scopes);
    const value = JSON.stringify([...others, entry]);
    if (file !== undefined) await writeFile(file, value);
    const input = file === undefined ? "    # paste the value" : ` <${file}`;
    output.result(
      { id, secret, API_CLIENTS: value },
      `client id      ${id}
client secret  ${secret}
API_CLIENTS    ${value}

To let the service know it:

  npx wrangler secret put API_CLIENTS${input}

To use it in a shell:

  export RESOURCE_EDGE_URL=https://…  RESOURCE_EDGE_CLIENT_ID=${id}  RESOURCE_EDGE_CLIENT_SECRET=…
  npx resource-edge query --count --project ${projects[0] === "*" ? "demo" : projects[0]}`,
    );
  },
};
