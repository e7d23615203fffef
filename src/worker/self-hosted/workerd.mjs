// The configuration of plain workerd, without wrangler: for serve.ts, and for tests and benchmarks. wrangler.toml says
// what the Worker has.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** @typedef {{ [name: string]: string | { contents: string } }} Modules the path or the contents, the main one first */
/** @typedef {{ [binding: string]: string }} Objects the classes of objects */
/** @typedef {{ [name: string]: { [kind: string]: string } }} Bindings */
/** @typedef {{ modules: Modules, bindings?: Bindings, objects?: Objects }} Worker */
/** @typedef {{ [name: string]: Worker | string }} Services Workers, or the declarations of others */

/**
 * Reads what the Worker has on its platform: the compatibility date, the paths that are no files, the bindings of KV
 * and of the files, and its objects.
 * @param {string} file wrangler.toml
 * @returns {{ date: string, workerFirst: string[], kv: string, assets: string, objects: Objects }}
 */
export function readPlatform(file) {
  const tables = readFileSync(file, "utf8").split(/^(?=\[)/m);
  const values = (name = "", heading = "") => {
    const lines = tables.filter((table) => table.startsWith(heading)).flatMap((table) => table.split("\n"));
    const found = lines.filter((line) => line.startsWith(`${name} = `)).map((line) => line.slice(name.length + 3));
    try {
      return JSON.parse(found.length > 0 ? `[${found}]` : "");
    } catch (cause) {
      throw new Error(`wrangler.toml must have JSON in a line that begins with: ${name} =`, { cause });
    }
  };
  const objects = "[[durable_objects.bindings]]";
  const classes = values("class_name", objects);
  return {
    date: values("compatibility_date")[0],
    workerFirst: values("run_worker_first")[0],
    kv: values("binding", "[[kv_namespaces]]")[0],
    assets: values("binding", "[assets]")[0],
    objects: Object.fromEntries(
      values("name", objects).map((/** @type {string} */ name, at = 0) => [name, classes[at]]),
    ),
  };
}

/**
 * Returns the modules of a bundle, the main one first.
 * @param {string} main
 * @returns {Modules}
 */
export function bundle(main) {
  const folder = dirname(main);
  const wasm = existsSync(main) ? readdirSync(folder).filter((name) => name.endsWith(".wasm")) : [];
  if (wasm.length === 0) throw new Error(`There is no Worker in ${folder}. Run: make build`);
  return Object.fromEntries([basename(main), ...wasm].map((name) => [name, join(folder, name)]));
}

/**
 * Returns the modules of a Worker with resources, around those of the bundle.
 * @param {Modules} modules
 * @param {string} resources the content of resources.json, as `JSON.stringify` writes it
 * @returns {Modules}
 */
export function withResources(modules, resources) {
  const main = JSON.stringify(`./${Object.keys(modules)[0]}`);
  const contents = `import { setResources } from ${main};
export * from ${main};
export default setResources(${JSON.stringify(resources)});
`;
  return { "with-resources.mjs": { contents }, ...modules };
}

/** @param {string} text */
const quote = (text) => JSON.stringify(text);
/** @param {string[]} items */
const list = (items) => `[${items.join(", ")}]`;

/**
 * Writes config.capnp into the folder, and the modules that it embeds. The data of the objects are in `state` there.
 * @param {string} folder
 * @param {string} date the compatibility date
 * @param {Services} services
 * @param {{ [name: string]: { address: string, service: string } }} sockets
 */
export function configure(folder, date, services, sockets) {
  for (const name of ["modules", "state"]) mkdirSync(join(folder, name), { recursive: true });
  /** @param {[name: string, source: Modules[string]]} module */
  const embed = ([name, source]) => {
    const file = `modules/${name.replaceAll("/", "-")}`;
    if (typeof source === "string") copyFileSync(source, join(folder, file));
    else writeFileSync(join(folder, file), source.contents);
    return `(name = ${quote(name)}, ${name.endsWith(".wasm") ? "wasm" : "esModule"} = embed ${quote(file)})`;
  };
  /** @param {Worker} worker */
  const declare = ({ modules, bindings = {}, objects = {} }) => {
    const bound = Object.entries(bindings).flatMap(([name, kinds]) =>
      Object.entries(kinds).map(([kind, value]) => `(name = ${quote(name)}, ${kind} = ${quote(value)})`),
    );
    for (const [name, className] of Object.entries(objects))
      bound.push(`(name = ${quote(name)}, durableObjectNamespace = ${quote(className)})`);
    const namespaces = Object.values(objects).map(
      (name) => `(className = ${quote(name)}, uniqueKey = ${quote(`resource-edge-${name}`)}, enableSql = true)`,
    );
    return `worker = (
      modules = ${list(Object.entries(modules).map(embed))},
      compatibilityDate = ${quote(date)},
      bindings = ${list(bound)},
      durableObjectNamespaces = ${list(namespaces)},
      durableObjectStorage = (localDisk = "state"))`;
  };
  const declared = Object.entries(services).map(
    ([name, service]) => `(name = ${quote(name)}, ${typeof service === "string" ? service : declare(service)}),`,
  );
  const listening = Object.entries(sockets).map(
    ([name, { address, service }]) =>
      `(name = ${quote(name)}, address = ${quote(address)}, http = (), service = ${quote(service)})`,
  );
  const text = `# workerd reads a value that is fromEnvironment when it starts, so this file does not have it.
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${declared.join("\n    ")}
    (name = "state", disk = (path = ${quote(join(folder, "state"))}, writable = true)),
  ],
  sockets = ${list(listening)});
`;
  writeFileSync(join(folder, "config.capnp"), text);
}

/** The arguments with which workerd runs the configuration in its folder. It reports its sockets at descriptor 3. */
export const ARGUMENTS = ["serve", "config.capnp", "config", "--control-fd=3"];
