// The generators of clients, and the only place of their versions. Each creates `api` in a new project from the OpenAPI
// document, and its program uses that. `notes` is what a user has to know, in the guide's table.
//
//   packages  what the project installs, besides TypeScript; from PyPI if the program is in Python
//   config    the configuration of the generator: the file's name and content
//   command   generates the client
//   files     what the program uses, in this folder; the first is the program

/** Returns the row of a generator in the guide. */
export function rowOf({ name, packages, command, notes }, outcome) {
  const versions = [...new Set(Object.values(packages))].join(", ");
  return `| ${name} | ${versions} | ${outcome} | \`${command}\` | ${notes} |\n`;
}

/** Returns the packages, which have one version. */
const all = (version, names) => Object.fromEntries(names.map((name) => [name, version]));

export const generators = [
  {
    name: "hey-api",
    packages: { "@hey-api/openapi-ts": "0.99.0" },
    command: "openapi-ts -i openapi.json -o api",
    files: ["hey-api.ts"],
    notes: "Its own files do not compile with `exactOptionalPropertyTypes`.",
  },
  {
    name: "openapi-typescript with openapi-fetch",
    packages: { "openapi-typescript": "7.13.0", "openapi-fetch": "0.17.0" },
    command: "openapi-typescript openapi.json -o api/schema.ts",
    files: ["openapi-fetch.ts", "to-query.ts"],
    notes: "`createClient<paths>({ querySerializer: toQuery })`",
  },
  {
    name: "orval with fetch",
    packages: { orval: "8.38.0" },
    config: [
      "orval.config.mjs",
      `export default {
  api: {
    input: "openapi.json",
    output: {
      target: "api/fetch.ts",
      client: "fetch",
      baseUrl: { runtime: "process.env.SERVICE" },
      override: { paramsSerializer: { path: "to-query.ts", name: "toQuery" } },
    },
  },
};
`,
    ],
    command: "orval --config orval.config.mjs",
    files: ["orval-fetch.ts", "to-query.ts"],
    notes: "`paramsSerializer` in the configuration below",
  },
  {
    name: "orval with axios",
    packages: { orval: "8.38.0", axios: "1.21.1" },
    command: "orval --input openapi.json --output api/axios.ts --client axios-functions",
    files: ["orval-axios.ts", "to-query.ts"],
    notes: "`axios.defaults.paramsSerializer = toQuery`",
  },
  {
    name: "kubb",
    packages: all(
      "4.39.3",
      ["cli", "core", "plugin-oas", "plugin-ts", "plugin-client"].map((part) => `@kubb/${part}`),
    ),
    config: [
      "kubb.config.mjs",
      `import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

export default defineConfig({
  input: { path: "openapi.json" },
  output: { path: "api", extension: { ".ts": "" } },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ importPath: "../../kubb-client" })],
});
`,
    ],
    command: "kubb generate --config kubb.config.mjs",
    files: ["kubb.ts", "kubb-client.ts", "to-query.ts"],
    notes: "`importPath` in the configuration below: its own module joins a repeated parameter by commas.",
  },
  {
    name: "openapi-python-client",
    packages: { "openapi-python-client": "0.29.1" },
    command: "openapi-python-client generate --path openapi.json --meta none --output-path api",
    files: ["python_client.py"],
    notes: "It leaves out `query` and `exists`, which have a parameter of JSON. Use `querySorted`.",
  },
];
