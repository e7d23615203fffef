// Creates a report from rounds: medians, ratios, and a table for people.
import { readFileSync, statfsSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

import { PEER } from "./sides.mjs";

const PACKAGES = ["workerd", "hono", "ajv", "jose"];
/** The type of a file system in memory. */
const TMPFS = 0x01021994;

export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const round = (value, digits) => (value === undefined ? undefined : Number(value.toFixed(digits)));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Returns the machine, the versions, and the day. */
export function surroundings() {
  const manifest = (name) => fileURLToPath(new URL(`../../node_modules/${name}/package.json`, import.meta.url));
  const version = (name) => JSON.parse(readFileSync(manifest(name), "utf8")).version;
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0].model}, ${cpus().length} cores`,
    state: statfsSync(tmpdir()).type === TMPFS ? "in memory" : "on disk",
    versions: { node: process.version.slice(1), ...Object.fromEntries(PACKAGES.map((name) => [name, version(name)])) },
  };
}

/** Returns the figures of one side: medians over its rounds, but the largest maximum and the sum of lost requests. */
function figures(side, rounds) {
  const of = (name, digits) => round(median(rounds.map((one) => one[name])), digits);
  return {
    side,
    perSecond: of("perSecond", 1),
    cpu: rounds[0].cpu === undefined ? undefined : of("cpu", 1),
    p50: of("p50", 2),
    p99: of("p99", 2),
    max: round(Math.max(...rounds.map((one) => one.max)), 2),
    closed: sum(rounds.map((one) => one.closed)),
    generator: round(Math.max(...rounds.map((one) => one.generator)), 2),
    rounds: rounds.map(({ perSecond, cpu, max }) => ({
      perSecond: round(perSecond, 1),
      cpu: round(cpu, 1),
      max: round(max, 2),
    })),
  };
}

/** Returns the median over rounds of the first side's figure divided by the second's. */
function times(first, second, name) {
  if (second === undefined || first[0][name] === undefined) return undefined;
  return round(median(first.map((one, at) => one[name] / second[at][name])), 3);
}

/** Returns the report as data: a row for each side that a workload was compared with. */
export function report(results, setting) {
  const rows = results.flatMap(({ workload, sides, measured: [first, ...others], bounds }) =>
    (others.length > 0 ? others : [undefined]).map((other, at) => ({
      workload,
      beside: sides[at + 1],
      cpu: times(first, other, "cpu"),
      throughput: times(first, other, "perSecond"),
      bounds: bounds[sides[at + 1]] ?? {},
      sides: [figures(sides[0], first), ...(other === undefined ? [] : [figures(sides[at + 1], other)])],
    })),
  );
  return { setting: { ...surroundings(), ...setting }, rows };
}

const row = (cells) => `| ${cells.join(" | ")} |`;
const shown = (value, digits) =>
  value === undefined
    ? ""
    : value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const rate = (value) => shown(value, value < 100 ? 1 : 0);
const latency = (value) => shown(value, value < 10 ? 2 : value < 100 ? 1 : 0);
/** Returns a ratio, marked if it does not reach its bound. */
const ratio = (value, isReached) => (value === undefined ? "" : `**${shown(value, 2)}**${isReached ? "" : " !"}`);

const COLUMNS = [
  ...["work", "beside", "times its CPU", "at most", "times its throughput", "at least"],
  ...["requests/s", "CPU µs/request", "p50 ms", "p99 ms", "max ms"],
];

/** Returns a table. Its first columns have texts. */
const grid = (names, rows, texts) => [
  row(names),
  `|${names.map((_, at) => (at < texts ? "---|" : "---:|")).join("")}`,
  ...rows.map(row),
];

/** Returns the pairs of a row's figures: those of the first side, and of the one beside it. */
const pairs = (sides, name, format) => sides.map((side) => format(side[name])).join(" / ");

/** Returns the cells of a row. A ratio that does not reach its bound has a mark. */
const cells = ({ workload, beside, cpu, throughput, bounds, sides }) => [
  workload,
  beside ?? "",
  ratio(cpu, !(cpu > bounds.cpu)),
  bounds.cpu ?? "",
  ratio(throughput, !(throughput < bounds.throughput)),
  bounds.throughput ?? "",
  pairs(sides, "perSecond", rate),
  pairs(sides, "cpu", (value) => shown(value, 0)),
  ...["p50", "p99", "max"].map((name) => pairs(sides, name, latency)),
];

/** Returns the report as Markdown. */
export function table({ setting, rows }) {
  const { date, machine, versions, rounds, seconds, connections, state, quick } = setting;
  const lines = [
    ...(quick
      ? ["A quick run shows that the benchmark works. Its collections are small and its figures mean nothing.", ""]
      : []),
    `${date}, ${machine}, state ${state}; ${Object.entries(versions)
      .map((pair) => pair.join(" "))
      .join(", ")}.`,
    `${rounds} interleaved rounds of ${seconds} s, ${connections} connections; medians, ours / the other's.`,
    "",
    ...grid(COLUMNS, rows.map(cells), 2),
  ];
  const those = (isOne) => [...new Set(rows.filter(({ sides }) => sides.some(isOne)).map(({ workload }) => workload))];
  const [busy, closed] = [those(({ generator }) => generator > 0.85), those((side) => side.closed > 0)];
  if (closed.length > 0) lines.push("", `Connections were closed without a response: ${closed.join("; ")}.`);
  if (busy.length > 0)
    lines.push(
      "",
      `The load generator was busy more than 85% of the time; these rates may be its own: ${busy.join("; ")}.`,
    );
  return `${lines.join("\n")}\n`;
}

/** The columns of the README, and the rows beside the peer that they show. */
const SHORT = {
  read: "read by ID, hot",
  cold: "read by ID, cold",
  fresh: "read by ID, fresh",
  query: "any-of query, 10,000 resources",
  "`max-age`": "any-of query, 10,000 resources, max-age",
  update: "update by ID",
  creation: "create, small body",
};

/** Returns some columns of the table, whose rows they are. */
export function brief(markdown) {
  const found = Object.entries(SHORT).flatMap(([name, workload]) => {
    const line = markdown.split("\n").find((one) => one.startsWith(`| ${workload} | ${PEER} | `));
    const [cpu, , throughput] = line?.split(" | ").slice(2) ?? [];
    return line === undefined ? [] : [[name, cpu, throughput].map((cell) => cell.replace(/^\*\*|\*\*.*/g, ""))];
  });
  const [names, cpu, throughput] = [0, 1, 2].map((at) => found.map((cells) => cells[at]));
  return grid(
    [" ", ...names],
    [
      ["CPU", ...cpu],
      ["throughput", ...throughput],
    ],
    1,
  ).join("\n");
}

/** Writes the table into the guide, and some of it into the README. */
export function write(whole) {
  const text = table(whole);
  for (const [name, block] of [
    ["src/guide/evaluate/performance.md", text],
    ["README.md", `${brief(text)}\n`],
  ]) {
    const page = fileURLToPath(new URL(`../../${name}`, import.meta.url));
    const [, before, after] = /^(.*<!-- make bench -->\n).*?(<!-- end -->.*)$/s.exec(readFileSync(page, "utf8"));
    writeFileSync(page, `${before}\n${block}\n${after}`);
  }
}
