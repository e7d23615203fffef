// Reads issues from the WebAssembly's memory. src/bindings/validate.rs and `IssueList` in src/validate/issues/list.rs
// describe their layout.

import { bytes, decode, words } from "./core.js";
import { describe } from "./wasm/resource_edge.js";

/** @typedef {import("./validate.js").Issue} Issue */

/**
 * The members that all issues of a number share.
 * @typedef {{ members: Issue, before: string, after?: string, isNamed: boolean, isShown: boolean }} Template
 */

// The length of an absent part, and the number of an issue whose template is not shared.
const ABSENT = 0xffffffff;
// Parts of a path that are not an index: the number of a field, counted from `FIELD`, and a name that is in the text.
const FIELD = 0x80000000;
const NAMED = 0xffffffff;
// Placeholder in a template for text from the body.
const QUOTE = "\0";
// Below this length, decoding here is faster than the decoder.
const SHORT = 32;

// The members of an issue that the schema determines, by the issue's number.
/** @type {Map<number, Template>} */
const templates = /* @__PURE__ */ new Map();
// The names of fields, by their numbers.
/** @type {string[]} */
const names = [];

/**
 * Returns the number of issues beyond those listed.
 * @param {number} address
 */
export function moreAt(address) {
  return words()[(address >>> 2) + 1];
}

/**
 * Reads the issues of the issue list at an address.
 * @param {number} address
 * @returns {Issue[]}
 */
export function issuesAt(address) {
  const memory = words();
  const head = address >>> 2;
  const count = memory[head];
  const next = issueReader(memory[head + 2] >>> 2, textReader(memory[head + 3], memory[head + 4]));
  /** @type {Issue[]} */
  const issues = [];
  while (issues.length < count) issues.push(next(issues.length));
  return issues;
}

/**
 * Returns a function that reads the issue at the next index.
 * @param {number} word the next word of the memory
 * @param {(from: number, to: number) => string} cut
 */
function issueReader(word, cut) {
  let byte = 0;
  // `describe` may grow the memory and detach its views, so each number is read from a current view.
  const number = () => words()[word++];
  const text = (length = number()) => (length === ABSENT ? undefined : cut(byte, (byte += length)));

  /** Reads a path. Returns it with its JSON Pointer and the first name that is not a field's. */
  const place = (parts = number()) => {
    /** @type {(string | number)[]} */
    const path = [];
    let pointer = "";
    /** @type {string | undefined} */
    let unknown;
    while (path.length < parts) {
      const part = number();
      if (part === NAMED) {
        const name = /** @type {string} */ (text());
        unknown ??= name;
        path.push(name);
        pointer += `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      } else {
        const name = part < FIELD ? part : (names[part - FIELD] ??= describe(part));
        path.push(name);
        pointer += `/${name}`;
      }
    }
    return { path, pointer, unknown };
  };

  return (/** @type {number} */ index) => {
    const key = number();
    const template = templates.get(key) ?? templateOf(key, index);
    const [value, quote, { path, pointer, unknown }] = [text(), text(), place()];
    return issueOf(template, path, pointer, value, quote ?? unknown ?? value);
  };
}

/**
 * Returns the template of the issue at an index of the issue list, cached by its number.
 * @param {number} number
 * @param {number} index
 */
function templateOf(number, index) {
  const members = JSON.parse(describe(index));
  // All issues of this number share the members.
  for (const name in members) Object.freeze(members[name]);
  const [before, after] = members.message.split(QUOTE);
  const template = {
    members: { path: undefined, pointer: "", ...members },
    before,
    after,
    isNamed: members.field === QUOTE,
    isShown: "invalidValue" in members,
  };
  if (number !== ABSENT) templates.set(number, template);
  return template;
}

/**
 * Creates an issue: a copy of its template with the text from the body.
 * @param {Template} template
 * @param {(string | number)[]} path
 * @param {string} pointer
 * @param {string | undefined} value
 * @param {string | undefined} quote
 */
function issueOf({ members, before, after, isNamed, isShown }, path, pointer, value, quote) {
  const issue = { ...members };
  issue.path = path;
  issue.pointer = pointer;
  if (after !== undefined) issue.message = before + quote + after;
  if (isNamed) issue.field = quote;
  if (isShown) issue.invalidValue = parse(/** @type {string} */ (value));
  return issue;
}

/**
 * Returns a function that returns the text between two offsets in the bytes.
 * @param {number} start
 * @param {number} length
 * @returns {(from: number, to: number) => string}
 */
function textReader(start, length) {
  const all = length < SHORT ? ascii(bytes(), start, start + length) : decode(start, length);
  // Offsets count bytes. They are equal to character offsets if all characters are ASCII.
  return all?.length === length ? (from, to) => all.slice(from, to) : (from, to) => decode(start + from, to - from);
}

/**
 * Decodes a few bytes. Returns undefined if they are not ASCII.
 * @param {Uint8Array} memory
 * @param {number} from
 * @param {number} to
 */
function ascii(memory, from, to) {
  let text = "";
  for (; from < to; from++) {
    if (memory[from] > 0x7f) return undefined;
    text += String.fromCharCode(memory[from]);
  }
  return text;
}

/**
 * Parses a JSON text that is neither an array nor an object.
 * @param {string} json
 */
function parse(json) {
  return json.startsWith('"') && !json.includes("\\") ? json.slice(1, -1) : JSON.parse(json);
}
