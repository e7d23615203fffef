// Adds two fields of each type to the schema's list in a copy of the repository, one for each group of bodies. So the
// fork's tests also cover a type that is new in the list.
//
//   node tests/repository/fork/types.mjs COPY

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const [, , copy] = process.argv;
const path = `${copy}/src/contract/resource/schema.rs`;
const schema = readFileSync(path, "utf8");
const page = readFileSync(`${copy}/src/guide/change/make-it-yours.md`, "utf8");

const types = Array.from(schema.matchAll(/^pub const ([A-Z_]+): Type = /gm), ([, type]) => type);
assert.ok(types.length > 10, "src/contract/resource/schema.rs has no list of types of fields");
const lines = types.flatMap((type) => {
  assert.match(
    page,
    new RegExp(`^\\|.*\`${type}\``, "m"),
    `the table of types in src/guide/change/make-it-yours.md lacks ${type}`,
  );
  const camel = type.toLowerCase().replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  const pascal = camel[0].toUpperCase() + camel.slice(1);
  return [
    `        ${pascal}OfAll = "${camel}OfAll": ${type}, All,`,
    `        ${pascal}OfSome = "${camel}OfSome": ${type}, Resource,`,
  ];
});
const LAST = /^ {8}Dates = "dates".*$/m;
assert.match(schema, LAST);
writeFileSync(
  path,
  schema.replace(LAST, (line) => [line, ...lines].join("\n")),
);
