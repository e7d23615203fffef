// How queries scale with the collection in workerd: the same resources and queries as benches/query.rs, over HTTP. Also
// the WebAssembly memory of the Worker and the object during writes and queries.
//
//   node benches/query.mjs [--resources 100000]
import { parseArgs } from "node:util";
import { Instance, ours } from "./lib/instance.mjs";
import { median } from "./lib/race.mjs";
import { tokenFor } from "./lib/token.mjs";

const { values } = parseArgs({ options: { resources: { type: "string", default: "100000" } } });
const SMALL = 1_000;
const LARGE = Number(values.resources);
const WRITERS = 16;
const RUNS = 41;

const QUERIES = [
  ["`contains any` of a rare value", 2, { where: "arrayOfIntExample contains any (4242)" }],
  ["`contains any` of a value in all", 2, { where: "arrayOfIntExample contains any (1)" }],
  [
    "rare and common, sorted by a scalar",
    2,
    { where: 'arrayOfStringExample = "seldom" and version > 0', sort: "custom desc" },
  ],
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

/** Wraps our Worker in a module that reports the size of WebAssembly's memory at a separate path. */
function measure() {
  const worker = ours();
  const [main] = Object.keys(worker.modules);
  const capture = `
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (module, imports) {
      const made = new Instance(module, imports);
      globalThis.memory = made.exports.memory;
      return made;
    };`;
  const front = `
    import "./capture.mjs";
    import worker from "./${main}";
    export { ProjectObject } from "./${main}";
    export default {
      fetch: (request, ...rest) =>
        request.url.endsWith("/memory")
          ? new Response(String(globalThis.memory.buffer.byteLength))
          : worker.fetch(request, ...rest),
    };`;
  const around = { "front.mjs": { contents: front }, "capture.mjs": { contents: capture } };
  return { ...worker, modules: { ...around, ...worker.modules } };
}

const instance = await Instance.start(measure());
const projects = { [SMALL]: "small", [LARGE]: "large" };
const authorization = `Bearer ${tokenFor(Object.values(projects).map((project) => `manage_test:${project}`))}`;

async function call(path, init) {
  const response = await fetch(instance.origin + path, { ...init, headers: { ...init?.headers, authorization } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** Returns the memory of the Worker and the object together, in WebAssembly pages of 64 KiB. */
async function memory() {
  return `${Number(await call("/memory")) / 65_536} pages of memory held`;
}

async function fill(count) {
  let next = 0;
  const began = Date.now();
  const writer = async () => {
    while (next < count) {
      const i = next++;
      const headers = { "Content-Type": "application/json" };
      await call(`/${projects[count]}/resource`, { method: "POST", headers, body: body(i, count) });
      if (i > 0 && i % (count / 4) === 0) console.error(`${i} of ${count} written, ${await memory()}`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  console.error(`${count} written in ${((Date.now() - began) / 1000).toFixed(1)} s, ${await memory()}`);
}

async function time(count, parameters) {
  const operation = Object.keys(parameters).some((name) => name.startsWith("text."))
    ? "searchApiPattern"
    : "sorted-query-parameters";
  const total = operation === "searchApiPattern" ? {} : { withTotal: "false" };
  const query = new URLSearchParams({ ...parameters, ...total, limit: "20" });
  const began = performance.now();
  await call(`/${projects[count]}/resource/${operation}?${query}`);
  return performance.now() - began;
}

try {
  await fill(SMALL);
  await fill(LARGE);
  await instance.settle(1_500, 600_000);
  console.log(`\n| query | ${SMALL} | ${LARGE} | growth | bound |\n|---|---|---|---|---|`);
  for (const [name, bound, parameters] of QUERIES) {
    const few = [];
    const many = [];
    for (let run = 0; run < RUNS; run++) {
      few.push(await time(SMALL, parameters));
      many.push(await time(LARGE, parameters));
    }
    const [a, b] = [median(few), median(many)];
    console.log(
      `| ${name} | ${a.toFixed(2)} ms | ${b.toFixed(2)} ms | ${(b / a).toFixed(2)}× | ` +
        `${bound === undefined ? "may grow" : `${bound}×`} |`,
    );
  }
  console.error(`after the queries: ${await memory()}`);
} finally {
  await instance.stop();
}
