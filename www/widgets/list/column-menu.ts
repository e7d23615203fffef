// The menu of a list's columns: which are shown, and in which order.

import type { Column, Columns } from "../../model/query/columns.js";
import { button, h, mount, uniqueId } from "../base/dom.js";
import { closeWithFocus } from "../base/menu.js";

/** The menu. `choose` is called with the names of the columns in their new order. The first column is always shown. */
export function columnMenu(columns: Columns, shown: readonly string[], choose: (names: readonly string[]) => void) {
  let names = shown;
  const list = h("ul", { class: "stack tight" });
  const put = (next: readonly string[], focused: string) => {
    names = next;
    draw();
    list.querySelector<HTMLElement>(`[data-control="${focused}"]`)?.focus();
    columns.store(names);
    choose(names);
  };
  const move = (name: string, step: number) => {
    const at = names.indexOf(name);
    const others = names.filter((one) => one !== name);
    put([...others.slice(0, at + step), name, ...others.slice(at + step)], `${name} ${step}`);
  };
  const mover = ({ name, label: title }: Column, step: number, label: string) => {
    const next = names.indexOf(name) + step;
    return button(step < 0 ? "↑" : "↓", () => move(name, step), "quiet small", {
      "aria-label": `Move ${title} ${label}`,
      "aria-disabled": String(next < 0 || next >= names.length),
      dataset: { control: `${name} ${step}` },
    });
  };
  const row = (column: Column) => {
    const { name, label, help } = column;
    const isShown = names.includes(name);
    const hint = h("span", { class: "muted small", id: uniqueId("column") }, help);
    const toggle = () => put(isShown ? names.filter((one) => one !== name) : [...names, name], name);
    const props = { type: "checkbox", checked: isShown, dataset: { control: name }, "aria-describedby": hint.id };
    return h(
      "li",
      { class: "row" },
      h("label", { class: "check" }, h("input", { ...props, onchange: toggle }), label),
      hint,
      isShown && h("span", { class: "movers" }, mover(column, -1, "up"), mover(column, 1, "down")),
    );
  };
  const draw = () =>
    mount(list, [...columns.named(names), ...columns.all.filter(({ name }) => !names.includes(name))].map(row));
  draw();
  const summary = h("summary", { class: "button" }, "Columns");
  const reset = button("Reset", () => put(columns.defaults, columns.defaults[0] ?? ""), "quiet small");
  const card = h("div", { class: "card", role: "group", "aria-label": "Columns" }, list, h("div", reset));
  return closeWithFocus(h("details", { class: "menu" }, summary, card), summary);
}
