// The form of a search: its words, their language, and whether typos are allowed.

import type { SearchState } from "../../model/query/search-state.js";
import { debounce, h } from "../base/dom.js";
import { labeled } from "../base/labeled.js";

export type ChangeSearch = (changes: Partial<SearchState>, options?: { replace?: boolean }) => Promise<void>;

const QUIET_MS = 200;
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "en-US", "de-AT", "de-CH", "fr-CH"];
const LEVELS = [
  ["", "automatic"],
  ["0", "none"],
  ["1", "1 letter"],
  ["2", "2 letters"],
];

/** The form. It calls `change` during typing. */
export class SearchForm {
  element;
  #change;
  #soon;
  #text;
  #fuzzy;
  #level;
  #levels;

  constructor(state: SearchState, change: ChangeSearch) {
    this.#change = change;
    this.#soon = debounce((changes: Partial<SearchState>) => change(changes, { replace: true }), QUIET_MS);
    this.#text = this.#words(state.text);
    this.#fuzzy = h("input", { type: "checkbox", checked: state.fuzzy, onchange: () => this.#turnFuzzy() });
    this.#level = levelSelect(state.level, (level) => change({ level }));
    this.#levels = labeled("Typos per word", this.#level);
    this.#levels.element.hidden = !state.fuzzy;
    this.element = h(
      "form",
      { class: "search-form", role: "search", onsubmit: (event) => this.#submit(event) },
      h(
        "div",
        { class: "search-words" },
        this.#text,
        languageSelect(state.language, (language) => change({ language })),
      ),
      h("label", { class: "check" }, this.#fuzzy, "Allow typos"),
      this.#levels.element,
    );
  }

  set({ text, fuzzy }: SearchState) {
    this.#text.value = text;
    this.#fuzzy.checked = fuzzy;
    this.#levels.element.hidden = !fuzzy;
  }

  /** Cancels a pending change. */
  stop() {
    this.#soon.stop();
  }

  /** Marks the number of typos as invalid, or as valid again. */
  markLevel(text: string | undefined) {
    this.#levels.error(text);
  }

  #words(value: string) {
    return h("input", {
      type: "search",
      value,
      "aria-label": "Words",
      placeholder: "All words must occur",
      autofocus: true,
      oninput: ({ currentTarget }) => this.#soon({ text: currentTarget.value }),
    });
  }

  #turnFuzzy() {
    this.#levels.element.hidden = !this.#fuzzy.checked;
    if (!this.#fuzzy.checked) this.#level.value = "";
    void this.#change({ fuzzy: this.#fuzzy.checked, level: this.#level.value });
  }

  #submit(event: Event) {
    event.preventDefault();
    this.#soon.stop();
    void this.#change({ text: this.#text.value });
  }
}

function languageSelect(value: string, change: (language: string) => unknown) {
  return h(
    "select",
    { "aria-label": "Language", value, onchange: ({ currentTarget }) => change(currentTarget.value) },
    [...new Set([...LANGUAGES, value])].map((one) => h("option", { value: one }, one)),
  );
}

function levelSelect(value: string, change: (level: string) => unknown) {
  return h(
    "select",
    { value, onchange: ({ currentTarget }) => change(currentTarget.value) },
    LEVELS.map(([one, label]) => h("option", { value: one }, label)),
  );
}
