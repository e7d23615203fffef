// `resource-edge dev`: serves the project in this folder on this machine, with wrangler.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isatty } from "node:tty";

import { type Command, CommandError, type Input, plural, wholeNumber } from "../command.js";
import { Connection } from "../connection.js";
import { exampleFor } from "../example.js";
import { fileOf, readJson } from "../files.js";
import { load, SEED_PROJECT, seedProject } from "./load.js";
import { freePort, holdFolder, onEnter, runProgram } from "../program.js";
import { RESOURCES, resourcesFile } from "../resources.js";
import { createLocalSecrets, localClient } from "../secrets.js";
import { readResources } from "../shape.js";

/** How long the server may need to become healthy, in milliseconds, and how long it may respond with errors. */
const START_MS = 60_000;
const FAULTY_MS = 5_000;
const PAUSE_MS = 250;
/** How often a wrong resources.json is read again, in milliseconds. */
const RESTART_MS = 1000;

const STATE = ".wrangler/state";
const CONFIGURATIONS = ["wrangler.jsonc", "wrangler.json", "wrangler.toml"];

/** Returns the program of the project's wrangler. Checks that this Node.js can run it. */
function findWrangler(folder: string) {
  let path: string;
  try {
    path = createRequire(join(folder, "package.json")).resolve("wrangler/package.json");
  } catch {
    throw new CommandError("wrangler is not installed in this folder. Run: npm install");
  }
  const { version, bin, engines } = readJson(path);
  const [, major, minor] = (/(\d+)\.(\d+)/.exec(engines?.node ?? "") ?? []).map(Number);
  const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
  if (ownMajor < major || (ownMajor === major && ownMinor < minor))
    throw new CommandError(
      `wrangler ${version} needs Node.js ${major}.${minor} or newer, and this is ${process.version}. ` +
        "Install a newer one (https://nodejs.org), or use `resource-edge mock`, which needs no wrangler.",
    );
  return join(dirname(path), bin.wrangler);
}

/** Returns the resources of this folder, if it has some. */
const localResources = async () => (existsSync(RESOURCES) ? readResources(RESOURCES) : undefined);

/** Returns what is wrong with the resources of this folder; an empty text if nothing is, or if there are none. */
const faultOfResources = () =>
  localResources().then(
    () => "",
    (error: Error) => error.message,
  );

/** Returns the health of a starting service: undefined until it responds, then its error or an empty text. */
async function healthAt(url: string) {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) });
    return response.ok ? "" : (((await response.json()) as any).message as string);
  } catch {
    // Nothing listens yet, or the response is not from the service.
    return undefined;
  }
}

/** Waits until the server is healthy. `hasEnded` is whether it has ended. */
async function waitForHealth(url: string, hasEnded: () => boolean, signal: AbortSignal) {
  let faulty: number | undefined;
  for (const end = Date.now() + START_MS; Date.now() < end; ) {
    if (hasEnded()) throw new CommandError("The local server ended; its output is above.");
    const message = await healthAt(url);
    if (message === "") return;
    // Waiting does not correct a wrong setting.
    if (message !== undefined) faulty ??= Date.now();
    if (message !== undefined && Date.now() - (faulty ?? 0) > FAULTY_MS) throw new CommandError(message);
    await sleep(PAUSE_MS, undefined, { signal });
  }
  throw new CommandError(`The local server did not become healthy on ${url}/health within a minute.`);
}

/** Whether Vite serves a page beside this server. */
const hasVite = () => existsSync("vite.config.ts");

/** Returns how to call the server. */
async function introduction(url: string, tokenCommand: string) {
  const client = localClient();
  const page = existsSync("src/form.html");
  const places = hasVite()
    ? "  App       where Vite serves it   (sign in with the client's secret)\n"
    : `  Console   ${url}/   (sign in with the client's id and secret)\n${page ? `  Page      ${url}/form\n` : ""}`;
  const { project, body, where } = await exampleFor(await localResources());
  const at = project === "demo" ? "" : ` --project ${project}`;
  const create = `curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '${body}' ${url}/${project}/resource
  curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" ${url}/${project}/resource/key=first
  `;
  const signIn = client === undefined ? "your own API client" : `id ${client.id}   secret ${client.secret}`;
  return `
${places}  Client    ${signIn}
  Data      ${STATE}, which remains when Ctrl-C ends the server

  In another shell:

  TOKEN=$(${tokenCommand}${at})
  ${body === undefined ? "" : create}curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" \\
    -G ${url}/${project}/resource --data-urlencode 'where=${where}'
`;
}

/** Loads the seed into its project, if that is empty. */
async function sow(url: string, file: string, input: Input) {
  const { values, output, signal } = input;
  const { project, shape } = await seedProject(values, resourcesFile({}));
  const connection = new Connection(
    { ...input, values: { url, project, "client-id": localClient()?.id } },
    "manage_test",
  );
  const client = await connection.client(shape?.declared);
  const { resources } = await client.status({ signal });
  if (resources > 0) return output.note(`${project} has ${plural(resources, "resource")}, so ${file} is not loaded.`);
  const { counts, stop } = await load(file, file, {
    client,
    shape,
    isKeyless: true,
    from: 0,
    signal,
    refused: ({ line }, { pointer, message }) => output.note(`${file}, line ${line}: ${pointer} ${message}`),
    progress: (line) => output.progress(`${file}: line ${line}`),
  });
  output.note(`Loaded ${plural(counts.created + counts.updated, "resource")} of ${file} into ${project}.`);
  if (stop !== undefined) throw stop.error;
}

/** Runs wrangler until it ends. Returns its exit code. */
async function runServer(wrangler: string, port: number, lock: number, input: Input) {
  const { values, rest, output, signal } = input;
  const url = `http://127.0.0.1:${port}`;
  const address = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  const options = [...address, "--persist-to", STATE, ...rest];
  // Otherwise wrangler reads keys, and requests `request.cf`, which the service does not use, from the network.
  const env = { CLOUDFLARE_CF_FETCH_ENABLED: "false", ...process.env, CI: "1" };
  const { exited, end } = runProgram([wrangler, "dev", ...options], { stdio: ["ignore", 2, 2, lock], env }, signal);
  let hasEnded = false;
  void exited.then(() => (hasEnded = true));
  let ignoreEnter = () => {};
  try {
    await waitForHealth(url, () => hasEnded, signal);
    if (values.seed !== undefined)
      await sow(url, values.seed, input).catch(({ message }) => {
        if (!signal.aborted) output.note(`${values.seed} is not loaded: ${message}`);
      });
    const at = port === 8787 ? "" : ` --url ${url}`;
    const text = await introduction(url, values["token-command"] ?? `npx resource-edge token${at}`);
    output.result({ url }, text);
    // Each request logs a line, so the text is soon far up. The keys of a terminal with Vite are for Vite.
    if (isatty(0) && !output.isJson && !hasVite()) {
      ignoreEnter = onEnter(() => output.note(text));
      output.note("  Enter shows this again.\n");
    }
    return await exited;
  } finally {
    ignoreEnter();
    end();
    await exited;
  }
}

async function runDev(input: Input) {
  const { values, output, signal } = input;
  const wanted = wholeNumber("port", values.port ?? "8787", 65_535);
  if (!CONFIGURATIONS.some((file) => existsSync(file)))
    throw new CommandError(
      `${resolve(".")} has no ${CONFIGURATIONS[0]}. Create a project with: npx resource-edge init`,
    );
  if (values.seed !== undefined) await fileOf(values.seed, signal);
  const wrangler = findWrangler(resolve("."));
  const port = await freePort(wanted, "127.0.0.1");
  let fault = await faultOfResources();
  if (fault !== "") throw new CommandError(fault);
  const lock = await holdFolder(STATE, "");
  if (await createLocalSecrets(".dev.vars")) output.note("Wrote random secrets for this machine to .dev.vars.");
  for (;;) {
    const code = await runServer(wrangler, port, lock, input);
    if (signal.aborted) return 0;
    fault = await faultOfResources();
    if (fault === "") return code;
    // wrangler ends if the Worker does not start: a wrong schema must not end the work on it.
    output.note(`\n${fault}\nCorrect ${RESOURCES}: then the server starts again.`);
    while ((await faultOfResources()) !== "") {
      await sleep(RESTART_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return 0;
    }
  }
}

export const dev: Command = {
  about: "serve the project in this folder on this machine, with wrangler",
  options: {
    port: { value: "PORT", about: "the port (default: 8787); 0 for any free one" },
    seed: { value: "FILE", about: "resources to create if the project has none: a file as for `load`" },
    ...SEED_PROJECT,
    "token-command": { value: "COMMAND", about: "what to print as the command for a token", isHidden: true },
  },
  hasRest: true,
  more: `It writes random secrets to .dev.vars if there are none. The data remains in .wrangler/state. Arguments after
\`--\` go to \`wrangler dev\`: with \`-- --var LOG:all\`, the service logs each request, too, and not only failures.
Files of the Worker and ${RESOURCES} may change while it runs.`,
  run: runDev,
};
