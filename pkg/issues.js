// Issues read out of the WebAssembly's memory: `Buffers::answer` in src/bindings/validate.rs and `Listing` in
// src/validate/listing.rs say how they lie there.

import { codes } from "./accept.js";

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
// A length that no part has.
const ABSENT = 0xffffffff;
// No index has more digits, since no body is so long.
const INDEX_DIGITS = 7;

/** How many issues there are beyond those listed. */
export function moreAt(words, address) {
  return words[(address >>> 2) + 1];
}

/** The issues of the answer at an address. */
export function issuesAt(words, bytes, address) {
  const head = address >>> 2;
  const count = words[head];
  const start = words[head + 4];
  const raw = bytes.subarray(start, start + words[head + 5]);
  const all = decoder.decode(raw);
  // Lengths are those of bytes, which are those of characters where all are ASCII.
  const cut = all.length === raw.length ? (from, to) => all.slice(from, to) : (from, to) => decoder.decode(raw.subarray(from, to));
  const issues = [];
  let word = words[head + 2] >>> 2;
  let at = 0;
  while (issues.length < count) {
    const pointer = cut(at, (at += words[word]));
    const code = codes[words[word + 1]];
    const message = cut(at, (at += words[word + 2]));
    const issue = { path: undefined, pointer, code, message };
    if (words[word + 3] !== ABSENT) issue.field = cut(at, (at += words[word + 3]));
    if (words[word + 4] !== ABSENT) issue.invalidValue = parse(cut(at, (at += words[word + 4])));
    const allowed = words[word + 5];
    word += 6;
    if (allowed > 0) {
      issue.allowedValues = [];
      for (const end = word + allowed; word < end; word++) issue.allowedValues.push(cut(at, (at += words[word])));
    }
    issue.path = pathOf(pointer, issue.field);
    issues.push(issue);
  }
  return issues;
}

/** The members and indexes that a JSON Pointer names. */
function pathOf(pointer, field) {
  const path = [];
  for (let at = 1; at <= pointer.length; ) {
    const slash = pointer.indexOf("/", at);
    const end = slash < 0 ? pointer.length : slash;
    const part = pointer.slice(at, end);
    path.push(isIndex(part, slash < 0 ? field : undefined) ? Number(part) : part.includes("~") ? unescape(part) : part);
    at = end + 1;
  }
  return path;
}

/** Whether a part is an index. No known member starts with a digit, and an unknown one is the issue's field. */
function isIndex(part, field) {
  const first = part.charCodeAt(0);
  return first >= 48 && first <= 57 && part.length <= INDEX_DIGITS && part !== field;
}

function unescape(part) {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The value of a JSON text that is neither array nor object. */
function parse(json) {
  return json.startsWith('"') && !json.includes("\\") ? json.slice(1, -1) : JSON.parse(json);
}
