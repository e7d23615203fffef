// A value as JSON text to edit: what is wrong is listed with line and column, and one press away.

import { debounce, h, uniqueId } from "./dom.js";
import { plural } from "./parts.js";
import { located } from "./locate.js";

const SHOWN = 20;
const LONG = 20_000;

/** The editor; `judge(text)` gives the issues of a text, `changed()` is called when somebody typed. */
export function jsonEditor({ judge, changed, label }) {
  const id = uniqueId("json");
  const area = h("textarea", { id, class: "mono json", rows: 24, spellcheck: "false", autocomplete: "off", "aria-describedby": `${id}-issues`, wrap: "off" });
  const list = h("ul", { class: "issues stack tight", id: `${id}-issues`, "aria-live": "polite" });
  const tidy = h("button", { class: "button small", type: "button" }, "Tidy up");
  const element = h("div", { class: "field" }, h("div", { class: "row" }, h("label", { for: id }, label), tidy), area, list);
  let issues = [];

  function select({ from, to }) {
    area.focus();
    area.setSelectionRange(from, to);
    // Browsers scroll to what is selected only when the field loses and takes the focus.
    area.blur();
    area.focus();
  }
  function check() {
    issues = located(area.value, judge(area.value));
    if (issues.length === 0) area.removeAttribute("aria-invalid");
    else area.setAttribute("aria-invalid", "true");
    const lines = issues.slice(0, SHOWN).map((issue) => h("li", {}, h("button", { class: "link numeric", type: "button", onclick: () => select(issue) }, `Line ${issue.line}, column ${issue.column}`), ` ${issue.message}`));
    if (issues.length > SHOWN) lines.push(h("li", {}, `And ${plural(issues.length - SHOWN, "more problem")}.`));
    list.replaceChildren(...lines);
  }
  let waiting = false;
  const told = () => {
    waiting = false;
    check();
    changed();
  };
  const soon = debounce(told, 250);
  area.addEventListener("input", () => {
    waiting = true;
    if (area.value.length > LONG) soon();
    else told();
  });
  area.addEventListener("keydown", (event) => indent(event, area));
  tidy.addEventListener("click", () => {
    try {
      area.value = JSON.stringify(JSON.parse(area.value), null, 2);
    } catch {
      // Where it is wrong stands below already.
      if (issues[0] !== undefined) select(issues[0]);
      return;
    }
    told();
  });
  return {
    element,
    area,
    select,
    get text() {
      return area.value;
    },
    set text(value) {
      area.value = value;
      check();
    },
    check() {
      check();
      return issues;
    },
    /** Tells at once what was typed and not told yet. */
    flush() {
      soon.stop();
      if (waiting) told();
    },
  };
}

/** Enter keeps the line's indentation. Tab stays what it is for those who get about by keyboard. */
function indent(event, area) {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
  const before = area.value.slice(0, area.selectionStart);
  const [space] = /[ ]*$/.exec(/(?:^|\n)([ ]*)[^\n]*$/.exec(before)[1]);
  const deeper = /[[{]\s*$/.test(before) ? "  " : "";
  if (space + deeper === "") return;
  event.preventDefault();
  // Unlike setting the value it can be undone.
  document.execCommand("insertText", false, `\n${space}${deeper}`);
}
