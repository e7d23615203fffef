// The box of a list. Plain words are searched for while a person types. A condition is completed and checked on the
// way: its mistake is marked at its place.

import type { ResourceModel } from "../../model/fields.js";
import { offsetOf } from "../../model/locate.js";
import { BoxText, type Completion } from "../../model/query/box-text.js";
import { queriedFields } from "../../model/query/queried-fields.js";
import { describeExpected } from "../../model/wording.js";
import type { ErrorItem } from "../../pkg/browser.js";
import { loadSyntax } from "../../pkg/syntax.js";
import { debounce, h, linkButton, mount, uniqueId } from "../base/dom.js";

export type Problem = Partial<ErrorItem> & { message: string };

/** What the box asks for: words, or a condition. */
export type Asked = { text: string; where: string };

const QUIET_MS = 250;

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

interface QueryBoxOptions {
  model: ResourceModel;
  value: string;
  /** Called with what to show: while a person types with `isTyping`, otherwise after Enter. */
  ask: (asked: Asked, options: { isTyping: boolean }) => unknown;
  /** Called if the text is a condition with a mistake: the list does not show it. */
  wrong: () => unknown;
  onLeave: (run: () => void) => void;
}

/** The box: its `element`, `set` for a text that is already shown, `show` for a problem, `say`, and `focus`. */
export class QueryBox {
  element;
  #options;
  #input;
  #mirror = h("div", { class: "query-mirror", "aria-hidden": "true" });
  #popup = h("ul", {
    class: "completions card",
    id: uniqueId("completions"),
    role: "listbox",
    "aria-label": "Completions",
  });
  #status = h("div", { class: "query-status small", id: uniqueId("box"), role: "status" });
  #language: Promise<BoxText> | undefined;
  #offered: readonly Completion[] = [];
  #from = 0;
  #active = -1;
  #hasLeft = false;
  #soon = debounce(() => this.#ask(true), QUIET_MS);

  constructor(options: QueryBoxOptions) {
    this.#options = options;
    const { model, value, onLeave } = options;
    this.#popup.hidden = true;
    this.#input = h("input", {
      value,
      role: "combobox",
      spellcheck: "false",
      autocapitalize: "none",
      autocomplete: "off",
      enterkeyhint: "search",
      "aria-label": "Search or condition",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.#popup.id,
      "aria-describedby": this.#status.id,
      "aria-keyshortcuts": "/",
      placeholder: placeholderOf(model),
      oninput: () => this.#typed(),
      onkeydown: (event) => this.#press(event),
      onscroll: () => this.#follow(),
      onblur: () => this.#close(),
    });
    onLeave(() => {
      this.#hasLeft = true;
      this.#soon.stop();
    });
    this.element = h(
      "search",
      { class: "query" },
      h("div", { class: "query-box" }, this.#mirror, this.#input, this.#popup),
      this.#status,
    );
    this.#mark(undefined);
  }

  focus() {
    this.#input.focus();
  }

  /** Puts a text that the list shows already. */
  set(text: string) {
    this.#soon.stop();
    this.#input.value = text;
    this.#mark(undefined);
    this.#close();
  }

  /** Says what the list shows, such as how much. A text that is said again may be announced again. */
  say(text: string) {
    this.#mark(undefined);
    if (this.#status.textContent !== text) mount(this.#status, h("span", { class: "muted" }, text));
  }

  /** Shows a problem and its place. */
  show(problem: Problem) {
    const { column } = problem;
    const { go, token = "" } = this.#mark(problem) ?? {};
    const { text, expected } = describeProblem(problem, token);
    const place = go && [linkButton(`Character ${column}:`, go, { title: "Go there" }), " "];
    mount(
      this.#status,
      h("span", { class: "query-error" }, place, text),
      expected !== undefined && h("span", { class: "muted" }, ` Expected ${expected}.`),
    );
  }

  #typed() {
    this.#mark(undefined);
    this.#soon();
    void this.#complete();
  }

  /** The check of conditions, which is loaded when it is needed. */
  #load() {
    const { model } = this.#options;
    this.#language ??= loadSyntax(model.declared).then((syntax) => new BoxText(model, syntax.where));
    return this.#language;
  }

  /** Asks for the words or the condition of the box. */
  async #ask(isTyping: boolean) {
    this.#soon.stop();
    const text = this.#input.value;
    const language = text.trim() === "" ? undefined : await this.#load();
    // Another text was typed meanwhile, or another page is shown.
    if (this.#hasLeft || text !== this.#input.value) return;
    if (!language?.isCondition(text)) return this.#options.ask({ text, where: "" }, { isTyping });
    const problem = language.check(text);
    if (problem === undefined) return this.#options.ask({ text: "", where: text }, { isTyping });
    this.#options.wrong();
    // What a person is still typing has no mistake yet.
    if (isTyping && problem.length === 0)
      mount(this.#status, h("span", { class: "muted" }, "The condition is not complete yet."));
    else this.show(problem);
  }

  /** Offers what may follow the text before the caret. `isAsked`: a person wants to see it for an empty box, too. */
  async #complete({ isAsked = false } = {}) {
    const { selectionStart: caret, value } = this.#input;
    if (caret === null || (value.trim() === "" && !isAsked)) return this.#close();
    const language = await this.#load();
    if (value !== this.#input.value || document.activeElement !== this.#input) return;
    const { from, options } = language.complete(value.slice(0, caret));
    this.#from = from;
    this.#offered = options;
    this.#active = -1;
    mount(
      this.#popup,
      options.map((option, at) => this.#option(option, at)),
    );
    this.#popup.hidden = options.length === 0;
    this.#input.setAttribute("aria-expanded", String(options.length > 0));
    this.#input.removeAttribute("aria-activedescendant");
  }

  #option({ text, label, help }: Completion, at: number) {
    const shown = text.trim();
    const about = [label === shown ? "" : label, help === label ? "" : help].filter(Boolean).join(": ");
    return h(
      "li",
      {
        id: `${this.#popup.id}-${at}`,
        role: "option",
        "aria-selected": "false",
        // The box keeps the focus.
        onmousedown: (event: Event) => event.preventDefault(),
        onclick: () => this.#accept(at),
      },
      h("code", shown),
      about !== "" && h("span", { class: "muted small clip" }, about),
    );
  }

  #close() {
    this.#popup.hidden = true;
    this.#active = -1;
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
  }

  /** Puts a completion in place of what it completes. */
  #accept(at: number) {
    const option = this.#offered[at];
    if (option === undefined) return;
    this.#input.setRangeText(option.text, this.#from, this.#input.selectionStart ?? this.#from, "end");
    this.#input.focus();
    this.#typed();
  }

  #press(event: KeyboardEvent) {
    if (event.isComposing) return;
    const isOpen = !this.#popup.hidden;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) this.#move(step);
      else void this.#complete({ isAsked: true });
    } else if (event.key === "Escape") {
      event.preventDefault();
      // The keys of the list work outside of the box.
      if (isOpen) this.#close();
      else this.#input.blur();
    } else if ((event.key === "Enter" || event.key === "Tab") && isOpen && this.#active >= 0) {
      event.preventDefault();
      this.#accept(this.#active);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#close();
      void this.#ask(false);
    }
  }

  #move(step: number) {
    const { length } = this.#offered;
    // Beyond both ends is the text itself.
    this.#active = ((this.#active + 1 + step + length + 1) % (length + 1)) - 1;
    for (const [at, option] of [...this.#popup.children].entries()) {
      option.setAttribute("aria-selected", String(at === this.#active));
      if (at === this.#active) option.scrollIntoView({ block: "nearest" });
    }
    if (this.#active < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `${this.#popup.id}-${this.#active}`);
  }

  /** Marks the place of a problem in the text. Returns a function that focuses it, and the marked text. */
  #mark(problem: Problem | undefined) {
    const text = this.#input.value;
    if (problem === undefined) this.#input.removeAttribute("aria-invalid");
    else this.#input.setAttribute("aria-invalid", "true");
    if (problem?.line === undefined) return void mount(this.#mirror);
    const { line, column = 1, length = 0 } = problem;
    const from = offsetOf(text, line, column);
    const to = offsetOf(text, line, column + length);
    const token = text.slice(from, to);
    mount(this.#mirror, text.slice(0, from), h("mark", token || "\u00a0"), text.slice(to));
    this.#follow();
    const go = () => {
      this.#input.focus();
      this.#input.setSelectionRange(from, to);
    };
    return { go, token };
  }

  /** Moves the mark with the text. */
  #follow() {
    this.#mirror.scrollLeft = this.#input.scrollLeft;
  }
}

/** Returns what an empty box says: an example with the first number. */
function placeholderOf(model: ResourceModel) {
  const numbers = queriedFields(model).filter(({ kind }) => kind === "number");
  const field = numbers.find(({ name }) => name !== "version") ?? numbers[0];
  return `Search${field === undefined ? "" : `, or a condition: ${model.queryName(field)} > 10`}`;
}
