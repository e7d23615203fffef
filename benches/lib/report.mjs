// From rounds to a report: medians, ratios, and the table that people read.

export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const round = (value, digits) => (value === undefined ? undefined : Number(value.toFixed(digits)));

/** The report as data; ratios are of the first side over the second, more than 1 where the first is better. */
export function report(sides, results, setting) {
  const workloads = results.map(({ workload, measured }) => {
    const [first, second] = measured;
    const ratios = second === undefined ? [] : first.map((one, at) => round(one.perSecond / second[at].perSecond, 3));
    return {
      workload,
      ratio: ratios.length === 0 ? undefined : round(median(ratios), 3),
      ratios,
      sides: measured.map((rounds, at) => ({
        side: sides[at],
        perSecond: Math.round(median(rounds.map((one) => one.perSecond))),
        p50: median(rounds.map((one) => one.p50)),
        p99: median(rounds.map((one) => one.p99)),
        cpu: rounds[0].cpu === undefined ? undefined : round(median(rounds.map((one) => one.cpu)), 1),
        generator: round(Math.max(...rounds.map((one) => one.generator)), 2),
        rounds: rounds.map((one) => Math.round(one.perSecond)),
      })),
    };
  });
  return { sides, setting, workloads };
}

/** The report as a Markdown table. */
export function table({ sides, setting, workloads }) {
  const lines = [
    `${setting.rounds} interleaved rounds of ${setting.seconds} s, ${setting.connections} connections, ${setting.machine}`,
    "",
    row(["workload", ...sides.map((side) => `${side} req/s`), "ratio", "ratio by round", "p50 ms", "p99 ms", "CPU µs/req"]),
    row(["---", ...sides.map(() => "---:"), "---:", "---", "---:", "---:", "---:"]),
    ...workloads.map(({ workload, ratio, ratios, sides: each }) =>
      row([
        workload,
        ...each.map(({ perSecond }) => perSecond),
        ratio === undefined ? "" : `**${ratio.toFixed(2)}**`,
        ratios.map((one) => one.toFixed(2)).join(" "),
        each.map(({ p50 }) => p50.toFixed(2)).join(" / "),
        each.map(({ p99 }) => p99.toFixed(2)).join(" / "),
        each.map(({ cpu }) => (cpu === undefined ? "?" : Math.round(cpu))).join(" / "),
      ]),
    ),
  ];
  const busiest = Math.max(...workloads.flatMap(({ sides: each }) => each.map(({ generator }) => generator)));
  lines.push("", `The load generator was busy ${Math.round(busiest * 100)}% of the time at most.`);
  if (busiest > 0.85) lines.push("That is too busy to trust the largest figures: they may be its own.");
  return `${lines.join("\n")}\n`;
}

const row = (cells) => `| ${cells.join(" | ")} |`;
