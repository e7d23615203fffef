// The controls that page through a list.

import type { Place } from "../../model/query/paging.js";
import { limits } from "../../pkg/browser.js";
import { button, h } from "../base/dom.js";
import { count } from "../base/format.js";

const SIZES = [limits.pageDefault, 50, 100, limits.pageMax];

/**
 * The controls under a list. `go({ offset, limit })` shows another page with new controls, and resolves once it is
 * there.
 */
export function pager(
  { offset, limit, shown, total }: Place & { shown: number; total: number },
  go: (place: Place) => Promise<unknown>,
) {
  const next = offset + limit;
  const more = next < total;
  const turn = (control: HTMLElement, place: Place) => {
    // The controls are replaced, so the focus is lost: the same control of the new ones gets it.
    const around = control.closest(".pager")?.parentElement;
    return go(place).then(() => around && focusControl(around, control.dataset.turn));
  };
  const turnButton = (label: string, enabled: boolean, target: number) => {
    const props = { disabled: !enabled, dataset: { turn: label } };
    const control: HTMLElement = button(label, () => turn(control, { offset: target, limit }), "", props);
    return control;
  };
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
      next > limits.offsetMax &&
      h(
        "span",
        { class: "muted small" },
        `Paging ends at ${count(limits.offsetMax)}. Narrow the list to see the rest.`,
      ),
    h("span", { class: "push" }),
    sizeSelect(limit, (select) => turn(select, { offset: 0, limit: Number(select.value) })),
    turnButton("Previous", offset > 0, Math.max(offset - limit, 0)),
    turnButton("Next", more && next <= limits.offsetMax, next),
  );
}

function sizeSelect(limit: number, changed: (select: HTMLSelectElement) => unknown) {
  const sizes = SIZES.includes(limit) ? SIZES : [...SIZES, limit].sort((a, b) => a - b);
  return h(
    "select",
    {
      "aria-label": "Resources per page",
      value: String(limit),
      dataset: { turn: "size" },
      onchange: ({ currentTarget }) => changed(currentTarget),
    },
    sizes.map((one) => h("option", { value: String(one) }, `${one} per page`)),
  );
}

/** Restores the focus in the new controls if it was lost: to the same control, or to its neighbor at an end. */
function focusControl(around: Element, turn: string | undefined) {
  if (document.activeElement !== document.body) return;
  const controls: NodeListOf<HTMLButtonElement | HTMLSelectElement> = around.querySelectorAll("[data-turn]");
  const able = [...controls].filter(({ disabled }) => !disabled);
  (able.find(({ dataset }) => dataset.turn === turn) ?? able.at(-1) ?? around.querySelector("button"))?.focus();
}
