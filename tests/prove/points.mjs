// The points of a proof that end when they have tried everything: the smoke test, the case files, races, a restore.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runsOf } from "../workerd/cases.mjs";
import { RACES } from "../workerd/races.mjs";
import { Document } from "../workerd/support/document.mjs";
import { later, ROOT } from "../workerd/support.mjs";
import { inLanes, settled } from "./service.mjs";

/**
 * A point. It gets the service, the time at which it begins nothing more, whether the service is on this machine, and
 * a signal that ends it. From then on its requests to the service fail.
 * It returns what it did, in a sentence, with figures, the problems, and why it could not be tried.
 * @typedef {{
 *   service: any, until: number, isLocal: boolean, note: (text: string) => void, signal: AbortSignal,
 * }} Context
 * @typedef {{ did: string, figures?: string, problems?: string[], skipped?: string }} Result
 * @typedef {{
 *   name: string, share: number, plan: string, meaning: string, remedy: string,
 *   run: (context: Context) => Promise<Result>,
 * }} Point
 */

/** @type {Point} */
export const smoke = {
  name: "smoke",
  share: 0.2,
  plan: "reads the health, the OpenAPI document, and the console",
  meaning: "The service is not set up completely, or the address is another one.",
  remedy: "Read the message. It names the setting or the part that is missing. Nothing else can hold before this does.",
  async run({ service, signal }) {
    const args = [join(ROOT, "pkg/dist/cli/main.js"), "smoke", service.address, "--json"];
    const { stdout, stderr } = await new Promise((resolve) =>
      execFile(process.execPath, args, { signal }, (_, stdout, stderr) => resolve({ stdout, stderr })),
    );
    if (stdout === "") return { did: "The smoke test did not run.", problems: [stderr] };
    const { checks } = JSON.parse(stdout);
    const problems = checks.filter(({ ok }) => !ok).map(({ name, reason }) => `${name}: ${reason}`);
    return { did: `The smoke test made ${checks.length} checks, as \`make smoke\` does.`, problems };
  },
};

/** Why a case cannot run here: it needs API clients of the tests. */
const needsClients = ({ steps }) => /"token":"two"|"Authorization":"Basic /i.test(JSON.stringify(steps));

/** @type {Point} */
export const cases = {
  name: "cases",
  share: 3,
  plan: "runs the case files of the contract, each case in a new project",
  meaning:
    "The service, or the platform in front of it, responds differently than in the tests. If the response has no " +
    "`X-Correlation-ID`, it is from the platform, which refused or changed the request.",
  remedy:
    "Compare the expected and the found value. Check the settings that change responses (`READ_DEFAULT`, " +
    "`CORS_ORIGINS`), rate limits, and rules of the platform in front of the Worker. Else report the case.",
  async run({ service, until, isLocal, note }) {
    const document = new Document((await service.send({ method: "GET", target: "/openapi.json" })).text);
    const folder = join(ROOT, "tests/cases");
    const all = readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => ({ file: name, ...JSON.parse(readFileSync(join(folder, name), "utf8")) }));
    const every = all.flatMap((one) =>
      runsOf(one, service.project).map((run) => ({ run, ...one, order: Math.random() })),
    );
    const runs = every
      .filter(({ run, settings, file }) => settings === undefined && file !== "oauth.json" && !needsClients(run))
      // In random order: all files get a part of the time.
      .sort((a, b) => a.order - b.order);
    const problems = [];
    const send = async (request) => {
      const answer = await service.send(request);
      const wrong = document.broken(request, answer);
      if (wrong !== undefined) throw new Error(`${request.method} ${request.target.slice(0, 200)}: ${wrong}`);
      return answer;
    };
    const worker = { ...service, send, patience: isLocal ? 10_000 : 90_000 };
    let done = 0;
    const timer = setInterval(() => note(`${done} of ${runs.length} cases`), 10_000);
    const one = async ({ run, file }) => {
      await run.perform(worker).catch(({ message }) => problems.push(`${file}: ${run.name}: ${message}`));
      done += 1;
    };
    const tried = await inLanes(8, runs, one, until).finally(() => clearInterval(timer));
    if (tried === 0) problems.push("no case began in its time. Raise MINUTES.");
    const did =
      `${tried} of ${runs.length} cases ran, in random order, and every response was compared with the OpenAPI ` +
      `document. ${every.length - runs.length} were left out: they need other settings or API clients.`;
    return { did, problems };
  },
};

/** @type {Point} */
export const races = {
  name: "races",
  share: 0.8,
  plan: "lets 64 writers send at once: one version, one key, one Idempotency-Key",
  meaning: "A write was lost, or was performed twice. Or some of 64 requests at once got no regular response.",
  remedy: "If responses are 429 or 5xx, look at rate limits and the log. Else stop using the service, and report it.",
  async run({ service }) {
    const problems = [];
    for (const [name, race] of Object.entries(RACES))
      await race(service, service.project()).catch(({ message }) => problems.push(`${name}: ${message}`));
    const did = `Each race ran with 64 requests at once: ${Object.keys(RACES).join(", ")}.`;
    return { did, problems };
  },
};

/** The pause around the moment that is restored, in milliseconds. */
const AROUND_MS = 5_000;

export const restore = {
  name: "restore",
  share: 1,
  plan: "restores a project to a moment of this run, and undoes that",
  meaning: "A project cannot be set back to a moment of the last 30 days as operations.md says.",
  remedy: "Make exports regularly, and do not rely on a restore. Report what the service responded.",
  /** @param {{ service: any, around?: number, between?: (project: string) => Promise<unknown> }} context */
  async run({ service, around = AROUND_MS, between = async () => {} }) {
    const name = service.project();
    const at = `/${name}/resource`;
    const write = async (line, body) => {
      const { status, text } = await service.call(line, { body });
      assert.ok(status === 200 || status === 201, `${line}: ${status} ${text}`);
    };
    const state = async () => (await settled(() => service.fresh(`GET ${at}?sort=id`))).json.results;
    const to = (query) => settled(() => service.call(`POST /${name}/restore?confirm=${name}&${query}`));
    for (const id of ["a", "b"]) await write(`POST ${at}`, { id, key: `k-${id}`, objectTypeProperty: {} });
    const before = await state();
    await between(name);
    await later(around);
    const moment = Date.parse(before[1].lastModifiedAt) + Math.round(around / 2) + 1;
    await write(`POST ${at}/a`, { version: 1, actions: [{ action: "changeSomeProperty", someProperty: "later" }] });
    await write(`DELETE ${at}/b`);
    await write(`POST ${at}`, { id: "c", objectTypeProperty: {} });
    const after = await state();
    const done = await to(`time=${new Date(moment).toISOString()}`);
    if (done.status === 400 && done.json.errors[0].code === "InvalidOperation")
      return { did: "", skipped: "The platform keeps no past here. Only Cloudflare does." };
    assert.equal(done.status, 200, done.text);
    assert.deepEqual(await state(), before, "after the restore");
    const undone = await to(`bookmark=${done.json.undo}`);
    assert.equal(undone.status, 200, undone.text);
    assert.deepEqual(await state(), after, "after the undo");
    return {
      did: "A project was set back to the moment before an update, a deletion, and a creation, and forward again.",
    };
  },
};
