// The menu of a project's saved views: addresses of its list with a name, kept in this browser.

import { parseJson } from "../../model/json.js";
import { storeChoice, storedChoice } from "../../model/stored.js";
import { dialog } from "../base/dialog.js";
import { button, crossButton, h, mount } from "../base/dom.js";
import { closeWithFocus } from "../base/menu.js";
import { labeled } from "../base/labeled.js";

type SavedView = { name: string; hash: string };

/** The menu. A view leads to the address at which it was saved. */
export function viewMenu(project: string) {
  const place = `views of ${project}`;
  const read = () => parseJson<SavedView[]>(storedChoice(place) ?? "") ?? [];
  const write = (views: readonly SavedView[]) => {
    storeChoice(place, views.length === 0 ? undefined : JSON.stringify(views));
    draw();
  };
  const list = h("ul", { class: "stack tight" });
  const draw = () =>
    mount(
      list,
      read().map(({ name, hash }) => {
        const remove = () => write(read().filter((view) => view.name !== name));
        return h("li", { class: "row" }, h("a", { href: hash }, name), crossButton(`Remove the view ${name}`, remove));
      }),
    );
  const save = async () => {
    const input = h("input", { maxlength: 60, autocomplete: "off" });
    const field = labeled("Name", input, { hint: "Words, filters, order, and columns are kept in this browser." });
    const check = () => {
      field.error(input.value.trim() === "" ? "Enter a name." : undefined);
      return input.value.trim() !== "";
    };
    const { hash } = location;
    if (
      !(await dialog("Save this view", field.element, [
        { label: "Cancel" },
        { label: "Save", kind: "primary", check, value: true },
      ]))
    )
      return;
    const name = input.value.trim();
    write([...read().filter((view) => view.name !== name), { name, hash }]);
  };
  draw();
  const summary = h("summary", { class: "button" }, "Views");
  const card = h(
    "div",
    { class: "card", role: "group", "aria-label": "Views" },
    list,
    h("div", button("Save this view", save, "small")),
  );
  return closeWithFocus(h("details", { class: "menu" }, summary, card), summary);
}
