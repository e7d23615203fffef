// Compares the validation of bytes, text, and objects with the native results, on thousands of bodies.

import assert from "node:assert/strict";
import { test } from "node:test";

import { kinds } from "../../../pkg/dist/generated/kinds.js";
import { validate } from "../../../pkg/dist/node.js";
import { bodies } from "./native.mjs";

const encoder = new TextEncoder();

/** Returns the parts of a result that all ways must agree on. */
function said(result) {
  if (result.valid) return { issues: [], more: 0 };
  return { issues: result.issues.map(({ path, ...issue }) => issue), more: result.more ?? 0 };
}

/** Converts the native result, which has the errors that the server sends: `path` becomes `pointer`. */
function native({ issues, more }) {
  const read = (text) => {
    const { path: pointer = "", ...issue } = JSON.parse(text);
    return { pointer, ...issue };
  };
  return { issues: issues.map(read), more };
}

function check(run) {
  for (const body of bodies) {
    try {
      run(body, kinds[body.kind]);
    } catch (error) {
      error.message = `${kinds[body.kind]} ${body.text ?? body.bytes}\n${error.message}`;
      throw error;
    }
  }
}

/**
 * Returns whether the text contains something that no object can represent: a duplicate name, or a number beyond a
 * double.
 */
function lossy(text, value) {
  const finite = (part) =>
    typeof part !== "object" || part === null
      ? part !== Infinity && part !== -Infinity
      : Object.values(part).every(finite);
  return !finite(value) || /\\u0063ustom/.test(text);
}

test("each kind has at least 500 valid and 500 invalid bodies", () => {
  for (const kind of kinds.keys()) {
    const valid = bodies.filter((body) => body.kind === kind && body.issues.length === 0).length;
    const all = bodies.filter((body) => body.kind === kind).length;
    assert.ok(valid > 500 && all - valid > 500, `${kinds[kind]}: ${valid} of ${all}`);
  }
});

test("bytes get the native result, with the same issues in the same order", () => {
  check((body, kind) => {
    const bytes = body.text === null ? Uint8Array.from(body.bytes) : encoder.encode(body.text);
    assert.deepEqual(said(validate(kind, bytes)), native(body));
  });
});

test("a text gets the result of its bytes, and its value is the result of JSON.parse", () => {
  check((body, kind) => {
    if (body.text === null) return;
    const result = validate(kind, body.text);
    assert.deepEqual(said(result), native(body));
    if (result.valid) assert.deepEqual(result.value, JSON.parse(body.text));
  });
});

test("an object gets the result of its JSON text, and its value is the object", () => {
  let compared = 0;
  check(({ text, issues }, kind) => {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return;
    }
    // A string would be validated as JSON text.
    if (typeof value === "string" || lossy(text, value)) return;
    compared++;
    const result = validate(kind, value);
    assert.deepEqual(said(result), said(validate(kind, JSON.stringify(value))));
    assert.equal(result.valid, issues.length === 0);
    if (result.valid) assert.equal(result.value, value);
  });
  assert.ok(compared > bodies.length / 2, `${compared} compared`);
});

test("a path and its pointer lead to the same place, and only indexes are numbers", () => {
  check(({ text }, kind) => {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return;
    }
    for (const { path, pointer } of validate(kind, value).issues ?? []) {
      const pointed = path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
      assert.equal(pointed, pointer);
      let at = value;
      for (const part of path) {
        assert.equal(typeof part, Array.isArray(at) ? "number" : "string", pointer);
        at = at?.[part];
      }
    }
  });
});
