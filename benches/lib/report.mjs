// Creates a report from rounds: medians, ratios, and a table for people.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const PACKAGES = ["workerd", "hono", "ajv", "jose"];

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
    refused: sum(rounds.map((one) => one.refused)),
    generator: round(Math.max(...rounds.map((one) => one.generator)), 2),
    rounds: rounds.map(({ perSecond, cpu, max }) => ({
      perSecond: round(perSecond, 1),
      cpu: round(cpu, 1),
      max: round(max, 2),
    })),
  };
}

/** Returns the median over rounds of the first side's figure divided by the second's. */
function times([first, second], name) {
  if (second === undefined || first[0][name] === undefined) return undefined;
  return round(median(first.map((one, at) => one[name] / second[at][name])), 3);
}

/** Returns the share of the first side's CPU that the minimal Worker needs. */
function shareOfMinimal(sides, measured) {
  const at = sides.indexOf("minimal");
  return at > 0 ? times([measured[at], measured[0]], "cpu") : undefined;
}

/** Returns the report as data. Ratios are of the first side over the second. */
export function report(results, setting) {
  const compared = ({ sides, measured }) => measured.filter((_, at) => sides[at] !== "minimal");
  const workloads = results.map(({ workload, sides, measured }) => ({
    workload,
    throughput: times(compared({ sides, measured }), "perSecond"),
    cpu: times(compared({ sides, measured }), "cpu"),
    minimal: shareOfMinimal(sides, measured),
    sides: measured.map((rounds, at) => figures(sides[at], rounds)),
  }));
  return { setting: { ...surroundings(), ...setting }, workloads };
}

const row = (cells) => `| ${cells.join(" | ")} |`;
const shown = (value, digits) =>
  value === undefined
    ? ""
    : value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const rate = (value) => shown(value, value < 100 ? 1 : 0);
const latency = (value) => shown(value, value < 10 ? 2 : value < 100 ? 1 : 0);

/** Returns the report as a Markdown table. */
export function table({ setting, workloads }) {
  const { date, machine, versions, sides, rounds, seconds, connections, quick } = setting;
  const each = (list, name, format) => list.map((side) => format(side[name])).join(" / ");
  const lines = [
    ...(quick
      ? ["A quick run shows that the benchmark works. Its collections are small and its figures mean nothing.", ""]
      : []),
    `${date}, ${machine}; ${Object.entries(versions)
      .map((pair) => pair.join(" "))
      .join(", ")}.`,
    `${rounds} interleaved rounds of ${seconds} s, ${connections} connections; figures are medians, ` +
      `${sides.join(" / ")}.`,
    "",
    row([
      "work",
      "times the peer's throughput",
      "times the peer's CPU",
      "CPU of the minimal Worker",
      "requests/s",
      "CPU µs/request",
      "p50 ms",
      "p99 ms",
      "max ms",
      "closed, other status",
    ]),
    row(["---", ...Array.from({ length: 9 }, () => "---:")]),
    ...workloads.map(({ workload, throughput, cpu, minimal, sides: list }) =>
      row([
        workload,
        throughput === undefined ? "" : `**${shown(throughput, 2)}**`,
        cpu === undefined ? "" : `**${shown(cpu, 2)}**`,
        shown(minimal, 2),
        each(list, "perSecond", rate),
        each(list, "cpu", (value) => shown(value, 0)),
        each(list, "p50", latency),
        each(list, "p99", latency),
        each(list, "max", latency),
        list.map(({ closed, refused }) => `${closed}, ${refused}`).join(" / "),
      ]),
    ),
  ];
  const busy = workloads
    .filter(({ sides: list }) => list.some(({ generator }) => generator > 0.85))
    .map(({ workload }) => workload);
  if (busy.length > 0)
    lines.push(
      "",
      `The load generator was busy more than 85% of the time; these rates may be its own: ${busy.join("; ")}.`,
    );
  return `${lines.join("\n")}\n`;
}
