// The predicate box: the service checks the predicate during typing. If it is invalid, the box marks the place and
// shows what was expected. If it is valid, the box shows the number of matches.

import { debounce, h, mount, uniqueId } from "./dom.js";
import { offsetOf } from "../model/locate.js";
import { plural } from "./common.js";
import { expectedOf } from "../model/wording.js";

const QUIET_MS = 250;
/** @type {[string, string][]} */
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

/**
 * Returns the predicate's problem from a call's error: an item of `errors`, or `undefined` if the predicate is not the
 * cause.
 */
export function predicateProblem(error) {
  return error.errors?.find(({ parameter }) => parameter === "where");
}

/** Returns the texts for a problem by its reason: `{ said, expected }`. */
export function wordsOf({ reason, field, variable, suggestion, expected, message }, token) {
  const wanted = expectedOf({ expected });
  switch (reason) {
    case "syntax":
      return { said: token === "" ? "Something is missing." : `Unexpected '${token}'.`, expected: wanted };
    case "unknownField":
      return {
        said: `There is no field '${field}'.${suggestion === undefined ? "" : ` Did you mean '${suggestion}'?`}`,
      };
    case "operator":
      return { said: `The field '${field}' does not support this.`, expected: wanted };
    case "type":
      return {
        said:
          field === undefined
            ? `The variable ${variable} has another type.`
            : `The field '${field}' does not compare with '${token}'.`,
        expected: wanted,
      };
    default:
      return { said: message };
  }
}

/**
 * The box: its `element`, `set` for a text that is already applied, and `focus`. `apply(text)` is called to show the
 * matches.
 */
export class PredicateBox {
  #client;
  #input;
  #mirror = h("pre", { class: "predicate-mirror", "aria-hidden": "true" });
  #status = h("div", { class: "predicate-status small", id: uniqueId("where"), role: "status" });
  #controller = new AbortController();
  #soon = debounce(() => this.#judge(), QUIET_MS);

  constructor({ client, value, apply, onLeave }) {
    this.#client = client;
    this.#input = textarea(value, this.#status.id);
    this.#input.addEventListener("input", () => {
      this.#mark(undefined);
      this.#soon();
    });
    this.#input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      apply(this.#input.value);
    });
    onLeave(() => {
      this.#soon.stop();
      this.#controller.abort();
    });
    this.element = this.#whole(() => apply(this.#input.value));
    this.set(value);
  }

  focus() {
    this.#input.focus();
  }

  set(text) {
    if (this.#input.value !== text) this.#input.value = text;
    this.#soon.stop();
    this.#mark(undefined);
    this.#judge();
  }

  #whole(apply) {
    const put = (text) => {
      this.set(text);
      this.focus();
    };
    return h(
      "section",
      { class: "predicate", "aria-label": "Condition" },
      h(
        "div",
        { class: "predicate-line" },
        h("div", { class: "predicate-box" }, this.#mirror, this.#input),
        h("button", { class: "button", type: "button", onclick: apply }, "Apply"),
      ),
      h("div", { class: "predicate-below" }, this.#status, help(put)),
    );
  }

  /** Sends the text to the service for a check. A later check cancels an earlier one. */
  async #judge() {
    this.#controller.abort();
    const { signal } = (this.#controller = new AbortController());
    const where = this.#input.value.trim() === "" ? undefined : this.#input.value;
    try {
      const { total } = await this.#client.query({ where, limit: 0 }, { signal });
      this.#mark(undefined);
      mount(
        this.#status,
        h(
          "span",
          { class: "muted" },
          where === undefined ? `${plural(total, "resource")} in all` : plural(total, "match", "matches"),
        ),
      );
    } catch (error) {
      if (!signal.aborted) this.#tell(predicateProblem(error) ?? { message: error.message });
    }
  }

  /** Shows the problem and its place. */
  #tell(problem) {
    const { line, column } = problem;
    const { go, token } = this.#mark(problem) ?? {};
    const { said, expected } = wordsOf(problem, token);
    const place = go && [
      h("button", { type: "button", class: "link", onclick: go, title: "Go there" }, `Line ${line}, column ${column}:`),
      " ",
    ];
    mount(
      this.#status,
      h("span", { class: "predicate-error" }, place, said),
      expected !== undefined && h("span", { class: "muted" }, ` Expected ${expected}.`),
    );
  }

  /** Marks the place of a problem in the text. Returns a function that focuses it, and the marked text. */
  #mark(problem) {
    const text = this.#input.value;
    if (problem === undefined) this.#input.removeAttribute("aria-invalid");
    else this.#input.setAttribute("aria-invalid", "true");
    // Shows the last line even if it is empty.
    if (problem?.line === undefined) return void mount(this.#mirror, text, "\u200b");
    const { line, column, length } = problem;
    const from = offsetOf(text, line, column);
    const to = offsetOf(text, line, column + length);
    const token = text.slice(from, to);
    mount(this.#mirror, text.slice(0, from), h("mark", {}, token || "\u00a0"), text.slice(to), "\u200b");
    const go = () => {
      this.#input.focus();
      this.#input.setSelectionRange(from, to);
    };
    return { go, token };
  }
}

function textarea(value, status) {
  return h("textarea", {
    class: "mono",
    rows: 1,
    value,
    spellcheck: "false",
    autocapitalize: "none",
    autocomplete: "off",
    "aria-label": "Condition",
    "aria-describedby": status,
    placeholder: "For example: version > 1",
  });
}

function help(put) {
  const row = ([label, text]) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "example",
          onclick: (event) => {
            event.currentTarget.closest("details").open = false;
            put(text);
          },
        },
        h("span", {}, label),
        h("code", {}, text),
      ),
    );
  const examples = h(
    "details",
    { class: "examples" },
    h("summary", {}, "Examples"),
    h("ul", { class: "card" }, EXAMPLES.map(row)),
  );
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
