// Validation in the npm package beside compiled ajv and zod 4, in one run, rounds interleaved.
//
//   node benches/validate.mjs             the table, the sizes, and the memory after a million validations
//   node benches/validate.mjs --quick     shorter rounds, no million
import { sizesTable } from "../.ci/sizes.mjs";
import { resource, validate } from "../pkg/dist/node.js";
import { bytes as memory } from "../pkg/dist/core/instance.js";
import { columns, head, race, row, size } from "./lib/race.mjs";
import { compiled } from "./peers/ajv.mjs";
import * as declared from "./peers/declared.mjs";
import { zods } from "./peers/zod.mjs";

const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 5 : 15;
const ROUND_MS = quick ? 20 : 60;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

const numbers = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const mix = (at) => (at * 2654435761) % 100003;

/** Returns a draft with `count` items in each of the seven arrays. */
function draft(count) {
  return {
    key: "order-4711",
    createdBy: { firstName: "Ada", lastName: "Lovelace" },
    objectTypeProperty: {
      arrayOfIntExample: numbers(count, mix),
      arrayOfUniqueIntExample: numbers(count, (at) => at * 7 + 1),
      arrayOfTwonumbersExample: [13, 52],
      arrayOfFloatExample: numbers(count, (at) => mix(at) / 8),
      arrayOfNumberNoDefaultsExample: numbers(count, (at) => mix(at) / 7),
      arrayOfStringExample: numbers(count, (at) => `item number ${mix(at)}`),
      arrayOfObjectType: numbers(count, (at) => ({ integerExample: mix(at), integerExampleInt32: -at })),
    },
    someProperty: "What some property says",
    eigthProperty: "grün",
    custom: "A note of some length, as people leave them in fields that say nothing of what they are for.",
  };
}

const update = { version: 3, actions: [{ action: "changeSomeProperty", someProperty: "new" }] };
const actions = {
  version: 3,
  actions: numbers(500, (at) => ({ action: "changeSomeProperty", someProperty: `text ${at}` })),
};

/** @type {[string, keyof import("../pkg/dist/generated/bodies.js").Bodies, any][]} */
const valid = [
  ["update, one action", "resourceUpdate", update],
  ["update, 500 actions", "resourceUpdate", actions],
  ["draft, no items", "resourceDraft", { objectTypeProperty: {} }],
  ["draft, 4 items an array", "resourceDraft", draft(4)],
  ["draft, 40 items an array", "resourceDraft", draft(40)],
  ["draft, 400 items an array", "resourceDraft", draft(400)],
  ["draft, 4000 items an array", "resourceDraft", draft(4000)],
];

/** Returns the draft with a mistake at its end, so that it is found last. */
function wrong(count) {
  /** @type {any} */
  const body = draft(count);
  body.objectTypeProperty.arrayOfObjectType?.push({ integerExample: 1.5 });
  body.eleventhProperty = "misspelled";
  body.custom = 5;
  return body;
}

/** @type {[string, keyof import("../pkg/dist/generated/bodies.js").Bodies, any][]} */
const invalid = [
  ["update without actions", "resourceUpdate", { version: 3 }],
  ["update, unknown action", "resourceUpdate", { version: 3, actions: [{ action: "doNothing" }] }],
  ["draft, empty", "resourceDraft", {}],
  ["draft, 4 items an array, 3 issues", "resourceDraft", wrong(4)],
  ["draft, 40 items an array, 3 issues", "resourceDraft", wrong(40)],
  ["draft, 400 items an array, 3 issues", "resourceDraft", wrong(400)],
  ["draft, 4000 items an array, 3 issues", "resourceDraft", wrong(4000)],
  [
    "draft, 100 items wrong",
    "resourceDraft",
    { objectTypeProperty: { arrayOfIntExample: numbers(100, (at) => `no ${at}`) } },
  ],
];

// biome-ignore lint/correctness/noUnusedVariables: what is added to it is not optimised away
let sunk = 0;

function time(side, count) {
  const start = process.hrtime.bigint();
  for (let left = count; left > 0; left--) sunk += side();
  return Number(process.hrtime.bigint() - start);
}

async function table(title, bodies, bound, peer, sides) {
  console.log(`\n${head([title, "size", ...columns(peer)])}`);
  for (const [name, kind, body] of bodies) {
    const text = JSON.stringify(body);
    const bytes = encoder.encode(text);
    const [ours, theirs] = await race(sides(kind, bytes, body), { rounds: ROUNDS, milliseconds: ROUND_MS, time });
    console.log(row(name, [size(bytes.length)], ours, theirs, bound));
  }
}

/** Returns the number of issues. */
const found = (result) => (result.valid ? 0 : result.issues.length);

function parseAndAjv(kind, bytes) {
  const check = compiled[kind];
  return check(JSON.parse(decoder.decode(bytes))) ? 0 : check.errors.length;
}

for (const [name, kind, body] of [...valid, ...invalid]) {
  const expected = valid.some(([other]) => other === name);
  const bytes = encoder.encode(JSON.stringify(body));
  const verdicts = [
    validate(kind, body).valid,
    validate(kind, bytes).valid,
    compiled[kind](body),
    zods[kind].safeParse(body).success,
  ];
  if (verdicts.some((verdict) => verdict !== expected)) throw new Error(`${name}: ${verdicts}`);
}

// Engines compile WebAssembly better after it has run for a while.
for (const end = Date.now() + 500; Date.now() < end; ) {
  for (const [, kind, body] of [...valid, ...invalid])
    sunk += found(validate(kind, encoder.encode(JSON.stringify(body))));
}

console.log(`Node ${process.version}, ${ROUNDS} interleaved rounds of ${ROUND_MS} ms, medians`);
const bytesSides = (kind, bytes) => [() => found(validate(kind, bytes)), () => parseAndAjv(kind, bytes)];
await table("valid bytes", valid, 0.5, "decode + JSON.parse + ajv", bytesSides);
await table("invalid bytes", invalid, undefined, "decode + JSON.parse + ajv", bytesSides);
await table("valid objects", valid, undefined, "zod 4", (kind, _, body) => [
  () => found(validate(kind, body)),
  () => (zods[kind].safeParse(body).success ? 0 : 1),
]);
await table("invalid objects", invalid, undefined, "zod 4", (kind, _, body) => [
  () => found(validate(kind, body)),
  () => zods[kind].safeParse(body).error.issues.length,
]);

const own = Object.fromEntries(
  Object.keys(declared.resources.resources).map((name) => [name, resource(declared.resources, name)]),
);
for (const [what, name, body] of [...declared.valid, ...declared.invalid]) {
  const expected = declared.valid.some(([other]) => other === what);
  const verdicts = [
    own[name].validate("draft", body).valid,
    declared.compiled[name](body),
    declared.zods[name].safeParse(body).success,
  ];
  if (verdicts.some((verdict) => verdict !== expected)) throw new Error(`${what}: ${verdicts}`);
}
const declaredSides = (name, bytes) => [
  () => found(own[name].validate("draft", bytes)),
  () => (declared.compiled[name](JSON.parse(decoder.decode(bytes))) ? 0 : declared.compiled[name].errors.length),
];
await table("valid bytes of a declared resource", declared.valid, 1, "decode + JSON.parse + ajv", declaredSides);
await table("invalid bytes of it", declared.invalid, undefined, "decode + JSON.parse + ajv", declaredSides);
await table("valid objects of it", declared.valid, undefined, "zod 4", (name, _, body) => [
  () => found(own[name].validate("draft", body)),
  () => (declared.zods[name].safeParse(body).success ? 0 : 1),
]);

console.log(`\n${sizesTable()}`);

if (!quick) {
  const pages = () => memory().byteLength / 65536;
  const spend = (count) => {
    for (let at = 0; at < count; at++) {
      const [, kind, body] = at % 2 === 0 ? valid[at % 5] : invalid[at % 5];
      sunk += found(validate(kind, at % 3 === 0 ? body : encoder.encode(JSON.stringify(body))));
    }
  };
  spend(10_000);
  const before = pages();
  spend(1_000_000);
  console.log(`\nWebAssembly memory: ${before} pages after ten thousand validations, ${pages()} after a million more.`);
  if (pages() !== before) process.exitCode = 1;
}
