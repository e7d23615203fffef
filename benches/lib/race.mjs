// Sides of a comparison within one process, in interleaved rounds.

/**
 * Returns nanoseconds per call for each side: medians of the rounds. `time(side, count)` returns the duration of
 * `count` calls.
 */
export async function race(sides, { rounds, milliseconds, time }) {
  const counts = [];
  for (const side of sides) {
    for (let count = 1; ; count *= 2) {
      const took = await time(side, count);
      if (took <= (milliseconds * 1e6) / 4) continue;
      counts.push(Math.ceil((count * milliseconds * 1e6) / took));
      break;
    }
  }
  const spent = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, side] of sides.entries()) spent[at].push((await time(side, counts[at])) / counts[at]);
  }
  return spent.map(median);
}

/** Sorts the numbers, and returns the one in the middle. */
export const median = (values) => values.sort((one, other) => one - other)[values.length >> 1];

export const size = (bytes) => (bytes < 10_000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`);
export const duration = (ns) => (ns < 10_000 ? `${Math.round(ns)} ns` : `${(ns / 1000).toFixed(1)} µs`);

/** Returns the columns of a `row` behind those of its cells. "Times the peer's speed" above 1 is faster. */
export const columns = (peer) => ["ours", peer, "times the peer's speed", "at least"];

/** Returns a row of a table: the ratio of our speed to the peer's, marked if it is below its bound. */
export function row(name, cells, ours, theirs, bound) {
  const all = [name, ...cells, duration(ours), duration(theirs), times(ours, theirs, bound), bound ?? ""];
  return `| ${all.join(" | ")} |`;
}

/** Returns the ratio of our speed to the peer's. */
export function times(ours, theirs, bound) {
  const speed = theirs / ours;
  return `${speed.toFixed(2)}${speed < bound ? " !" : ""}`;
}

/** Returns the head of a Markdown table. The first column contains names, the others figures. */
export const head = (names) => `| ${names.join(" | ")} |\n| --- |${" ---: |".repeat(names.length - 1)}`;
