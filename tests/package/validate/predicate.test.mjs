// The builder of predicates: its texts and its cost. In tests/package/validate/syntax.test.mjs the service's parser
// reads them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { buildSync } from "esbuild";

import { and, not, or, predicate, variable, where } from "../../../pkg/dist/predicate.js";

/**
 * @import { Condition, ResourceFields } from "../../../pkg/dist/predicate.js"
 * @typedef {[(resource: ResourceFields) => Condition, string]} Written
 */

const DAY = new Date("2026-01-02T03:04:05.678Z");

test("each operator has the syntax of the predicate language", () => {
  for (const [build, text] of /** @type {Written[]} */ ([
    [({ key }) => key.eq('say "a"\\'), 'key = "say \\"a\\"\\\\"'],
    [({ key }) => key.ne("a"), 'key != "a"'],
    [({ version }) => version.lt(1), "version < 1"],
    [({ version }) => version.lte(1.5), "version <= 1.5"],
    [({ version }) => version.gt(10n), "version > 10"],
    [({ createdAt }) => createdAt.gte(DAY), 'createdAt >= "2026-01-02T03:04:05.678Z"'],
    [({ key }) => key.in(["a", "b"]), 'key in ("a", "b")'],
    [({ key }) => key.notIn(new Set(["a"])), 'key not in ("a")'],
    [({ key }) => key.in([]), "key in ()"],
    [({ key }) => key.notIn(new Set()), "key not in ()"],
    [({ arrayOfIntExample }) => arrayOfIntExample.containsAll([]), "arrayOfIntExample contains all ()"],
    [({ arrayOfIntExample }) => arrayOfIntExample.containsAll([1, 2]), "arrayOfIntExample contains all (1, 2)"],
    [
      ({ arrayOfIntExample }) => arrayOfIntExample.containsAny(variable("some")),
      "arrayOfIntExample contains any :some",
    ],
    [({ arrayOfIntExample }) => arrayOfIntExample.isEmpty(), "arrayOfIntExample is empty"],
    [({ arrayOfIntExample }) => arrayOfIntExample.isNotEmpty(), "arrayOfIntExample is not empty"],
    [({ custom }) => custom.isDefined(), "custom is defined"],
    [({ custom }) => custom.isNotDefined(), "custom is not defined"],
    [({ custom }) => custom.matchesIgnoreCase(variable("a1")), "custom matches ignore case :a1"],
    [
      ({ arrayOfTwonumbersExample }) => arrayOfTwonumbersExample.withinCircle(13.3, -52, 500),
      "arrayOfTwonumbersExample within circle(13.3, -52, 500)",
    ],
    [({ createdBy }) => createdBy.firstName.eq("Ada"), 'createdBy.firstName = "Ada"'],
    [
      ({ arrayOfObjectType }) =>
        arrayOfObjectType.some((item) => item.integerExample.eq(1).and(item.integerExampleInt32.isDefined())),
      "arrayOfObjectType (integerExample = 1 and integerExampleInt32 is defined)",
    ],
  ])) {
    assert.equal(where(build), text);
  }
});

test("conditions joined by one operator stay flat, others get parentheses", () => {
  const [a, b, c] = ["a", "b", "c"].map(
    (key) =>
      ({ custom }) =>
        custom.eq(key),
  );
  const written = (join) =>
    where((resource) => join(a(resource), b(resource), c(resource))).replaceAll(/custom = "(.)"/g, "$1");
  assert.equal(
    written((a, b, c) => a.and(b).and(c)),
    "a and b and c",
  );
  assert.equal(
    written((a, b, c) => a.and(b, c.and(a))),
    "a and b and c and a",
  );
  assert.equal(
    written((a, b, c) => a.or(b).and(c)),
    "(a or b) and c",
  );
  assert.equal(
    written((a, b, c) => or(a, and(b, c))),
    "a or (b and c)",
  );
  assert.equal(
    written((a, b, c) => not(a.and(b)).or(not(c))),
    "not (a and b) or not c",
  );
  assert.equal(
    written((a, b) => not(not(a)).and(and(b))),
    "not not a and b",
  );
});

test("a value without a literal is rejected where the predicate is built", () => {
  for (const value of [undefined, null, NaN, {}, new Date(NaN), Symbol("x"), () => {}]) {
    // @ts-expect-error: types refuse these already.
    assert.throws(() => where(({ key }) => key.eq(value)), /^TypeError: A value must be/);
    // @ts-expect-error: the same.
    assert.throws(() => where(({ key }) => key.in([value])), /^TypeError: A value must be/);
  }
  assert.throws(() => variable("a b"), /letters and digits/);
  // @ts-expect-error: types refuse it already.
  assert.throws(() => and(), /at least one condition/);
});

test("the predicate tag adds less than 500 bytes to a page", () => {
  const contents =
    'import { predicate } from "./pkg/dist/predicate.js"; console.log(predicate`key = ${location.hash}`);';
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length;
  assert.ok(size < 500, `${size} bytes`);
  assert.ok(!outputFiles[0].text.includes("matches ignore case"));
  assert.equal(predicate`key in ${["a", "b"]}`, 'key in ("a", "b")');
  assert.equal(predicate`key in ${[]}`, "key in ()");
});

test("a page that does not use limits and schemas of parts does not contain them", () => {
  const bundle = (names) =>
    buildSync({
      stdin: { contents: `export { ${names} } from "./pkg/dist/browser.js"`, resolveDir: process.cwd() },
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
    }).outputFiles[0].text;
  assert.ok(!/predicateDepth|No field/.test(bundle("init, ResourceClient, ResourceError, validate, resourceDraft")));
});
