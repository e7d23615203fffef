// `resource-edge export` and `resource-edge import`: the exact backup of a project.

import { createReadStream, createWriteStream, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { BackupImportError, checkBackup, type Contents, downloadBackup, importBackup } from "../backup/backup.js";
import { BackupError, type FileSource } from "../backup/file-lines.js";
import type { ResourceClient } from "../client/client.js";
import { exportPage, importPart } from "../client/project-calls.js";
import { type Command, CommandError, EXIT, type Input, plural } from "./command.js";
import { Connection, CONNECTION } from "./connection.js";
import { openTarget, temporaryIn } from "./files.js";

/** Writes the pages of an export to standard output. */
const standardOutput = {
  write: (text: string) =>
    new Promise<void>((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve()))),
  async commit() {},
  async discard() {},
};

/** Opens the target of an export. */
const target = ({ out, force }: Input["values"]) =>
  out === undefined
    ? standardOutput
    : openTarget(out, { isPrivate: true, instead: force ? undefined : "Use another --out, or --force." });

/** Writes the pages of the export. Returns the counts, and the position that the export has reached. */
async function download({ calls }: ResourceClient, { values, output, signal }: Input, all: number) {
  const file = await target(values);
  let position: string | undefined;
  try {
    const done = await downloadBackup({
      page: (after) => exportPage(calls, after ?? (values.after || undefined), { signal }),
      async write(text) {
        await file.write(text);
        position = /^{"end":"([^"]*)"/m.exec(text)?.[1] ?? position;
      },
      signal,
      progress: ({ resources }) =>
        output.progress(`${plural(resources, "resource")} of about ${all.toLocaleString("en")}`),
    });
    await file.commit();
    return { ...done, position };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function runExport(input: Input) {
  const { values, output, signal } = input;
  const client = await new Connection(input, "manage_test").client();
  const { resources: all } = await client.status({ signal });
  const done = await download(client, input, all);
  const text = `Exported ${plural(done.resources, "resource")} and ${plural(done.deleted, "deleted ID")}.`;
  if (values.out === undefined) output.note(text);
  else output.result({ ...done, file: values.out }, `${text} File: ${values.out}. Position: ${done.position}`);
}

export const exportProject: Command = {
  about: "save all resources of a project to a file or to standard output",
  options: {
    ...CONNECTION,
    out: { value: "FILE", about: "the file (default: standard output)" },
    force: { about: "replace the file if it exists" },
    after: { value: "POSITION", about: "only what was written after this position, which an earlier export printed" },
  },
  more: `The file has one line of JSON for each resource and for each deleted ID. It has its name only once it is
complete, and only its owner may read it. It is as confidential as the project.`,
  run: runExport,
};

/** Returns a file as the source of an import. */
export const sourceOf = (path: string): FileSource => ({
  slice: (start) => ({
    stream: () => Readable.toWeb(createReadStream(path, { start })) as ReadableStream<Uint8Array>,
  }),
});

/** Returns the path of a file that can be read twice. A pipe is copied into one that only its owner may read. */
export async function fileOf(path: string, signal: AbortSignal) {
  const found = path === "-" ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path !== "-" && found === undefined) throw new CommandError(`There is no file '${path}'.`);
  if (found?.isDirectory()) throw new CommandError(`${path} is a folder. Name a file.`);
  if (found?.isFile()) return path;
  const copy = temporaryIn(tmpdir());
  const input = path === "-" ? process.stdin : createReadStream(path);
  await pipeline(input, createWriteStream(copy, { flags: "wx", mode: 0o600 }), { signal });
  return copy;
}

/** Adds the file and the line to an error about a line. */
export function inFile(error: unknown, file: string) {
  if (error instanceof BackupError) return new CommandError(`${file}, line ${error.line}: ${error.message}`);
  if (!(error instanceof BackupImportError) || error.line === undefined) return (error as Error).cause ?? error;
  return Object.assign(error.cause as Error, { message: `${file}, line ${error.line}: ${error.message}` });
}

/** Sends the lines of a file that the project lacks. */
async function send({ calls }: ResourceClient, path: string, contents: Contents, { output, signal }: Input) {
  let isComplete = false;
  const done = await importBackup(sourceOf(path), {
    contents,
    signal,
    async send(lines) {
      const result = await importPart(calls, lines, { signal });
      ({ isComplete } = result);
      return result;
    },
    progress: ({ imported }) =>
      output.progress(`${imported.toLocaleString("en")} of ${plural(contents.lines, "line")}`),
  });
  return { ...done, isComplete };
}

async function runImport(input: Input) {
  const { output, signal } = input;
  const name = input.parameters[0] as string;
  const connection = new Connection(input, "manage_test");
  const path = await fileOf(name, signal);
  const client = await connection.client();
  const { newestRevision } = await client.status({ signal });
  // A request without lines checks whether the project accepts an import.
  await importPart(client.calls, "", { signal });
  try {
    const progress = (read: number) => output.progress(`Checking the file: ${read.toLocaleString("en")} bytes`);
    const contents = await checkBackup(sourceOf(path), { newestRevision, signal, progress });
    const done = await send(client, path, contents, input);
    const { isComplete } = done;
    // Those of an earlier import of the file, and those that the service found.
    const skipped = contents.imported + done.skipped;
    const imported = done.imported - skipped;
    const before = skipped > 0 ? ` It had ${plural(skipped, "line")} already.` : "";
    output.result(
      { imported, skipped, resources: contents.resources, isComplete },
      `Imported ${plural(imported, "line")} into ${connection.project}.${before}`,
    );
    if (isComplete) return 0;
    output.note("The file has no end, so it is not a complete export, or a part of one.");
    return EXIT.incomplete;
  } catch (error) {
    throw inFile(error, name === "-" ? "standard input" : name);
  }
}

export const importProject: Command = {
  about: "write an export into an empty project, exactly",
  parameters: [{ name: "FILE", about: "the file of an export, or - for standard input" }],
  options: CONNECTION,
  more: `The whole file is checked before anything is sent. It is sent in parts. If the command is interrupted, run it
again: it continues where it stopped. Only imports may have written to the project. \`load\` reads other files.`,
  run: runImport,
};
