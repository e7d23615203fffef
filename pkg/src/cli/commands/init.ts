// `resource-edge init`: writes a project: a Worker with a page, its configuration for wrangler, and secrets for this
// machine. The files are in the folders of `template` in the package.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { type Command, CommandError, UsageError } from "../command.js";
import { isPresent, readJson, writeFile } from "../files.js";
import { RESOURCES } from "../resources.js";
import { createLocalSecrets } from "../secrets.js";
import { DECLARATIONS, MODULE, moduleOf } from "./types.js";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
/** The folders with the files of each template. */
const TEMPLATES = new Map([
  ["worker", ["shared", "worker"]],
  ["react", ["shared", "react"]],
]);
const MANIFEST = "package.json";
const SECRETS = ".dev.vars";
const NAME = "resource-edge";
/** npm publishes no file with the name `.gitignore`, so those with a dot have none in the template. */
const DOTTED = ["gitignore", "dev.vars.example"];

/** Returns the texts of the files in a folder of the package, by their paths. */
function textsIn(folder: string): [path: string, text: string][] {
  const root = join(PACKAGE, "template", folder);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  return paths
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => [DOTTED.includes(path) ? `.${path}` : path, readFileSync(join(root, path), "utf8")]);
}

/** Returns the files of a template, by their paths in a project, and the module of its resources. */
async function template(folders: readonly string[]) {
  const texts: { [path: string]: string } = Object.fromEntries(folders.flatMap(textsIn));
  const { module, declarations } = await moduleOf(RESOURCES, JSON.parse(texts[RESOURCES] ?? ""));
  return { ...texts, [MODULE]: module, [DECLARATIONS]: declarations };
}

/** Returns a folder and those around it. */
const around = (folder: string): string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...around(dirname(folder))];

/**
 * Returns what the package.json of a new project names as this package: what it has been installed from, as the
 * package.json beside `node_modules` says, or the nearest around this folder, or else its version.
 */
function dependencyFor(folder: string) {
  const beside = basename(dirname(PACKAGE)) === "node_modules" ? [resolve(PACKAGE, "../..")] : [];
  for (const other of [...beside, ...around(resolve("."))]) {
    const spec = dependencyIn(ownManifest(other));
    const [, kind, path] = /^(file:|link:|portal:)(.*)$/.exec(spec ?? "") ?? [];
    if (path !== undefined) return kind + relative(folder, resolve(other, path)).replaceAll("\\", "/");
    if (spec !== undefined) return spec;
  }
  return `^${readJson(join(PACKAGE, MANIFEST)).version}`;
}

const dependencyIn = ({ dependencies, devDependencies }: any): string | undefined =>
  dependencies?.[NAME] ?? devDependencies?.[NAME];

/** Returns a name that a Worker and an npm package may have. */
function nameOf(folder: string) {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name.slice(0, 63) || "resource-edge-service";
}

/** Returns the package.json of a folder, if it has one. */
const ownManifest = (folder: string) => {
  const path = join(folder, MANIFEST);
  return existsSync(path) ? readJson(path) : {};
};

/** Returns the project's package.json: that of the template with the members that the folder's has. */
function manifestOf(folder: string, text: string, { name, dependency }: { name: string; dependency: string }) {
  const made = JSON.parse(text);
  const own = ownManifest(folder);
  const all = { name, ...made, ...own };
  for (const member of ["scripts", "dependencies", "devDependencies"])
    all[member] = { ...made[member], ...own[member] };
  if (dependencyIn(own) === undefined) all.dependencies[NAME] = dependency;
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** Writes a project into a folder. Changes nothing if a file is there already. */
async function writeProject(folder: string, folders: readonly string[], dependency: string) {
  const name = nameOf(folder);
  const files = Object.entries(await template(folders)).map(([path, text]) => {
    const filled = text.replaceAll("{name}", name);
    return [path, path === MANIFEST ? manifestOf(folder, filled, { name, dependency }) : filled];
  });
  // A link to nothing would be followed.
  const isKept = (path: string) => [MANIFEST, SECRETS].includes(path) && existsSync(join(folder, path));
  const written = [...files.map(([path]) => path), SECRETS];
  const present = written.filter((path) => isPresent(join(folder, path)) && !isKept(path));
  if (present.length > 0)
    throw new CommandError(
      `${folder} has these files already: ${present.join(", ")}. Name another folder: npx resource-edge init DIR`,
    );
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await createLocalSecrets(join(folder, SECRETS));
  return { folder, name, files: written.sort() };
}

/** Returns a path as a shell reads it. */
const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

export const init: Command = {
  about: "write a new project: the service as a Worker of yours, for wrangler",
  parameters: [{ name: "DIR", about: "its folder (default: this one)", isOptional: true }],
  options: {
    template: {
      value: "NAME",
      about: "worker (default): with an example page; react: with an app for Vite, in React and TypeScript",
    },
    package: {
      value: "SPEC",
      about: "what package.json names as resource-edge, such as file:../resource-edge-0.1.0.tgz",
    },
  },
  more: `A folder with a package.json keeps what it says. By default, the project gets the package from where npm has
installed this one.`,
  async run({ values, parameters: [path = "."], output }) {
    if (path === "") throw new UsageError("DIR is empty.");
    const folders = TEMPLATES.get(values.template ?? "worker");
    if (folders === undefined) {
      const expected = [...TEMPLATES.keys()].join(" or ");
      throw new UsageError(`There is no template '${values.template}'. Expected ${expected}.`);
    }
    const folder = resolve(path);
    if (existsSync(folder) && !statSync(folder).isDirectory()) throw new CommandError(`'${path}' is not a folder.`);
    const done = await writeProject(folder, folders, values.package ?? dependencyFor(folder));
    const enter = folder === resolve(".") ? [] : [`  cd ${quoted(path)}`];
    const steps = [...enter, "  npm install", "  npm run dev"].join("\n");
    const text = `Wrote ${done.files.join(", ")} to ${folder}.\n\nNext:\n\n${steps}\n\nThen see README.md there.`;
    output.result(done, text);
  },
};
