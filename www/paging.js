// Going through a list page by page, as far as the service pages (D22).

import { h } from "./dom.js";
import { count } from "./parts.js";

/** The furthest offset and the largest page that the service takes; tests/www/collection.test.mjs holds them to it. */
export const FURTHEST = 10_000;
export const LARGEST = 500;
/** How many resources a page has at first. */
export const PAGE = 20;
const SIZES = [PAGE, 50, 100, LARGEST];

/**
 * The line under a list. `go({ offset, limit })` shows another page, with another such line, and resolves once it is
 * there.
 */
export function pager({ offset, limit, shown, total }, go) {
  const next = offset + limit;
  const more = next < total;
  const turn = ({ currentTarget }, changes) => {
    // The line is taken away, and with it the focus: the same control of the new one gets it.
    const around = currentTarget.closest(".pager").parentElement;
    return go(changes).then(() => refocus(around, currentTarget.dataset.turn));
  };
  const button = (label, enabled, target) =>
    h(
      "button",
      {
        class: "button",
        type: "button",
        disabled: !enabled,
        dataset: { turn: label },
        onclick: (event) => turn(event, { offset: target, limit }),
      },
      label,
    );
  return h(
    "nav",
    { class: "pager toolbar", "aria-label": "Pages" },
    h(
      "span",
      { class: "muted numeric" },
      shown === 0 ? "0" : `${count(offset + 1)}–${count(offset + shown)}`,
      ` of ${count(total)}`,
    ),
    more &&
      next > FURTHEST &&
      h("span", { class: "muted small" }, `Pages end at ${count(FURTHEST)}: narrow the list to see the rest.`),
    h("span", { class: "push" }),
    sizeSelect(limit, (event) => turn(event, { offset: 0, limit: Number(event.currentTarget.value) })),
    button("Previous", offset > 0, Math.max(offset - limit, 0)),
    button("Next", more && next <= FURTHEST, next),
  );
}

function sizeSelect(limit, onchange) {
  const sizes = SIZES.includes(limit) ? SIZES : [...SIZES, limit].sort((a, b) => a - b);
  return h(
    "select",
    { "aria-label": "Resources in a page", value: String(limit), dataset: { turn: "size" }, onchange },
    sizes.map((one) => h("option", { value: String(one) }, `${one} a page`)),
  );
}

/**
 * Gives a control of the list's new line the focus, where it went with the former one: the same, or its neighbour at an
 * end.
 */
function refocus(around, turn) {
  if (document.activeElement !== document.body) return;
  const able = [...around.querySelectorAll("[data-turn]")].filter(({ disabled }) => !disabled);
  (able.find(({ dataset }) => dataset.turn === turn) ?? able.at(-1) ?? around.querySelector("button"))?.focus();
}

/** A whole number of an address, within bounds. */
export function whole(text, otherwise, most) {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) && number >= 0 && number <= most ? number : otherwise;
}
