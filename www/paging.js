// Going through a list page by page, as far as the service pages (D22).

import { h } from "./dom.js";
import { count } from "./parts.js";

/** The furthest offset and the largest page that the service takes; tests/www/collection.test.mjs holds them to it. */
export const FURTHEST = 10_000;
export const LARGEST = 500;
/** How many resources a page has at first. */
export const PAGE = 20;
const SIZES = [PAGE, 50, 100, LARGEST];

/** The line under a list. `go({ offset, limit })` shows another page. */
export function pager({ offset, limit, shown, total }, go) {
  const next = offset + limit;
  const more = next < total;
  const button = (label, enabled, target) =>
    h("button", { class: "button", type: "button", disabled: !enabled, onclick: () => go({ offset: target, limit }) }, label);
  const sizes = SIZES.includes(limit) ? SIZES : [...SIZES, limit].sort((a, b) => a - b);
  const size = h("select", { "aria-label": "Resources in a page", value: String(limit), onchange: (event) => go({ offset: 0, limit: Number(event.target.value) }) },
    sizes.map((one) => h("option", { value: String(one) }, `${one} a page`)));
  return h(
    "nav",
    { class: "pager toolbar", "aria-label": "Pages" },
    h("span", { class: "muted numeric" }, shown === 0 ? "0" : `${count(offset + 1)}–${count(offset + shown)}`, ` of ${count(total)}`),
    more && next > FURTHEST && h("span", { class: "muted small" }, `Pages end at ${count(FURTHEST)}: narrow the list to see the rest.`),
    h("span", { class: "push" }),
    size,
    button("Previous", offset > 0, Math.max(offset - limit, 0)),
    button("Next", more && next <= FURTHEST, next),
  );
}

/** A whole number of an address, within bounds. */
export function whole(text, otherwise, most) {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) && number >= 0 && number <= most ? number : otherwise;
}
