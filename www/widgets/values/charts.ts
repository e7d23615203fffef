// Charts of number lists as inline SVG. Each has a text alternative.

import { h, svg } from "../base/dom.js";

const WIDTH = 240;
const HEIGHT = 48;
// More points than this would share pixels.
const POINTS = 480;

const shortNumber = new Intl.NumberFormat("en", { maximumSignificantDigits: 5 });
/** Returns a short text of a number. */
export const short = (number: number) =>
  Math.abs(number) >= 1e15 || (number !== 0 && Math.abs(number) < 1e-4)
    ? String(Number(number.toPrecision(5)))
    : shortNumber.format(number);

/** Returns the minimum, maximum, mean, and count of a list that is not empty. */
export function summary(numbers: readonly number[]) {
  let minimum = Infinity;
  let maximum = -Infinity;
  let mean = 0;
  numbers.forEach((number, at) => {
    minimum = Math.min(minimum, number);
    maximum = Math.max(maximum, number);
    // Step by step, so that sums of large numbers do not overflow.
    mean += number / (at + 1) - mean / (at + 1);
  });
  return { minimum, maximum, mean, count: numbers.length };
}

/** A line chart of the numbers in their order. */
export function sparkline(numbers: readonly number[], { name, small = false }: { name: string; small?: boolean }) {
  const { minimum, maximum } = summary(numbers);
  // Use halves, because the difference of two doubles may overflow.
  const half = maximum / 2 - minimum / 2;
  const level = (number: number) => (half === 0 ? 0.5 : (number / 2 - minimum / 2) / half);
  const [width, height] = small ? [72, 20] : [WIDTH, HEIGHT];
  const shown = thin(numbers);
  const x = (at: number) => (shown.length === 1 ? width / 2 : 2 + (at / (shown.length - 1)) * (width - 4));
  const y = (number: number) => 2 + (1 - level(number)) * (height - 4);
  const points = shown.map((number, at) => `${x(at).toFixed(1)},${y(number).toFixed(1)}`);
  const dots = shown.length <= (small ? 1 : 24) ? points.map((point) => dot(point, small)) : [];
  const line = svg("polyline", { class: "chart-line", points: points.join(" ") });
  const label = `${name}: ${numbers.length} in order, from ${short(numbers[0] ?? 0)} to ${short(numbers.at(-1) ?? 0)}`;
  return svg(
    "svg",
    { class: small ? "chart small" : "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    line,
    dots,
  );
}

function dot(point: string, small: boolean) {
  const [cx, cy] = point.split(",");
  return svg("circle", { class: "chart-dot", cx, cy, r: small ? 2 : 2.5 });
}

/** Reduces the numbers to as many points as can be distinguished, with the minimum and maximum of each section. */
function thin(numbers: readonly number[]) {
  if (numbers.length <= POINTS) return numbers;
  const kept = [];
  const stretch = (numbers.length * 2) / POINTS;
  for (let start = 0; start < numbers.length; start += stretch) {
    const part = numbers.slice(Math.floor(start), Math.floor(start + stretch));
    if (part.length > 0) kept.push(Math.min(...part), Math.max(...part));
  }
  return kept;
}

/**
 * Splits the numbers into equal bins, `{ from, to, count }` each. Returns none if their range overflows. A few
 * different whole numbers have a bin each.
 */
export function bins(numbers: readonly number[], max = 12) {
  const { minimum, maximum } = summary(numbers);
  const span = maximum - minimum;
  if (!Number.isFinite(span)) return [];
  const one = [{ from: minimum, to: maximum, count: numbers.length }];
  if (span === 0) return one;
  const whole = numbers.every(Number.isInteger);
  const wanted = Math.min(max, Math.max(4, Math.ceil(Math.sqrt(numbers.length)) + 1));
  const many = whole && span < wanted ? span + 1 : wanted;
  const width = whole && span < wanted ? 1 : span / many;
  // The numbers are too close to be divided.
  if (width === 0) return one;
  const all = Array.from({ length: many }, (_, at) => ({
    from: minimum + at * width,
    to: width === 1 && whole ? minimum + at : minimum + (at + 1) * width,
    count: 0,
  }));
  for (const number of numbers) {
    const bin = all[Math.min(Math.floor((number - minimum) / width), many - 1)];
    if (bin !== undefined) bin.count += 1;
  }
  return all;
}

/** A bar chart of the numbers' distribution. */
export function histogram(numbers: readonly number[], { name }: { name: string }) {
  const all = bins(numbers);
  if (all.length === 0) return undefined;
  const top = Math.max(...all.map(({ count }) => count));
  const step = WIDTH / all.length;
  const bar = ({ from, to, count }: { from: number; to: number; count: number }, at: number) => {
    const height = count === 0 ? 0 : Math.max((count / top) * (HEIGHT - 2), 2);
    const text = `${from === to ? short(from) : `${short(from)} to ${short(to)}`}: ${count}`;
    return svg(
      "rect",
      {
        class: "chart-bar",
        x: (at * step + 1).toFixed(1),
        y: (HEIGHT - height).toFixed(1),
        width: Math.max(step - 2, 1).toFixed(1),
        height: height.toFixed(1),
        rx: 1.5,
      },
      svg("title", {}, text),
    );
  };
  const fullest = all.find(({ count }) => count === top);
  const label =
    `${name}: ${all.length} bins, most (${top}) ` + `from ${short(fullest?.from ?? 0)} to ${short(fullest?.to ?? 0)}`;
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    all.map(bar),
  );
}

/** The figures under a chart. */
export function figures(numbers: readonly number[]) {
  const { minimum, maximum, mean, count } = summary(numbers);
  const pair = (name: string, value: string) => h("div", h("dt", name), h("dd", { class: "numeric" }, value));
  return h(
    "dl",
    { class: "figures" },
    pair("Count", String(count)),
    pair("Minimum", short(minimum)),
    pair("Mean", short(mean)),
    pair("Maximum", short(maximum)),
  );
}
