// The menu of example predicates.

import type { ResourceModel } from "../../model/fields.js";
import { fieldExamples, kindExamples } from "../../model/query/predicate-examples.js";
import { h } from "../base/dom.js";
import { closeWithFocus } from "../base/menu.js";

/** The menu: an example of each kind, then one for each field. `put(text)` is called with the chosen one. */
export function predicateMenu(model: ResourceModel, put: (text: string) => void) {
  const choose = (text: string) => {
    menu.open = false;
    put(text);
  };
  const summary = h("summary", "Examples");
  const menu: HTMLDetailsElement = h("details", { class: "examples" }, summary, exampleList(model, choose));
  return closeWithFocus(menu, summary);
}

function exampleList(model: ResourceModel, choose: (text: string) => void) {
  const row = (label: Node | string, text: string) =>
    h(
      "li",
      h("button", { type: "button", class: "example", onclick: () => choose(text) }, h("span", label), h("code", text)),
    );
  const examples = fieldExamples(model);
  const kinds = kindExamples(examples).map(({ label, text }) => row(label, text));
  const ofFields = examples.map(({ name, text }) => row(h("code", name), text));
  return h("div", { class: "card" }, h("ul", kinds), h("h3", { class: "muted small" }, "Fields"), h("ul", ofFields));
}
