// Checks that a peer responds like our Worker. It runs the cases whose every step uses an operation that the peer
// serves.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runsOf } from "../../tests/workerd/cases.mjs";
import { Instance, ours } from "./instance.mjs";
import { peer } from "./peer.mjs";
import { tokenFor } from "./token.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The folder of the case files. */
export const CASES = join(ROOT, "tests/cases");

/** The queries that a peer serves: predicates with `contains any`, sorting by one text field, and pages. */
const LISTS = "arrayOf(?:Int|UniqueInt|Float|NumberNoDefaults|String)(?:Example)";
const VALUE = '(?:"[^"\\\\]*"|-?[\\d.]+)';
const WHERE = new RegExp(`^(?:objectTypeProperty\\.)?${LISTS} contains any \\(${VALUE}(?:, ?${VALUE})*\\)$`);
const SORT = /^(\w+Propert?y|eleventhPropery|custom)( asc| desc)?$/;
const QUERY = { where: WHERE, sort: SORT, limit: /^\d{1,3}$/, offset: /^\d{1,4}$/, withTotal: /^(true|false)$/ };

function isServedQuery(query) {
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  if (new Set(names).size < names.length || (parameters.has("where") && parameters.has("sort"))) return false;
  return names.every((name) => Object.hasOwn(QUERY, name) && QUERY[name].test(parameters.get(name)));
}

/** The requests that a peer serves. The other literal paths beside IDs belong to other operations. */
const OTHERS = "searchApiPattern|sorted-query-parameters|description-with-urn-links|artificially-complex";
const COLLECTION = /^\/[^/?]+\/resource(?:\/sorted-query-parameters)?(?:\?(.*))?$/s;
const SERVED = [
  { methods: ["POST"], path: /^\/[^/?]+\/resource(\?.*)?$/s },
  { methods: ["GET", "HEAD"], path: new RegExp(`^/[^/?]+/resource/(?!(?:${OTHERS})(?:[/?]|$))[^/?]+(\\?.*)?$`, "s") },
  { methods: ["POST"], path: new RegExp(`^/[^/?]+/resource/(?!(?:${OTHERS}|key=.*)(?:[/?]|$))[^/?]+(\\?.*)?$`, "s") },
  {
    methods: ["GET", "HEAD"],
    path: { test: (target) => COLLECTION.test(target) && isServedQuery(COLLECTION.exec(target)[1] ?? "") },
  },
];

/** Returns whether the peer serves the request of the step. */
function isServed(run, step) {
  const [method, target] = run.text(step.send, "saved").split(/ (.*)/s);
  // No peer selects fields.
  if (/[?&]fields=/.test(target)) return false;
  return SERVED.some(({ methods, path }) => methods.includes(method) && path.test(target));
}

/** Returns the cases that apply, and the number of all cases. */
export function chosen(folder) {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];
  const all = files.flatMap((file) => {
    const document = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const stem = file.replace(".json", "");
    // A case file that needs other settings is not for a peer: a peer has no settings.
    const served = document.settings === undefined;
    return runsOf(document, (at, number) => `${stem}-${at}-${number}`).map((run) => ({ file: stem, served, run }));
  });
  const cases = all.filter(({ served, run }) => served && run.steps.every((step) => isServed(run, step)));
  return { cases, total: all.length };
}

/** Sends a request in a new connection. Returns the response, which must have the headers of every response. */
function send(port, { method, target, headers, body }) {
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes === undefined ? {} : { "content-length": bytes.length };
    const options = { host: "127.0.0.1", port, method, path: target, agent: false, headers: { ...headers, ...length } };
    const sent = request(options, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => {
        const { statusCode: status, headers } = answer;
        const missing = ["x-correlation-id", "cache-control", "vary"].find((name) => headers[name] === undefined);
        if (missing === undefined) resolve({ status, headers, text: Buffer.concat(chunks).toString() });
        else reject(new Error(`${method} ${target.slice(0, 120)}: the response has no ${missing}`));
      });
    });
    // If a body is rejected unread, the connection ends in a reset. The response may have arrived before it.
    sent.on("error", (error) => setTimeout(reject, 100, error));
    sent.end(bytes);
  });
}

/** Runs the cases. Returns the failures and a summary. */
export async function check(name, folder = CASES) {
  const { cases, total } = chosen(folder);
  if (cases.length === 0)
    return { faults: [`${folder} holds no case that applies.`], summary: `${name}: nothing checked` };
  const list = join(ROOT, "benches/peers", name, "exceptions.json");
  const exceptions = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
  const instance = await Instance.start(name === "ours" ? ours() : await peer(name));
  const worker = {
    token: (scope, permission, client = "bench") => tokenFor(`${permission}:${scope}`.split(" "), client),
    send: (request) => send(instance.port, request),
  };
  const faults = [];
  const excused = new Set();
  try {
    for (const { file, run } of cases) {
      const wrong = await run.perform(worker).catch(({ message }) => message);
      if (wrong === undefined) continue;
      const exception = exceptions.find((one) => one.file === file && run.name.startsWith(one.case));
      if (exception === undefined) faults.push(`${file}: ${run.name.slice(0, 200)}\n  ${wrong}`);
      else excused.add(exception);
    }
  } finally {
    await instance.stop();
  }
  const idle = exceptions.filter((one) => !excused.has(one));
  faults.push(...idle.map((one) => `${one.file}: '${one.case}' is excepted and passes`));
  return {
    faults,
    summary: `${name}: ${cases.length} of ${total} cases apply, ${faults.length} faults, ${excused.size} exceptions`,
  };
}
