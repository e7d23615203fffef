// The predicate box: the service checks the predicate during typing. If it is invalid, the box marks the place and
// shows what was expected. If it is valid, the box shows the number of matches.

import type { ResourceModel } from "../../model/fields.js";
import { offsetOf } from "../../model/locate.js";
import { firstExample } from "../../model/query/predicate-examples.js";
import { describeExpected } from "../../model/wording.js";
import type { ErrorItem, ResourceClient } from "../../pkg/browser.js";
import { button, debounce, h, linkButton, mount, uniqueId } from "../base/dom.js";
import { failureOf } from "../base/failure.js";
import { plural } from "../base/format.js";
import { predicateMenu } from "./predicate-menu.js";

type Problem = Partial<ErrorItem> & { message: string };

const QUIET_MS = 250;

/**
 * Returns the predicate's problem from a call's error: an item of `errors`, or `undefined` if the predicate is not the
 * cause.
 */
export function predicateProblem(error: unknown) {
  return failureOf(error).errors?.find(({ parameter }) => parameter === "where");
}

/** Returns the texts for a problem by its reason. `token` is the marked text. */
function describeProblem(
  { reason, field, variable, suggestion, expected, message }: Problem,
  token: string,
): { text: string; expected?: string | undefined } {
  const wanted = describeExpected({ expected });
  switch (reason) {
    case "syntax":
      return { text: token === "" ? "Something is missing." : `Unexpected '${token}'.`, expected: wanted };
    case "unknownField":
      return {
        text: `There is no field '${field}'.${suggestion === undefined ? "" : ` Did you mean '${suggestion}'?`}`,
      };
    case "operator":
      return { text: `The field '${field}' does not support this.`, expected: wanted };
    case "type":
      return {
        text:
          field === undefined
            ? `The variable ${variable} has another type.`
            : `The field '${field}' cannot be compared with '${token}'.`,
        expected: wanted,
      };
    default:
      return { text: message };
  }
}

interface PredicateBoxOptions {
  client: ResourceClient;
  model: ResourceModel;
  value: string;
  apply: (text: string) => unknown;
  onLeave: (run: () => void) => void;
}

/**
 * The box: its `element`, `set` for a text that is already applied, and `focus`. `apply(text)` is called to show the
 * matches.
 */
export class PredicateBox {
  element;
  #client;
  #input;
  #mirror = h("pre", { class: "predicate-mirror", "aria-hidden": "true" });
  #status = h("div", { class: "predicate-status small", id: uniqueId("where"), role: "status" });
  #controller = new AbortController();
  /** The text whose matches are listed. */
  #applied = "";
  #soon = debounce(() => this.#check(), QUIET_MS);

  constructor({ client, model, value, apply, onLeave }: PredicateBoxOptions) {
    this.#client = client;
    this.#input = textarea(value, this.#status.id, firstExample(model));
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
    this.element = this.#section(model, () => apply(this.#input.value));
    this.set(value);
  }

  focus() {
    this.#input.focus();
  }

  set(text: string) {
    this.#applied = text;
    if (this.#input.value !== text) this.#input.value = text;
    this.#soon.stop();
    this.#mark(undefined);
    void this.#check();
  }

  #section(model: ResourceModel, apply: () => unknown) {
    const put = (text: string) => {
      this.set(text);
      this.focus();
    };
    return h(
      "section",
      { class: "stack snug", "aria-label": "Condition" },
      h(
        "div",
        { class: "predicate-line" },
        h("div", { class: "predicate-box" }, this.#mirror, this.#input),
        button("Apply", apply),
      ),
      h("div", { class: "predicate-below" }, this.#status, predicateMenu(model, put)),
    );
  }

  get #where() {
    return this.#input.value.trim() === "" ? undefined : this.#input.value;
  }

  /** Shows how many resources match a predicate, unless the text is another one. */
  count(where: string | undefined, total: number) {
    if (where !== this.#where) return;
    const text = where === undefined ? `${plural(total, "resource")} in total` : plural(total, "match", "matches");
    if (this.#status.textContent !== text) mount(this.#status, h("span", { class: "muted" }, text));
  }

  /** Sends the text to the service for a check. A later check cancels an earlier one. */
  async #check() {
    this.#controller.abort();
    const { signal } = (this.#controller = new AbortController());
    const where = this.#where;
    try {
      const { total = 0 } = await this.#client.query({ where, limit: 0 }, { signal });
      this.#mark(undefined);
      this.count(where, total);
    } catch (error) {
      if (signal.aborted) return;
      const problem = predicateProblem(error);
      // The list shows why it could not be loaded.
      if (problem === undefined && this.#input.value === this.#applied) mount(this.#status);
      else this.#show(problem ?? failureOf(error));
    }
  }

  /** Shows the problem and its place. */
  #show(problem: Problem) {
    const { line, column } = problem;
    const { go, token = "" } = this.#mark(problem) ?? {};
    const { text, expected } = describeProblem(problem, token);
    const place = go && [linkButton(`Line ${line}, column ${column}:`, go, { title: "Go there" }), " "];
    mount(
      this.#status,
      h("span", { class: "predicate-error" }, place, text),
      expected !== undefined && h("span", { class: "muted" }, ` Expected ${expected}.`),
    );
  }

  /** Marks the place of a problem in the text. Returns a function that focuses it, and the marked text. */
  #mark(problem: Problem | undefined) {
    const text = this.#input.value;
    if (problem === undefined) this.#input.removeAttribute("aria-invalid");
    else this.#input.setAttribute("aria-invalid", "true");
    // Shows the last line even if it is empty.
    if (problem?.line === undefined) return void mount(this.#mirror, text, "\u200b");
    const { line, column = 1, length = 0 } = problem;
    const from = offsetOf(text, line, column);
    const to = offsetOf(text, line, column + length);
    const token = text.slice(from, to);
    mount(this.#mirror, text.slice(0, from), h("mark", token || "\u00a0"), text.slice(to), "\u200b");
    const go = () => {
      this.#input.focus();
      this.#input.setSelectionRange(from, to);
    };
    return { go, token };
  }
}

function textarea(value: string, status: string, placeholder: string) {
  return h("textarea", {
    class: "mono",
    rows: 1,
    value,
    spellcheck: "false",
    autocapitalize: "none",
    autocomplete: "off",
    "aria-label": "Condition",
    "aria-describedby": status,
    placeholder,
  });
}
