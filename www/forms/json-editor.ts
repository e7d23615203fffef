// An editor of a value as JSON text. It lists issues with line and column; a click leads to each.

import { parseJson } from "../model/json.js";
import { locateIssues, type Located, type Span, type TextIssue } from "../model/locate.js";
import { button, debounce, h } from "../widgets/base/dom.js";
import { labeled } from "../widgets/base/labeled.js";

const SHOWN = 20;
// Longer texts are validated when typing pauses.
const LONG = 20_000;
const REST_MS = 250;

/** The editor of a JSON text. */
export class JsonEditor {
  element;
  #check;
  #changed;
  #issues: Located<TextIssue>[] = [];
  #waiting = false;
  #soon = debounce(() => this.#report(), REST_MS);
  #area;
  #mark;

  /** `check(text)` returns the issues of a text; `changed()` is called after typing. */
  constructor({ check, changed, label }: { check: (text: string) => TextIssue[]; changed: () => void; label: string }) {
    this.#check = check;
    this.#changed = changed;
    this.#area = h("textarea", {
      class: "mono json",
      rows: 24,
      spellcheck: "false",
      autocomplete: "off",
      wrap: "off",
      oninput: () => this.#typed(),
      onkeydown: indent,
    });
    const aside = button("Format", () => this.#format(), "small");
    const { element, mark } = labeled(label, this.#area, { aside, most: SHOWN });
    this.element = element;
    this.#mark = mark;
  }

  get text() {
    return this.#area.value;
  }

  set text(value) {
    this.#area.value = value;
    this.check();
  }

  /** Lists the issues, and returns them with their places. */
  check() {
    this.#issues = locateIssues(this.text, this.#check(this.text));
    this.#mark(
      this.#issues.map((issue) => ({
        text: issue.message,
        place: `Line ${issue.line}, column ${issue.column}`,
        show: () => this.select(issue),
      })),
    );
    return this.#issues;
  }

  /** Reports typed input at once if it is still pending. */
  flush() {
    this.#soon.stop();
    if (this.#waiting) this.#report();
  }

  select({ from, to }: Span) {
    this.#area.focus();
    this.#area.setSelectionRange(from, to);
    // Browsers scroll to a selection only if the field loses and regains the focus.
    this.#area.blur();
    this.#area.focus();
  }

  #typed() {
    this.#waiting = true;
    if (this.text.length > LONG) this.#soon();
    else this.#report();
  }

  #report() {
    this.#waiting = false;
    this.check();
    this.#changed();
  }

  /** Indents the text. If it is not JSON, or would lose a field that occurs twice, focuses this issue instead. */
  #format() {
    const issues = this.check();
    const value = parseJson(this.text);
    const problem = value === undefined ? issues[0] : issues.find(({ reason }) => reason === "duplicate");
    if (problem !== undefined) return this.select(problem);
    this.#area.value = JSON.stringify(value, null, 2);
    this.#report();
  }
}

/** Enter keeps the line's indentation. Tab keeps its usual function for keyboard users. */
function indent(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
  const { value, selectionStart } = event.currentTarget;
  const before = value.slice(0, selectionStart);
  const space = /(?:^|\n)([ ]*)[^\n]*$/.exec(before)?.[1] ?? "";
  const deeper = /[[{]\s*$/.test(before) ? "  " : "";
  if (space + deeper === "") return;
  event.preventDefault();
  // Unlike setting the value, this can be undone.
  document.execCommand("insertText", false, `\n${space}${deeper}`);
}
