// Compares the validation of bodies of random declared resources with the native results: bytes, texts, and objects.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { init, resource } from "../../../pkg/dist/node.js";
import { linesOf } from "./native.mjs";

const lines = linesOf("declared-bodies.jsonl", "validate::");
/** @type {readonly ("draft" | "overwrite" | "update" | "complex" | "batch")[]} */
const KINDS = ["draft", "overwrite", "update", "complex", "batch"];
const encoder = new TextEncoder();

/** Returns the issues and how many more there are, as the native result has them. */
function said(result) {
  if (result.valid) return { issues: [], more: 0 };
  const issues = result.issues.map(({ path, pointer, ...issue }) => ({ path: pointer, ...issue }));
  return { issues, more: result.more ?? 0 };
}

const native = ({ issues, more }) => ({
  issues: issues.map((text) => ({ path: "", ...JSON.parse(text) })),
  more,
});

test("bytes, texts, and objects of declared resources get the native results", async () => {
  let [valid, invalid] = [0, 0];
  for (const { schema, bodies } of lines) {
    const thing = resource({ resources: { thing: schema } }, "thing");
    await init();
    for (const body of bodies) {
      const kind = KINDS[body.kind];
      const about = `${kind} ${body.text ?? body.bytes} by ${JSON.stringify(schema)}`;
      const bytes = body.text === null ? Uint8Array.from(body.bytes) : encoder.encode(body.text);
      assert.deepEqual(said(thing.validate(kind, bytes)), native(body), about);
      body.issues.length === 0 ? valid++ : invalid++;
      if (body.text === null) continue;
      assert.deepEqual(said(thing.validate(kind, body.text)), native(body), about);
      let value;
      try {
        value = JSON.parse(body.text);
      } catch {
        continue;
      }
      // A string would be validated as JSON text, and numbers beyond a double are no JSON of an object.
      if (typeof value === "string" || /1e300|e\+300/.test(body.text)) continue;
      assert.deepEqual(said(thing.validate(kind, value)), said(thing.validate(kind, JSON.stringify(value))), about);
    }
  }
  assert.ok(valid > 2_000 && invalid > 2_000, `${valid} valid, ${invalid} invalid`);
});

test("a page that ignores any one of the rules differs", async () => {
  const keywords =
    "enum minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf";
  for (const keyword of [...keywords.split(" "), "minItems", "maxItems", "uniqueItems", "required"]) {
    let differs = false;
    for (const { schema, bodies } of lines) {
      const text = JSON.stringify(schema, (name, value) => (name === keyword ? undefined : value));
      if (text.length === JSON.stringify(schema).length) continue;
      const thing = resource({ resources: { thing: JSON.parse(text) } }, "thing");
      await init();
      differs = bodies.some((body) => {
        if (body.text === null) return false;
        return !isDeepStrictEqual(said(thing.validate(KINDS[body.kind], body.text)), native(body));
      });
      if (differs) break;
    }
    assert.ok(differs, keyword);
  }
});
