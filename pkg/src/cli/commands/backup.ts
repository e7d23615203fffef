// `resource-edge export` and `resource-edge import`: the exact backup of a project.

import { checkBackup, type Contents, downloadBackup, importBackup } from "../../backup/backup.js";
import type { ResourceClient } from "../../client/client.js";
import { exportPage, importPart } from "../../client/project-calls.js";
import { type Command, EXIT, type Input, plural } from "../command.js";
import { Connection, CONNECTION } from "../connection.js";
import { fileOf, openTarget, sourceOf } from "../files.js";
import { inFile } from "../stored.js";

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
    throw inFile(error, name);
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
