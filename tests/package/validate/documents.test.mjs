// The OpenAPI documents of random declared resources: they are valid, and ajv accepts by their schemas the bodies that
// the validator accepts.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import { linesOf } from "./native.mjs";

const lines = linesOf("documents.jsonl", "documents::");

test("the documents of declared resources are valid OpenAPI", async () => {
  for (const { document } of lines.slice(0, 30)) {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors));
  }
});

test("ajv accepts by the schemas of a document what the validator accepts", () => {
  let [accepted, refused] = [0, 0];
  for (const { document, bodies } of lines) {
    // Tools read the other keywords: `discriminator`, and those that begin with `x-`.
    const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 6 });
    addFormats.default(ajv);
    ajv.addSchema({ $id: "document", components: document.components });
    for (const { kind, body, valid } of bodies) {
      const check = ajv.getSchema(`document#/components/schemas/${kind}`);
      const text = () => `${kind} ${JSON.stringify(body)} of ${JSON.stringify(document["x-resource"])}`;
      assert.equal(check(body), valid, `${text()}: ${JSON.stringify(check.errors)}`);
      valid ? accepted++ : refused++;
    }
  }
  assert.ok(accepted > 5_000 && refused > 3_000, `${accepted} accepted, ${refused} refused`);
});

test("a schema without any one of its keywords accepts other bodies", () => {
  const keywords = "type enum minLength maxLength pattern minimum multipleOf minItems maxItems uniqueItems required";
  for (const keyword of [...keywords.split(" "), "additionalProperties"]) {
    const without = (value) =>
      JSON.parse(JSON.stringify(value, (name, inner) => (name === keyword && !isNames(inner) ? undefined : inner)));
    const differs = lines.some(({ document, bodies }) => {
      const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 6 });
      addFormats.default(ajv);
      ajv.addSchema({ $id: "document", components: without(document.components) });
      return bodies.some(
        ({ kind, body, valid }) => ajv.getSchema(`document#/components/schemas/${kind}`)(body) !== valid,
      );
    });
    assert.ok(differs, keyword);
  }
});

/** Returns whether a value is the schemas of properties, of which one may have the name of a keyword. */
const isNames = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
