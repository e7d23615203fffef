// What a proof says before and after: its plan with its cost, and its report as Markdown.

import { table } from "./service.mjs";

/**
 * The prices of a million in dollars, from the guide: a request to the Worker with its processor time,
 * a request to an object, a written row, a put to KV, and a read of KV.
 */
const PRICES = { worker: 0.32, object: 0.15, row: 1, put: 5, read: 0.5 };
/** The rows and puts of a write, at most: the creation of a small resource with a key. */
const ROWS = 19;
const PUTS = 2;
/** The writes and other requests in a minute, at most. The deletion at the end writes as much again. */
const WRITES_A_MINUTE = 1_200;
const REQUESTS_A_MINUTE = 3_000;
/** The most problems of a point in the report. */
const PROBLEMS = 20;

/** Returns the most that requests cost, in dollars: every write is a large one, and is deleted. */
export function costOf({ requests, writes }) {
  const { worker, object, row, put, read } = PRICES;
  return (requests * (worker + object + 2 * read) + 2 * writes * (ROWS * row + PUTS * put)) / 1e6;
}

/** Returns the most minutes that a run takes. */
export const minutesOf = (minutes, points, graceMs, clearMs) =>
  Math.ceil(minutes + (points * graceMs + clearMs) / 60_000);

const dollars = (amount) => (amount < 0.01 ? "less than $0.01" : `at most $${amount.toFixed(2)}`);

/** Returns the plan. */
export function planOf({ url, minutes, most, points, run }) {
  const writes = WRITES_A_MINUTE * minutes;
  const cost = costOf({ requests: REQUESTS_A_MINUTE * minutes + writes, writes });
  const lines = [
    `This tries the service at ${url}:`,
    ...points.map(({ name, plan }) => `  ${name.padEnd(10)} ${plan}`),
    `It takes about ${minutes} minutes, and ${most} at most.`,
    `It creates projects whose names begin with ${run}, and deletes their data at the end. It uses no other project.`,
    `It costs ${dollars(cost)} beyond what the Workers Paid plan includes.`,
    "On the Free plan it uses up the writes of a day.",
  ];
  return lines.join("\n");
}

/** Returns the part of the report about a point. */
function partOf({ point, state, did, problems, figures, skipped }) {
  const parts = [`## ${point.name}: ${state}`, `It ${point.plan}.`];
  if (did) parts.push(did);
  if (skipped !== undefined) parts.push(skipped);
  if (figures) parts.push(figures);
  if (problems.length > 0) {
    const shown = problems.slice(0, PROBLEMS).map((problem) => problem.slice(0, 1_500));
    parts.push(
      `${problems.length} ${problems.length === 1 ? "problem" : "problems"}` +
        (shown.length < problems.length ? `, the first ${shown.length}:` : ":"),
      `\`\`\`text\n${shown.join("\n\n")}\n\`\`\``,
      `**What it means.** ${point.meaning}`,
      `**What to do.** ${point.remedy}`,
    );
  }
  return parts.join("\n\n");
}

const minute = (date) => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Returns the report. */
export function reportOf({ url, began, ended, results, left, service, cost }) {
  const count = (state) => results.filter((result) => result.state === state).length;
  const rows = results.map(({ point, state, ms }) => [point.name, state, `${Math.round(ms / 1000)} s`]);
  const { requests, writes } = service.counts;
  let verdict = "Everything held.";
  if (count("not tried") > 0) verdict = "What was tried held. Not everything was tried.";
  if (count("failed") > 0)
    verdict = `${count("failed")} of ${results.length} points failed: read their parts below, from the top.`;
  const rest =
    left.length === 0
      ? "The data of all projects of this run was deleted. The service keeps the IDs of deleted resources with their " +
        "last versions, some kilobytes in each project. Nobody can use these projects by chance."
      : `The data of ${left.length} projects could not be deleted. For each of them, run ` +
        `\`npx resource-edge clear --project NAME --yes\`: ${left.join(" ")}`;
  return `${[
    `# Proof of ${url}`,
    `${minute(began)}, ${Math.round((ended.getTime() - began.getTime()) / 1000)} seconds. The names of its projects ` +
      `begin with ${service.run}.`,
    `**${verdict}**`,
    table(["point", "result", "time"], rows),
    `It sent ${requests} requests, ${writes} of them writes that succeeded. By the prices in the guide that costs ` +
      `${dollars(cost)} beyond what the Workers Paid plan includes, the deletion at the end with it.`,
    rest,
    ...results.map(partOf),
  ].join("\n\n")}\n`;
}
