// How queries grow with the collection in workerd: the same resources and queries as benches/query.rs, over HTTP, and the
// memory of the process while they are written and asked.
//
//   node benches/query.mjs [--resources 100000]
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Instance, ours } from "./lib/instance.mjs";
import { tokenFor } from "./lib/token.mjs";

const { values } = parseArgs({ options: { resources: { type: "string", default: "100000" } } });
const SMALL = 1_000;
const LARGE = Number(values.resources);
const WRITERS = 16;
const RUNS = 41;

const QUERIES = [
  ["`contains any` of a rare value", 2, { where: "arrayOfIntExample contains any (4242)" }],
  ["`contains any` of a value in all", 2, { where: "arrayOfIntExample contains any (1)" }],
  ["rare and common, sorted by a scalar", 2, { where: 'arrayOfStringExample = "seldom" and version > 0', sort: "custom desc" }],
  ["one item of an array of objects", 2, { where: "arrayOfObjectType(integerExample = -7)" }],
  ["first page by creation", 2, { sort: "createdAt desc" }],
  ["first page by custom, descending", 2, { sort: "custom desc" }],
  ["text search, 20 matches", 3, { "text.en": "scarce" }],
  ["a common word", undefined, { "text.en": "common" }],
  ["a fuzzy word, all words different", undefined, { "text.en": "nunber77", fuzzy: "true" }],
];

function body(i, count) {
  const rare = i % (count / 20) === 0;
  return JSON.stringify({
    key: `k${i}`,
    someProperty: `${rare ? "scarce" : "plenty"} common text number${i}`,
    custom: `c${String((i * 7919) % 100_000).padStart(5, "0")}`,
    createdBy: { firstName: `Ann${i % 100}` },
    objectTypeProperty: {
      arrayOfIntExample: [rare ? 4242 : i % 1000, 1, i % 50],
      arrayOfFloatExample: [0.5, i + 0.25],
      arrayOfStringExample: ["everywhere", rare ? "seldom" : "often"],
      arrayOfObjectType: [{ integerExample: rare ? -7 : 3 }],
    },
  });
}

const instance = await Instance.start(ours());
const projects = { [SMALL]: "small", [LARGE]: "large" };
const authorization = `Bearer ${tokenFor(Object.values(projects).map((project) => `manage_test:${project}`))}`;

async function call(path, init) {
  const response = await fetch(instance.origin + path, { ...init, headers: { ...init?.headers, authorization } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** The process's resident memory in MiB; `undefined` where /proc does not tell. */
function memory() {
  if (instance.pid === undefined) return undefined;
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${instance.pid}/status`, "utf8"))[1]) / 1024);
}

async function fill(count) {
  let next = 0;
  const began = Date.now();
  const writer = async () => {
    while (next < count) {
      const i = next++;
      const headers = { "Content-Type": "application/json" };
      await call(`/${projects[count]}/resource`, { method: "POST", headers, body: body(i, count) });
      if (i > 0 && i % (count / 4) === 0) console.error(`${i} of ${count} written, workerd holds ${memory()} MiB`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  console.error(`${count} written in ${((Date.now() - began) / 1000).toFixed(1)} s, workerd holds ${memory()} MiB`);
}

async function time(count, parameters) {
  const operation = Object.keys(parameters).some((name) => name.startsWith("text.")) ? "searchApiPattern" : "sorted-query-parameters";
  const total = operation === "searchApiPattern" ? {} : { withTotal: "false" };
  const query = new URLSearchParams({ ...parameters, ...total, limit: "20" });
  const began = performance.now();
  await call(`/${projects[count]}/resource/${operation}?${query}`);
  return performance.now() - began;
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

try {
  await fill(SMALL);
  await fill(LARGE);
  await instance.settle(600_000);
  console.log(`\n| query | ${SMALL} | ${LARGE} | growth | bound |\n|---|---|---|---|---|`);
  for (const [name, bound, parameters] of QUERIES) {
    const few = [];
    const many = [];
    for (let run = 0; run < RUNS; run++) {
      few.push(await time(SMALL, parameters));
      many.push(await time(LARGE, parameters));
    }
    const [a, b] = [median(few), median(many)];
    console.log(`| ${name} | ${a.toFixed(2)} ms | ${b.toFixed(2)} ms | ${(b / a).toFixed(2)}× | ${bound === undefined ? "may grow" : `${bound}×`} |`);
  }
  console.error(`after the queries workerd holds ${memory()} MiB`);
} finally {
  await instance.stop();
}
