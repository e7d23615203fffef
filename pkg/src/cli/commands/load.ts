// `resource-edge load`: creates or updates the resources of a file. `dev` and `mock` read their seeds with it.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

import type { ResourceClient } from "../../client/client.js";
import type { ResourceError } from "../../client/errors.js";
import type { ResourceDraft } from "../../generated/bodies.js";
import { itemsOf } from "../../items/items.js";
import type { Item } from "../../items/json.js";
import { type Command, CommandError, EXIT, type Input, plural, wholeNumber } from "../command.js";
import { Connection, CONNECTION } from "../connection.js";
import { exampleFor } from "../example.js";
import { fileOf, placeOf, sourceOf } from "../files.js";
import { RESOURCES, RESOURCES_OPTION, resourcesFile } from "../resources.js";
import { type Problem, refusalOf } from "./rewrite.js";
import { isSystem, readResources, resourceOf, type Shape, shapeOf } from "../shape.js";

/** How many bodies are sent at the same time. */
const PARALLEL = 16;

/** An item of a file, with its body or what is wrong with it. */
interface Row extends Item {
  readonly body?: ResourceDraft;
  readonly problems: readonly Problem[];
}

export const SEED_PROJECT = {
  project: { value: "NAME", about: `the project of --seed (default: the first of ${RESOURCES}, or demo)` },
};

/** Returns the project of a seed, and its declared resource; without one, it has that of the interface. */
export async function seedProject({ project: chosen }: Input["values"], file: string | undefined) {
  const content = file === undefined ? undefined : await readResources(file);
  const project: string = chosen ?? (await exampleFor(content)).project;
  const isDeclared = content !== undefined && resourceOf(content, project) !== undefined;
  return { project, shape: isDeclared ? await shapeOf(file, project) : undefined };
}

/** Says of an issue where in the file the JSON is wrong. */
function inFile({ pointer, message, line, column = 1 }: Problem & { line?: number; column?: number }, item: Item) {
  const place = `line ${item.line + (line ?? 1) - 1}, column ${line === 1 ? item.column + column - 1 : column}`;
  return { pointer, message: line === undefined ? message : message.replace(/line \d+, column \d+/, place) };
}

/** Yields the bodies of a file. The versions that they have are left out. */
async function* rowsOf(name: string, path: string, shape: Shape | undefined, signal: AbortSignal): AsyncGenerator<Row> {
  // Only here: the help of the commands needs no WebAssembly.
  const { validate } = await import("../../node.js");
  const { columnsOf } = await import("../../items/columns.js");
  const verdict = (body: unknown) => shape?.declared.validate("draft", body) ?? validate("resourceDraft", body);
  try {
    for await (const { items } of itemsOf(sourceOf(path), name, columnsOf(shape?.schema, isSystem), signal)) {
      for (const item of items) {
        let result = verdict(item.text);
        // A body with a version need not be whole (D38).
        if (result.valid && result.value.version !== undefined) {
          const { version, ...body } = result.value;
          result = verdict(body);
        }
        if (result.valid) yield { ...item, body: result.value, problems: [] };
        else yield { ...item, problems: result.issues.map((issue) => inFile(issue, item)) };
      }
    }
  } catch (error) {
    throw error instanceof SyntaxError ? new CommandError(`${placeOf(name)}: ${error.message}`) : error;
  }
}

/** Returns the bodies of a file, of which all have to be valid. */
export async function bodiesOf(name: string, shape: Shape | undefined, signal: AbortSignal) {
  const bodies = [];
  for await (const { line, body, problems } of rowsOf(name, await fileOf(name, signal), shape, signal)) {
    const [problem] = problems;
    if (problem !== undefined) throw new CommandError(`${placeOf(name)}, line ${line}: ${problem.message}`);
    bodies.push(body as ResourceDraft);
  }
  return bodies;
}

const KEYLESS: Problem = {
  pointer: "/key",
  message: "It has no key, so a second run would create it again. Add a key, or --keyless.",
};

/** How a file is loaded. Without a client, it is only validated. */
interface Loading {
  readonly client: ResourceClient | undefined;
  readonly shape: Shape | undefined;
  readonly isKeyless: boolean;
  /** The first line that is loaded. */
  readonly from: number;
  readonly signal: AbortSignal;
  refused(row: Row, problem: Problem): void;
  progress(line: number): void;
}

/** The calls that have not ended, in the order of the file. */
class OpenCalls {
  readonly #open = new Map<Row, { readonly names: readonly string[]; readonly ended: Promise<void> }>();
  error: unknown;

  /** Starts a call, once there is room, and once those about the same resource have ended. */
  async add(row: Row, { id, key }: ResourceDraft, call: () => Promise<void>) {
    const names = [`id ${id}`, `key ${key}`].filter((_, at) => [id, key][at] != null);
    const isOpen = (name: string) => [...this.#open.values()].some((other) => other.names.includes(name));
    if (names.some(isOpen)) await this.ended();
    if (this.error !== undefined) return;
    const ended = call().then(
      () => void this.#open.delete(row),
      (error) => {
        this.error ??= error;
      },
    );
    this.#open.set(row, { names, ended });
    if (this.#open.size >= PARALLEL) await Promise.race([...this.#open.values()].map(({ ended }) => ended));
  }

  ended() {
    return Promise.all([...this.#open.values()].map(({ ended }) => ended));
  }

  /** The first line that was not performed. */
  get line() {
    return this.#open.keys().next().value?.line;
  }
}

/** Loads a file. `stop` is why it ended before its end, and the line with which to continue. */
export async function load(name: string, path: string, { client, shape, isKeyless, from, signal, ...on }: Loading) {
  const counts = { resources: 0, created: 0, updated: 0, refused: 0 };
  const refuse = (row: Row, problems: readonly Problem[]) => {
    counts.refused += 1;
    for (const problem of problems) on.refused(row, problem);
  };
  const send = async (client: ResourceClient, row: Row, body: ResourceDraft) => {
    let isNew = false;
    // A repeat creates nothing for a day.
    const idempotencyKey = createHash("sha256").update(`${row.number} ${row.text}`).digest("hex");
    try {
      await client.createOrUpdate(body, {
        signal,
        ...(body.id == null && body.key == null && { idempotencyKey }),
        onResponse: ({ status }) => {
          isNew = status === 201;
        },
      });
      counts[isNew ? "created" : "updated"] += 1;
    } catch (error) {
      refuse(row, refusalOf(error as ResourceError, shape?.file));
    }
  };
  const calls = new OpenCalls();
  let last = from;
  try {
    for await (const row of rowsOf(name, path, shape, signal)) {
      if (row.line < from) continue;
      on.progress((last = row.line));
      counts.resources += 1;
      const { body, problems } = row;
      if (body === undefined) refuse(row, problems);
      else if (body.id == null && body.key == null && !isKeyless) refuse(row, [KEYLESS]);
      else if (client !== undefined) await calls.add(row, body, () => send(client, row, body));
      if (calls.error !== undefined) break;
    }
  } catch (error) {
    calls.error ??= error;
  }
  await calls.ended();
  return { counts, stop: calls.error === undefined ? undefined : { error: calls.error, line: calls.line ?? last } };
}

/** Returns how many lines a file has. */
async function linesIn(path: string) {
  let lines = 1;
  for await (const piece of createReadStream(path)) for (const byte of piece) lines += Number(byte === 10);
  return lines;
}

async function runLoad(input: Input) {
  const { values, output, signal } = input;
  const [name = "-"] = input.parameters;
  const isDry = values["dry-run"] === true;
  const from = values.from === undefined ? 0 : wholeNumber("from", values.from);
  const connection = new Connection(input, "manage_test");
  const file = resourcesFile(values);
  const shape = file === undefined ? undefined : await shapeOf(file, connection.project);
  const path = await fileOf(name, signal);
  const client = isDry ? undefined : await connection.client(shape?.declared);
  const lines = await linesIn(path);
  const { counts, stop } = await load(name, path, {
    client,
    shape,
    isKeyless: values.keyless === true,
    from,
    signal,
    refused({ line, body: { id, key } = {} }, { pointer, message }) {
      const text = [`line ${line}`, pointer, message].filter((part) => part !== "").join("  ");
      output.result({ type: "refused", line, id, key, pointer, message }, text);
    },
    progress: (line) => output.progress(`Line ${line.toLocaleString("en")} of ${lines.toLocaleString("en")}`),
  });
  const { resources, created, updated, refused } = counts;
  if (stop !== undefined) {
    const done = plural(created + updated, "resource");
    if (!isDry) output.note(`Loaded ${done} so far. To continue, run it again with --from ${stop.line}.`);
    throw stop.error;
  }
  if (refused > 0 && file === undefined)
    output.note(
      `This folder has no ${RESOURCES}. If the project has a resource of yours, name the file by --resources.`,
    );
  const done = `${(resources - refused).toLocaleString("en")} of ${plural(resources, "resource")}`;
  const of = `${created.toLocaleString("en")} created, ${updated.toLocaleString("en")} updated`;
  output.result(
    { type: "summary", dryRun: isDry, ...counts },
    isDry ? `Would load ${done}.` : `Loaded ${done}: ${of}.`,
  );
  return refused > 0 ? EXIT.failed : 0;
}

export const loadFile: Command = {
  about: "create or update resources from a file: CSV, a JSON array, or lines of JSON",
  parameters: [{ name: "FILE", about: "the file, or - for standard input" }],
  options: {
    ...CONNECTION,
    ...RESOURCES_OPTION,
    "dry-run": { about: "validate the file on this machine, and send nothing" },
    keyless: { about: "accept resources without `key` and `id`: each is created" },
    from: { value: "LINE", about: "begin at this line, which an interrupted run has printed" },
  },
  more: `A resource is found by its id, or by its key, and gets what the file has; otherwise it is created. Versions in
the file are ignored. What a rule or the service refuses is listed with its line, its place, and the reason, and the
rest is loaded; the exit code is 1 then. The command may run again at any time: it creates no resource twice. With
--keyless that holds for a day, and for the same lines.

The first row of CSV has the names of fields, such as size.width. The cells are separated by commas, semicolons, or
tabs, and the items of a list by |. An empty cell is an absent field. Standard input that begins with neither [ nor {
is CSV.`,
  run: runLoad,
};
