// The predicate box: what is typed is judged by the service itself while it is typed. Where it is wrong the place is marked
// in the text and what was expected is said; where it is right the number of matches is shown.

import { debounce, h, mount, uniqueId } from "./dom.js";
import { plural } from "./parts.js";

const QUIET_MS = 250;
// As the service ends its messages: "(line 1, column 8)." (contract, section 7).
const PLACE = /^(.*?)\s*\(line (\d+), column (\d+)\)\.?$/s;
const EXAMPLES = [
  ["A key", 'key = "first"'],
  ["A number in a list", "arrayOfIntExample contains any (1, 2)"],
  ["A range", "arrayOfFloatExample >= 0.5 and arrayOfFloatExample < 10"],
  ["A text, whatever its case", 'someProperty matches ignore case "hello"'],
  ["Something missing", "arrayOfStringExample is empty or custom is not defined"],
  ["Changed at least once", "version > 1"],
  ["An object in a list", "arrayOfObjectType(integerExample = 1 and integerExampleInt32 > 0)"],
  ["Near a place", "arrayOfTwonumbersExample within circle (13, 52, 100000)"],
];

/** What is wrong with a predicate, from the error of a call: `{ message, expected, line, column }`; no place where none was
 * told, and `undefined` where the predicate is not what failed. */
export function predicateProblem(error) {
  const item = error.errors?.find(({ parameter }) => parameter === "where");
  if (item === undefined) return undefined;
  const text = item.message.replace(/^Malformed parameter: where: (Syntax error while parsing 'where'\. )?/, "");
  const [, said = text, line, column] = PLACE.exec(text) ?? [];
  const [message, expected] = said.split(/, expected (.*)/s);
  return { message, expected, line: line && Number(line), column: column && Number(column) };
}

/** The offset in UTF-16 units of a line and a column of characters, both from 1. */
export function offsetOf(text, line, column) {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
}

/** The box. `apply(text)` is called when a person wants to see what matches. */
export function predicateBox({ client, value, apply, onLeave }) {
  const ids = { status: uniqueId("where") };
  const mirror = h("pre", { class: "predicate-mirror", "aria-hidden": "true" });
  const input = h("textarea", {
    class: "mono",
    rows: 1,
    value,
    spellcheck: "false",
    autocapitalize: "none",
    autocomplete: "off",
    "aria-label": "Condition",
    "aria-describedby": ids.status,
    placeholder: "For example: version > 1",
  });
  const status = h("div", { class: "predicate-status small", id: ids.status, role: "status" });
  let controller = new AbortController();

  function draw(from, to = from) {
    const text = input.value;
    const marked = text.slice(from, to) || "\u00a0";
    mount(mirror, from === undefined ? text : [text.slice(0, from), h("mark", {}, marked), text.slice(to)], "\u200b");
  }

  function show(problem) {
    const text = input.value;
    if (problem === undefined) {
      input.removeAttribute("aria-invalid");
      return draw();
    }
    input.setAttribute("aria-invalid", "true");
    if (problem.line === undefined) return draw();
    const from = offsetOf(text, problem.line, problem.column);
    const [token = ""] = /^(?:[\w.-]+|[^]?)/u.exec(text.slice(from)) ?? [];
    draw(from, from + token.length);
    const there = () => {
      input.focus();
      input.setSelectionRange(from, from + token.length);
    };
    return there;
  }

  async function judge() {
    controller.abort();
    const mine = (controller = new AbortController());
    const where = input.value.trim() === "" ? undefined : input.value;
    try {
      const { total } = await client.query({ where, limit: 0 }, { signal: mine.signal });
      show(undefined);
      mount(status, h("span", { class: "muted" }, where === undefined ? `${plural(total, "resource")} in all` : `${plural(total, "match", "matches")}`));
    } catch (error) {
      if (mine.signal.aborted) return;
      tell(predicateProblem(error) ?? { message: error.message });
    }
  }

  function tell(problem) {
    const there = show(problem);
    const place = problem.line === undefined ? undefined : `Line ${problem.line}, column ${problem.column}:`;
    mount(
      status,
      h("span", { class: "predicate-error" }, place !== undefined && h("button", { type: "button", class: "link", onclick: there, title: "Go there" }, place), place !== undefined && " ", problem.message, problem.expected !== undefined && "."),
      problem.expected !== undefined && h("span", { class: "muted" }, ` Expected ${problem.expected.replace(/\.$/, "")}.`),
    );
  }

  const soon = debounce(judge, QUIET_MS);
  input.addEventListener("input", () => {
    show(undefined);
    soon();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    apply(input.value);
  });
  onLeave(() => {
    soon.stop();
    controller.abort();
  });

  const put = (text) => {
    input.value = text;
    show(undefined);
    judge();
    input.focus();
  };
  draw();
  judge();
  const element = h(
    "section",
    { class: "predicate", "aria-label": "Condition" },
    h(
      "div",
      { class: "predicate-line" },
      h("div", { class: "predicate-box" }, mirror, input),
      h("button", { class: "button", type: "button", onclick: () => apply(input.value) }, "Apply"),
    ),
    h("div", { class: "predicate-below" }, status, help(put)),
  );
  return {
    element,
    focus: () => input.focus(),
    /** Shows another text, which is applied already. */
    set(text) {
      if (input.value !== text) input.value = text;
      soon.stop();
      show(undefined);
      judge();
    },
  };
}

function help(put) {
  const row = ([label, text]) =>
    h("li", {}, h("button", { type: "button", class: "example", onclick: (event) => {
      event.currentTarget.closest("details").open = false;
      put(text);
    } }, h("span", {}, label), h("code", {}, text)));
  const examples = h("details", { class: "examples" }, h("summary", {}, "Examples"), h("ul", { class: "card" }, EXAMPLES.map(row)));
  examples.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !examples.open) return;
    examples.open = false;
    examples.querySelector("summary").focus();
  });
  examples.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget !== null && !examples.contains(relatedTarget)) examples.open = false;
  });
  return examples;
}
