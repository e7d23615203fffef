// Tries everything that a deployed service promises, from outside, and writes a report: `make prove URL=https://…`.
// src/guide/operate/operations.md says how to use it.
//
//   node tests/prove/main.mjs URL [--minutes 10] [--only "smoke races"] [--log FILE] [--credentials FILE]
//     [--report FILE]

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import { later, ROOT } from "../workerd/support.mjs";
import { histories } from "./histories.mjs";
import { lag, latencies } from "./measures.mjs";
import { cases, races, restore, smoke } from "./points.mjs";
import { costOf, minutesOf, planOf, reportOf } from "./report.mjs";
import { openService } from "./service.mjs";

/** How long a point may take after its share of the time, and how long the deletion of the data, in milliseconds. */
const GRACE_MS = 120_000;
const CLEAR_MS = 180_000;

const OPTIONS = ["minutes", "only", "log", "credentials", "report"];

const say = (text) => process.stderr.write(`${text}\n`);

/** Ends with an error of use. */
function refuse(text) {
  say(`error: ${text}`);
  process.exit(2);
}

/**
 * Returns the variables of the file, or those of the environment if no file is named.
 * @param {string | undefined} file
 */
function credentials(file) {
  if (!file) return process.env;
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    refuse(`CREDENTIALS: ${error.message}`);
  }
}

function settings() {
  const options = Object.fromEntries(OPTIONS.map((name) => [name, { type: /** @type {const} */ ("string") }]));
  const { values: given, positionals } = parseArgs({ options, allowPositionals: true });
  const values = /** @type {Record<string, string | undefined>} */ (given);
  const [url = ""] = positionals;
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ""))
    refuse(`'${url}' is not an address. Expected make prove URL=https://…`);
  const minutes = Number(values.minutes || 10);
  if (!(minutes > 0)) refuse(`MINUTES is '${values.minutes}'. Expected a number above 0.`);
  const { RESOURCE_EDGE_CLIENT_ID: id, RESOURCE_EDGE_CLIENT_SECRET: secret } = credentials(values.credentials);
  if (!id || !secret)
    refuse(
      "There is no API client. Set RESOURCE_EDGE_CLIENT_ID and RESOURCE_EDGE_CLIENT_SECRET, or name a file that sets " +
        "them: CREDENTIALS=FILE. `make client` creates one. It needs the scopes manage_test:* and view_test:*.",
    );
  const all = [smoke, cases, races, histories, lag, restore, latencies(values.log || undefined)];
  const names = (values.only || all.map(({ name }) => name).join(" ")).split(/[ ,]+/);
  const unknown = names.find((name) => !all.some((point) => point.name === name));
  if (unknown !== undefined)
    refuse(`'${unknown}' is no point. Expected some of: ${all.map(({ name }) => name).join(" ")}`);
  const points = all.filter(({ name }) => names.includes(name));
  return { url, minutes, points, client: { id, secret }, file: values.report };
}

const { url, minutes, points, client, file } = settings();
const service = openService(url, client);
const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
const total = points.reduce((sum, { share }) => sum + share, 0);
/** With Ctrl-C, nothing more is sent but the deletion. A second one ends at once. */
const interruption = new AbortController();
process.once("SIGINT", () => {
  service.isOver = true;
  interruption.abort(new Error("it was interrupted"));
});
/** How long a point may end after its signal, in milliseconds. */
const END_MS = 10_000;

/** Runs a point. It fails if it throws, or does not end. What it has begun is over before the next one runs. */
async function run(point) {
  const ms = (minutes * 60_000 * point.share) / total;
  const note = (text) => say(`   ${text}`);
  const began = Date.now();
  const end = new AbortController();
  const late = new Error(`it did not end in ${Math.round((ms + GRACE_MS) / 1000)} s`);
  const timer = setTimeout(() => end.abort(late), ms + GRACE_MS);
  const over = new Promise((_, reject) => {
    end.signal.addEventListener("abort", () => reject(end.signal.reason), { once: true });
  });
  interruption.signal.addEventListener("abort", () => end.abort(interruption.signal.reason), { once: true });
  const { signal } = end;
  const running = service.within(signal, () => point.run({ service, until: began + ms, isLocal, note, signal }));
  const ended = await Promise.race([running, over]).catch(({ message }) => ({ did: "", problems: [message] }));
  clearTimeout(timer);
  end.abort(late);
  await Promise.race([running.catch(() => {}), later(END_MS)]);
  const result = service.isOver ? { did: "", skipped: "It was interrupted." } : ended;
  const { problems = [], skipped } = result;
  const state = skipped !== undefined ? "not tried" : problems.length === 0 ? "held" : "failed";
  say(`   ${state} (${Math.round((Date.now() - began) / 1000)} s)${skipped === undefined ? "" : `: ${skipped}`}`);
  return { point, state, ...result, problems, ms: Date.now() - began };
}

say(planOf({ url, minutes, most: minutesOf(minutes, points.length, GRACE_MS, CLEAR_MS), points, run: service.run }));
if (process.stdin.isTTY && !isLocal) {
  say("It begins in 10 seconds. Ctrl-C ends it.");
  await later(10_000, undefined, { signal: interruption.signal }).catch(() => process.exit(130));
}
const began = new Date();
const results = [];
// Before anything is tried: a token has to last as long as the longest point.
const { expires_in: lifetime } = await service
  .requestToken(`manage_test:${service.project()}`)
  .catch((error) => refuse(`${error.message}\nCheck the address, the client ID, its secret, and its scopes.`));
const longest = (minutes * 60 * Math.max(...points.map(({ share }) => share))) / total + GRACE_MS / 1000;
if (lifetime < longest)
  refuse(`Tokens are valid for ${lifetime} s, and must be for ${longest} s. Raise TOKEN_TTL, or lower MINUTES.`);
for (const [at, point] of points.entries()) {
  if (service.isOver) break;
  say(`${at + 1}/${points.length} ${point.name}: ${point.plan}`);
  results.push(await run(point));
}
const isInterrupted = service.isOver;
say("Deleting the data that was made");
const left = await service.clear(Date.now() + CLEAR_MS);
const ended = new Date();
const report = reportOf({ url, began, ended, results, left, service, cost: costOf(service.counts) });
/** Without secrets, which a response might repeat. */
const clean = report.replaceAll(client.secret, "(secret)").replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "(token)");
const path = file || join(ROOT, "artifacts", `${service.run}.md`);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, clean);
say(`The report is in ${path}`);
const hasFailed = results.some(({ state }) => state === "failed") || left.length > 0;
process.exit(isInterrupted ? 130 : hasFailed ? 1 : 0);
