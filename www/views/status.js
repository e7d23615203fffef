// The status of a project: its size, its pending KV entries, its versions, and its sweep.

import { h, mount } from "../widgets/dom.js";
import { count, plural, time } from "../widgets/common.js";
import { projectStatus } from "../state/session.js";

/** A page with the project's status and a button that reloads it. */
export async function statusView({ project }) {
  const facts = h("div");
  const show = (status) =>
    mount(
      facts,
      h(
        "dl",
        { class: "card details" },
        rows(status).map(([name, ...value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
      ),
    );
  const again = h("button", { class: "button", type: "button" }, "Refresh");
  const failed = h("p", { class: "field-error", role: "alert" });
  again.addEventListener("click", async () => {
    failed.textContent = "";
    try {
      show(await projectStatus());
    } catch (error) {
      failed.textContent = error.message;
    }
  });
  show(await projectStatus());
  const lead = h("p", { class: "muted" }, `What the database of ${project} holds, and what waits for KV.`);
  return h("div", { class: "stack" }, h("h1", {}, "Status"), lead, facts, failed, h("div", {}, again));
}

/** The rows: names with their values. */
function rows(status) {
  const { backlog, backlogAgeMs, isIndexed, lastSweepAt, nextSweepAt } = status;
  const revision = (at) => (at === 0 ? "none" : time(new Date(at).toISOString()));
  return [
    ["Resources", count(status.resources)],
    ["Database", bytes(status.databaseBytes)],
    ["Newest write", revision(status.newestRevision)],
    ["In KV up to", revision(status.replicatedRevision)],
    [
      "Waits for KV",
      backlog === 0 ? "nothing" : `${plural(backlog, "entry", "entries")}, the oldest for ${duration(backlogAgeMs)}`,
    ],
    ["Last sweep of KV", lastSweepAt === undefined ? "none yet" : time(lastSweepAt)],
    ["Next sweep of KV", nextSweepAt === undefined ? "after the first write" : time(nextSweepAt)],
    ["Index", isIndexed ? "complete" : "is being rebuilt"],
    ["Versions", `tables ${status.tablesVersion}, index ${status.indexVersion}, messages ${status.messageFormat}`],
  ];
}

const UNITS = ["bytes", "KiB", "MiB", "GiB"];

/** 12.3 MiB */
function bytes(number) {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(number, 1)) / 10));
  return `${count(Math.round((number / 1024 ** unit) * 10) / 10)} ${UNITS[unit]}`;
}

const duration = (ms) =>
  ms < 60_000 ? plural(Math.ceil(ms / 1000), "second") : plural(Math.round(ms / 60_000), "minute");
