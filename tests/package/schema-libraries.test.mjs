// What zod, valibot, and TypeBox print of their types is a resource as it is, with the rules that JSON Schema gives it.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { toJsonSchema } from "@valibot/to-json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { transform } from "esbuild";
import * as v from "valibot";
import Type from "typebox";
import * as z from "zod";

import { resource } from "../../pkg/dist/node.js";
import { programOf } from "../support/blocks.mjs";
import { closed } from "./schemas/closed.mjs";
import { accepted, refused } from "./schemas/types.mjs";
import { project, run, tool } from "./support.mjs";

/** How a library prints an object with a property `a`. @type {{ [library: string]: ((a: any) => object)[] }} */
const PRINTED = {
  zod: [(a) => z.toJSONSchema(z.object({ a })), (a) => z.toJSONSchema(z.object({ a }), { io: "input" })],
  valibot: [(a) => toJsonSchema(v.object({ a }))],
  typebox: [(a) => Type.Object({ a })],
};

const ajv = new Ajv2020({ strict: false, useDefaults: true, validateFormats: true, logger: false });
addFormats.default(ajv);

const VALUES = [
  ..."|a|b|c|ab|ä|😀😀😀😀|A|AB-1|a.b|a-5|a-x|0|12|#fff|x@y.example|x@|https://a.example/b|no uri".split("|"),
  ..."2024-02-29|2023-02-29|2024-02-29T10:00:00Z|2024-02-29T10:00:00+01:00|2024-02-29T10:00|10:00|10:00:00".split("|"),
  ..."6ba7b810-9dad-41d1-80b4-00c04fd430c8|6ba7b810|127.0.0.1|127.0.0.256|10.0.0.0/8|::1|a_b.example".split("|"),
  ..."P1D|P|V1StGXR8_Z5jdHi6B-myT|01ARZ3NDEKTSV4RRFFQ69G5FAV|+4912345678|d41d8cd98f00b204e9800998ecf8427e".split("|"),
  ...[
    -1,
    0,
    0.25,
    0.3,
    1,
    2,
    3,
    3.5,
    2 ** 31,
    2_000_000.5,
    true,
    false,
    null,
    {},
    { a: "x" },
    { a: "x", b: 1 },
    { a: 1 },
  ],
  ...[{ a: "x", c: 1 }, { a: { b: { c: "x" } } }, { a: { b: {} } }, { a: "x", b: "y" }, { b: 1 }],
  ...[[], ["a"], ["a", "b"], ["a", "a"], ["a", "b", "c"], [1], [null], [{ a: "x" }], [{ a: "x", b: 0.5 }], [{}]],
];

for (const [library, types] of Object.entries(accepted)) {
  test(`a resource has each type of ${library} as it is printed`, () => {
    for (const [name, type] of Object.entries(types)) {
      for (const print of PRINTED[library]) {
        const schema = JSON.parse(JSON.stringify(print(type)));
        const { validate } = resource({ resources: { one: schema } }, "one");
        const check = ajv.compile(closed(schema));
        const verdicts = new Set();
        const isRequired = schema.required?.includes("a");
        for (const value of VALUES) {
          // Null means absent (D8).
          if (value === null && !isRequired) continue;
          const expected = check({ a: value });
          verdicts.add(expected);
          const body = { a: value };
          assert.equal(
            validate("draft", body).valid,
            expected,
            `${name}: ${JSON.stringify(value)} ${JSON.stringify(schema)}`,
          );
        }
        assert.equal(verdicts.size, 2, name);
        const canBeNull = isRequired && check({ a: null });
        assert.equal(validate("draft", {}).valid, canBeNull || check({}), `${name}: absent`);
      }
    }
  });
}

for (const [library, types] of Object.entries(refused)) {
  test(`what a resource cannot have of ${library} is refused with its place and advice`, () => {
    for (const [name, [type, place, advice]] of Object.entries(types)) {
      const schema = JSON.parse(JSON.stringify(PRINTED[library].at(-1)(type)));
      assert.throws(
        () => resource({ resources: { one: schema } }, "one"),
        ({ message }) => {
          const at = place === "" ? "/properties/a:" : `/properties/a/${place}`;
          const isThere = message.includes(at) || (name === "itself" && message.includes("/$defs/"));
          assert.ok(isThere && message.includes(advice), `${name}: ${message}`);
          return true;
        },
      );
    }
  });
}

const PROGRAM = `
import { writeFileSync } from "node:fs";
import { createService } from "resource-edge/testing";

let service;
const baseUrl = "http://resource-edge.test";
globalThis.options = { projectKey: "demo", baseUrl, fetch: (...call) => service.fetch(...call) };
const { client, resources } = await import("./product.mjs");
service = await createService({ resources, authenticate: false });
writeFileSync("resources.json", JSON.stringify(resources));
const codeOf = ({ code, errors }) => code ?? errors[0].code;
const { title, status } = await client.createOrUpdate({ title: "Lamp", price: 40, status: "draft", sku: "AB-1" });
const again = await client.createOrUpdate({ title: "Desk", price: 1, sku: "AB-1" }).catch(codeOf);
const pathsOf = ({ errors }) => errors.map(({ path }) => path);
const wrong = await client.createOrUpdate({ title: "", price: -1 }).catch(pathsOf);
const { total } = await client.query({ where: 'price > 30 and status = "draft"' });
console.log(JSON.stringify([title, status, again, wrong, total]));
service.close();
`;

const USE = `
import type { RecordOf } from "resource-edge";
import { client, resources } from "./product.js";
import type { Product } from "./resource-edge.d.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Inferred = Parameters<typeof take>[0];
const take = (content: Omit<Awaited<ReturnType<typeof client.create>>, System>) => content;
type System = "id" | "version" | "key" | "createdAt" | "createdBy" | "lastModifiedAt" | "lastModifiedBy";
export const same: Same<Flat<Inferred>, Flat<Product>> = true;
type Flat<T> = { [Name in keyof T]: T[Name] };
export async function use(): Promise<"draft" | "active" | undefined> {
  const { status, price } = await client.createOrUpdate({ title: "Lamp", price: 40, status: "draft" });
  price satisfies number;
  // @ts-expect-error: no such choice
  await client.create({ title: "Lamp", price: 40, status: "gone" });
  // @ts-expect-error: a required property
  await client.create({ title: "Lamp" });
  return status;
}
export const names: string[] = Object.keys(resources.resources);
export type Stored = RecordOf<Product>;
`;

test("the guide's resources in zod, valibot, and TypeBox have the inferred types, and are served", async () => {
  const own = {
    zod: ["zod"],
    valibot: ["valibot", "@valibot/to-json-schema"],
    typebox: ["typebox"],
  };
  for (const [library, libraries] of Object.entries(own)) {
    const recipe = programOf("ts", `from "${library}"`);
    assert.ok(recipe.includes("export const Product"), library);
    const folder = project(`recipe-${library}`, { "main.mjs": PROGRAM, "use.ts": USE }, [
      ...libraries,
      "@sqlite.org/sqlite-wasm",
    ]);
    writeFileSync(
      join(folder, "product.ts"),
      `declare const options: { projectKey: string; baseUrl: string };\n${recipe}`,
    );
    const { code } = await transform(recipe, { loader: "ts", format: "esm" });
    writeFileSync(join(folder, "product.mjs"), code);
    const printed = run(process.execPath, ["main.mjs"], folder);
    assert.deepEqual(JSON.parse(printed), ["Lamp", "draft", "DuplicateField", ["/title", "/price"], 1], library);
    run(process.execPath, ["node_modules/resource-edge/cli/main.js", "types"], folder);
    const options = "--noEmit --strict --skipLibCheck --target es2022 --module nodenext".split(" ");
    try {
      run(tool("tsc"), [...options, "use.ts"], folder);
    } catch (error) {
      throw new Error(`${library}\n${error.stdout}`);
    }
  }
});
