// JSON for people: indented, with colors, and with a copy button.

import { h, type Child } from "../base/dom.js";
import { copyButton } from "../base/copy-button.js";

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;
// Colors cost too much for longer texts.
const COLORED_CHARS = 100_000;

/** A value's JSON with a button that copies it. */
export function jsonPane(value: unknown) {
  const text = JSON.stringify(value, undefined, 2);
  return h(
    "section",
    { class: "card stack near json", "aria-label": "JSON" },
    h("div", { class: "row" }, h("h2", "JSON"), copyButton("Copy", text, "small")),
    h(
      "pre",
      { tabindex: "0", "aria-label": "The resource as JSON" },
      text.length > COLORED_CHARS ? text : colorize(text),
    ),
  );
}

function colorize(text: string) {
  const parts: Child[] = [];
  let last = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon] = match;
    parts.push(text.slice(last, match.index), h("span", { class: kindOf(string, colon) }, string ?? whole), colon);
    last = match.index + whole.length;
  }
  return [...parts, text.slice(last)];
}

function kindOf(string: string | undefined, colon: string | undefined) {
  if (string === undefined) return "json-value";
  return colon === undefined ? "json-text" : "json-name";
}
