// Compares the results of the JSON Schemas, checked by ajv, with the validator's results.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import * as api from "../../../pkg/dist/json-schema.js";
import { validate } from "../../../pkg/dist/node.js";
import { bodies } from "./native.mjs";

/** @type {(keyof import("../../../pkg/dist/generated/bodies.js").Bodies)[]} */
const KINDS = ["resourceDraft", "resourceOverwrite", "resourceUpdate", "complexBody", "writeBatch"];
// ajv's draft-07 supports the `nullable` of OpenAPI 3.0.
const TARGETS = { "draft-2020-12": Ajv2020, "draft-07": Ajv, "openapi-3.0": Ajv };

/** Rules that JSON Schema cannot express: the bytes of a text, lone surrogates, and numbers that are not doubles. */
const beyond = ({ message }) => /256 bytes|lone surrogates|that a double can hold/.test(message);

function compile(target, kind, io = "input") {
  const ajv = new TARGETS[target]({ strict: true, strictTypes: false, allErrors: false, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(api[kind]["~standard"].jsonSchema[io]({ target }));
}

for (const target of Object.keys(TARGETS)) {
  test(`${target}: ajv and the validator agree, except on rules beyond JSON Schema`, () => {
    const checks = KINDS.map((kind) => compile(target, kind));
    let [valid, invalid, excused] = [0, 0, 0];
    for (const { kind, text } of bodies) {
      let value;
      try {
        value = JSON.parse(text);
      } catch {
        continue;
      }
      if (typeof value === "string") continue;
      const result = validate(KINDS[kind], value);
      if (!result.valid && result.issues.every(beyond)) {
        excused++;
        continue;
      }
      assert.equal(checks[kind](value), result.valid, `${KINDS[kind]} ${text} ${JSON.stringify(checks[kind].errors)}`);
      result.valid ? valid++ : invalid++;
    }
    assert.ok(valid > 2000 && invalid > 1000 && excused < 100, `${valid} valid, ${invalid} not, ${excused} excused`);
  });
}

test("each call returns a separate schema, the same for input and output", () => {
  for (const target of Object.keys(TARGETS)) {
    for (const kind of KINDS) {
      const { input, output } = api[kind]["~standard"].jsonSchema;
      const one = input({ target });
      assert.deepEqual(output({ target }), one);
      one.properties = undefined;
      assert.notEqual(input({ target }).properties, undefined);
      const text = JSON.stringify(input({ target }));
      for (const [, name] of text.matchAll(/"\$ref":"#\/[^/]+\/(\w+)"/g)) assert.ok(text.includes(`"${name}":{`), name);
      assert.equal(/"\$ref"|"null"|"const"|\$schema/.test(text), target !== "openapi-3.0");
    }
  }
  assert.throws(
    () => api.complexBody["~standard"].jsonSchema.input({ target: "draft-04" }),
    /No JSON Schema for the target 'draft-04'/,
  );
  assert.throws(() => api.complexBody["~standard"].jsonSchema.input({ target: "constructor" }), TypeError);
});

test("the schemas of bodies are Standard Schemas", () => {
  const { version, vendor, validate: run } = api.resourceUpdate["~standard"];
  assert.deepEqual([version, vendor], [1, "resource-edge"]);
  assert.deepEqual(run({ version: 1, actions: [] }), { value: { version: 1, actions: [] } });
  assert.equal(/** @type {any} */ (run({})).issues.length, 2);
});
