// Paging through a list, up to the service's limits (D22).

import { h } from "./dom.js";
import { count } from "./common.js";

/** The largest offset and page size that the service accepts; tests/www/collection.test.mjs compares them. */
export const FURTHEST = 10_000;
export const LARGEST = 500;
/** The default number of resources per page. */
export const PAGE = 20;
const SIZES = [PAGE, 50, 100, LARGEST];

/**
 * The controls under a list. `go({ offset, limit })` shows another page with new controls, and resolves once it is
 * there.
 */
export function pager({ offset, limit, shown, total }, go) {
  const next = offset + limit;
  const more = next < total;
  const turn = ({ currentTarget }, changes) => {
    // The controls are replaced, so the focus is lost: the same control of the new ones gets it.
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

/** Restores the focus in the new controls if it was lost: to the same control, or to its neighbor at an end. */
function refocus(around, turn) {
  if (document.activeElement !== document.body) return;
  const able = [...around.querySelectorAll("[data-turn]")].filter(({ disabled }) => !disabled);
  (able.find(({ dataset }) => dataset.turn === turn) ?? able.at(-1) ?? around.querySelector("button"))?.focus();
}

/** Parses a whole number of an address, within limits. */
export function whole(text, otherwise, most) {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) && number >= 0 && number <= most ? number : otherwise;
}
