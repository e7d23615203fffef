// The status of a project: its size, its pending KV entries, its versions, and its sweep.

import type { Status } from "../pkg/browser.js";
import { button, h } from "../widgets/base/dom.js";
import { failureOf } from "../widgets/base/failure.js";
import { count, duration, size, time } from "../widgets/base/format.js";
import { mark, renew } from "../widgets/base/renew.js";
import type { ViewContext } from "./context.js";

/** A page with the project's status and a button that reloads it. Changes reload it, too. */
export async function statusView({ client, project, follow }: ViewContext) {
  const factsOf = (status: Status) => rows(status).map(([name, value]) => h("div", h("dt", name), h("dd", value)));
  const facts = h("dl", { class: "card details" });
  const show = (status: Status) => renew(facts, h("dl", factsOf(status)), "div");
  const failed = h("p", { class: "field-error", role: "alert" });
  const refresh = button("Refresh", async () => {
    failed.textContent = "";
    try {
      show(await client.status());
    } catch (error) {
      failed.textContent = failureOf(error).message;
    }
  });
  const { status } = await follow({
    read: async (reader, signal) => ({ results: [], status: await reader.status({ signal }) }),
    // No change says that KV has the entries.
    isPending: ({ status }) => status.backlog > 0,
    show: ({ status }) => show(status).forEach(mark),
  });
  show(status);
  const lead = h("p", { class: "muted" }, `The size of ${project}, and the pending work of the service.`);
  return h("div", { class: "stack" }, h("h1", "Status"), lead, facts, failed, h("div", refresh));
}

/** What follows from the state of the database. */
const ROOM = {
  ok: "",
  nearlyFull: " (nearly full)",
  full: " (full: only reads and deletions work)",
};

/** The rows: names with their values. */
function rows(status: Status): [string, string | Node][] {
  const { backlog, backlogAgeMs = 0, isIndexed, lastSweepAt, nextSweepAt } = status;
  const revision = (at: number) => (at === 0 ? "none" : time(new Date(at).toISOString()));
  return [
    ["Resources", count(status.resources)],
    ["Database size", size(status.databaseBytes) + ROOM[status.databaseState]],
    ["Newest write", revision(status.newestRevision)],
    ["Replicated up to", revision(status.replicatedRevision)],
    [
      "Pending KV entries",
      backlog === 0 ? "none" : `${count(backlog)}, the oldest pending for ${duration(backlogAgeMs / 1000)}`,
    ],
    ["Followers of changes", count(status.listeners)],
    ["Last KV sweep", lastSweepAt === undefined ? "none yet" : time(lastSweepAt)],
    ["Next KV sweep", nextSweepAt === undefined ? "none yet" : time(nextSweepAt)],
    ["Index", isIndexed ? "complete" : "is being rebuilt"],
    ["Versions", `tables ${status.tablesVersion}, index ${status.indexVersion}, messages ${status.messageFormat}`],
  ];
}
