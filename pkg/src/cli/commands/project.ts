// `resource-edge status`, `clear`, and `restore`: a project as a whole.

import { createInterface } from "node:readline/promises";

import { clearPart, restoreTo } from "../../client/project-calls.js";
import { type Command, type Input, plural, UsageError } from "../command.js";
import { Connection, CONNECTION } from "../connection.js";

const YES = { yes: { about: "do not ask" } };

/** Asks a person to type the name of the project. */
async function confirm({ values, signal }: Input, { project, url }: Connection, what: string) {
  if (values.yes) return;
  if (!process.stdin.isTTY) throw new UsageError(`This would ${what}. To confirm it in a script, add --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `This will ${what} at ${url}. Type the name of the project to continue: `;
    if ((await terminal.question(question, { signal })) !== project)
      throw new UsageError("That is not the name of the project. Nothing was changed.");
  } finally {
    terminal.close();
  }
}

const size = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const time = (at: number) => (at === 0 ? "none" : new Date(at).toISOString());

export const status: Command = {
  about: "print the size of a project, and its pending work",
  options: CONNECTION,
  async run(input) {
    const { signal } = input;
    const connection = new Connection(input, "manage_test");
    const found = await (await connection.client()).status({ signal });
    const { databaseBytes, databasePercent, databaseState, backlog, backlogAgeMs = 0 } = found;
    const rows = [
      ["project", `${connection.project} at ${connection.url}`],
      ["resources", found.resources.toLocaleString("en")],
      ["database", `${size(databaseBytes)}, ${databasePercent} % of the largest size (${databaseState})`],
      ["newest write", time(found.newestRevision)],
      ["replicated up to", time(found.replicatedRevision)],
      ["pending KV entries", backlog === 0 ? "none" : `${backlog}, the oldest for ${Math.ceil(backlogAgeMs / 1000)} s`],
      ["last sweep of KV", found.lastSweepAt ?? "none yet"],
      ["index", found.isIndexed ? "complete" : "being rebuilt"],
    ];
    input.output.result(found, rows.map(([name, value]) => `${name.padEnd(20)}${value}`).join("\n"));
  },
};

export const clear: Command = {
  about: "delete everything that a project has",
  options: { ...CONNECTION, ...YES },
  more: `Export the project before: only Cloudflare can undo it, by \`resource-edge restore\`, for 30 days. The last
versions of the IDs remain, so the project accepts no import afterwards.`,
  async run(input) {
    const { signal } = input;
    const connection = new Connection(input, "manage_test");
    const client = await connection.client();
    const { resources } = await client.status({ signal });
    await confirm(input, connection, `delete ${plural(resources, "resource")} of ${connection.project}`);
    let deleted = 0;
    for (;;) {
      const part = await clearPart(client.calls, connection.project, { signal });
      deleted += part.deleted;
      input.output.progress(`${deleted.toLocaleString("en")} of ${plural(deleted + part.remaining, "resource")}`);
      if (part.isDone) break;
    }
    input.output.result({ deleted }, `Deleted ${plural(deleted, "resource")} of ${connection.project}.`);
  },
};

/** Returns the moment that the options name. */
function momentOf({ time, bookmark }: Input["values"]) {
  if ((time === undefined) === (bookmark === undefined)) throw new UsageError("Expected either --time or --bookmark.");
  return time === undefined ? { bookmark } : { time };
}

export const restore: Command = {
  about: "set a project back to a moment of the last 30 days (on Cloudflare only)",
  options: {
    ...CONNECTION,
    time: { value: "TIME", about: "the moment, such as 2026-11-19T08:00:00.000Z" },
    bookmark: { value: "BOOKMARK", about: "instead of a time: what an earlier restore printed, to undo it" },
    ...YES,
  },
  async run(input) {
    const moment = momentOf(input.values);
    const connection = new Connection(input, "manage_test");
    const { calls } = await connection.client();
    await confirm(input, connection, `remove what was written to ${connection.project} after that moment`);
    // A repeat restores the same moment.
    const restored = await restoreTo(calls, connection.project, moment, { signal: input.signal });
    const { url, project } = connection;
    const undo = `resource-edge restore --url ${url} --project ${project} --bookmark ${restored.undo}`;
    input.output.result(restored, `Restored ${connection.project}. To undo it within 30 days:\n\n  ${undo}`);
  },
};
