// Issues read out of the WebAssembly's memory: `Answer` in src/bindings/validate.rs and `Listing` in
// src/validate/listing.rs describe how they lie there.

import { bytes, decode, words } from "./core.js";
import { describe } from "./wasm/resource_edge.js";

// A length that no part has, and the number of an issue that is no other's.
const ABSENT = 0xffffffff;
// A part of a place that is the number of a field; and one whose name is in the text.
const FIELD = 0x80000000;
const NAMED = 0xffffffff;
// Stands in a template for what only the body says.
const QUOTE = "\0";
// Fewer bytes are decoded sooner here than by the decoder.
const SHORT = 32;

// What the schema says of an issue, by its number.
const templates = /* @__PURE__ */ new Map();
// The names of fields, by their numbers.
const names = [];

/** How many issues there are beyond those listed. */
export function moreAt(address) {
  return words()[(address >>> 2) + 1];
}

/** The issues of the answer at an address. */
export function issuesAt(address) {
  let memory = words();
  const head = address >>> 2;
  const count = memory[head];
  const cut = reader(memory[head + 3], memory[head + 4]);
  const issues = [];
  let word = memory[head + 2] >>> 2;
  let at = 0;
  const part = (length) => (length === ABSENT ? undefined : cut(at, (at += length)));
  while (issues.length < count) {
    let template = templates.get(memory[word]);
    if (template === undefined) {
      template = templateOf(memory[word], issues.length);
      // The memory may have grown.
      memory = words();
    }
    const value = part(memory[word + 1]);
    let quote = part(memory[word + 2]);
    const path = [];
    let pointer = "";
    const end = word + 4 + memory[word + 3];
    for (word += 4; word < end; word++) {
      const place = memory[word];
      if (place < FIELD) {
        path.push(place);
        pointer += `/${place}`;
      } else if (place === NAMED) {
        const name = part(memory[++word]);
        quote ??= name;
        path.push(name);
        pointer += `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      } else {
        const name = (names[place - FIELD] ??= describe(place));
        path.push(name);
        pointer += `/${name}`;
      }
    }
    issues.push(issueOf(template, path, pointer, value, quote ?? value));
  }
  return issues;
}

/** What the schema says of the issue at the index of the answer, kept under its number. */
function templateOf(number, index) {
  const members = JSON.parse(describe(index));
  // Every issue of the number has the same.
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

/** An issue: a copy of what the schema says, with what only the body says. */
function issueOf({ members, before, after, isNamed, isShown }, path, pointer, value, quote) {
  const issue = { ...members };
  issue.path = path;
  issue.pointer = pointer;
  if (after !== undefined) issue.message = before + quote + after;
  if (isNamed) issue.field = quote;
  if (isShown) issue.invalidValue = parse(value);
  return issue;
}

/** A function that returns the text between two offsets in the bytes there. */
function reader(start, length) {
  const all = length < SHORT ? ascii(bytes(), start, start + length) : decode(start, length);
  // Offsets are those of bytes, which are those of characters if all are ASCII.
  return all?.length === length ? (from, to) => all.slice(from, to) : (from, to) => decode(start + from, to - from);
}

/** A few bytes as text; undefined if they are not ASCII. */
function ascii(memory, from, to) {
  let text = "";
  for (; from < to; from++) {
    if (memory[from] > 0x7f) return undefined;
    text += String.fromCharCode(memory[from]);
  }
  return text;
}

/** The value of a JSON text that is neither array nor object. */
function parse(json) {
  return json.startsWith('"') && !json.includes("\\") ? json.slice(1, -1) : JSON.parse(json);
}
