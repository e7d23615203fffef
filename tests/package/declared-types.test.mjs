// `resource-edge types` for resources: what it writes, and what it refuses. `types.test.mjs` compiles it.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { folderFor, KNOWN, runCommand } from "./npm-project.mjs";
import { RESOURCES } from "./resources.mjs";

const folder = folderFor("resource-edge-declared-");
const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content));
const types = (...args) => runCommand(["types", ...args], { cwd: folder, env: KNOWN });

const WRITTEN = `// Written by \`npx resource-edge types\` from resources.json. Do not edit.

import type { DeclaredResource } from "resource-edge";

/**
 * A product
 * What the shop sells.
 */
export interface Product {
  title: string;
  /** In euros. *\\/ Not in cents. */
  price: number;
  status?: "draft" | "active";
  sku?: string;
  tags?: string[];
  open?: boolean;
  flags?: boolean[];
  grades?: (1 | 2 | 3)[];
  /**
   * Size
   * With the box.
   */
  size?: {
    width?: number;
    height: number;
    unit?: "cm";
  };
  variants?: {
    color: string;
    stock?: number;
    codes?: string[];
  }[];
  /** @deprecated */
  supplier?: string;
}
/** The resource \`product\`: its schemas for forms, and what \`ResourceClient\` needs of it. */
export declare const product: DeclaredResource<Product>;

export interface Supplier {
  name: string;
}
/** The resource \`supplier\`: its schemas for forms, and what \`ResourceClient\` needs of it. */
export declare const supplier: DeclaredResource<Supplier>;
`;

test("each resource has an interface, with comments from its schema", async () => {
  const { product, supplier } = RESOURCES.resources;
  write("resources.json", { resources: { product, supplier }, projects: { "*": "product", suppliers: "supplier" } });
  const { code, stdout, stderr } = await types();
  assert.deepEqual([code, stdout, stderr], [0, "Wrote 2 resources to resource-edge.js and resource-edge.d.ts.\n", ""]);
  assert.equal(readFileSync(join(folder, "resource-edge.d.ts"), "utf8"), WRITTEN);
  const { stdout: json } = await types("resources.json", "--out", "other.mjs", "--json");
  const resources = {
    product: { type: "Product", constant: "product" },
    supplier: { type: "Supplier", constant: "supplier" },
  };
  assert.deepEqual(JSON.parse(json), { files: ["other.mjs", "other.d.mts"], resources });
  const { stderr: wrong } = await types("--out", "mine.d.ts");
  assert.equal(wrong, "error: mine.d.ts: Expected a file that ends with .js or .mjs.\n");
});

test("the module has each resource, with its rules", async () => {
  const { product } = RESOURCES.resources;
  write("resources.json", { resources: { product, class: product } });
  const path = "../../pkg/dist/node.js";
  const from = new URL(path, import.meta.url).href;
  const { code, stderr } = await types("--from", from, "--out", "own.js");
  assert.deepEqual([code, stderr], [0, ""]);
  const module = await import(join(folder, "own.js"));
  assert.deepEqual(Object.keys(module).sort(), ["classResource", "product"]);
  const { resource } = await import(path);
  const read = resource({ resources: { product } }, "product");
  for (const body of [
    { title: "Lamp", price: 1 },
    { title: "Lamp", price: 1, status: "gone", size: { width: "1" }, tags: ["a", "a"], more: 1 },
    { title: "Lamp", price: -1, sku: "x", grades: [4], variants: [{ stock: -1 }], supplier: "no address" },
  ]) {
    const text = JSON.stringify(body);
    assert.deepEqual(
      structuredClone(module.product.validate("draft", text)),
      structuredClone(read.validate("draft", text)),
    );
  }
});

test("a module of another version says what to do", async () => {
  const { resource } = await import("../../pkg/dist/node.js");
  assert.throws(() => resource({ format: 0, plain: { product: {} } }, "product"), {
    name: "TypeError",
    message: "Another version of resource-edge wrote these resources. Run `npx resource-edge types` again.",
  });
});

test("names of types begin with capital letters, and no two are equal", async () => {
  const name = { type: "object", properties: { name: { type: "string" } } };
  write("names.json", { resources: { "acme-products": name, order_item: name, "2d": name } });
  const { stdout } = await types("names.json", "--out", "names.js", "--json");
  const names = { "acme-products": "AcmeProducts", order_item: "OrderItem", "2d": "_2d" };
  const { resources } = JSON.parse(stdout);
  assert.deepEqual(Object.fromEntries(Object.entries(resources).map(([name, { type }]) => [name, type])), names);
  write("names.json", { resources: { "order-item": name, order_item: name } });
  const { code, stderr } = await types("names.json");
  const message = "error: names.json: The types of 'order-item' and 'order_item' would both be OrderItem.\n";
  assert.deepEqual([code, stderr], [1, message]);
});

test("a property that may be null is optional, and constants are choices", async () => {
  const choices = { anyOf: [{ type: "string", const: "a" }, { enum: ["b"] }] };
  const properties = {
    a: { anyOf: [{ type: "null" }, { type: "number" }] },
    b: { enum: ["x", null] },
    c: { type: ["string", "null"], enum: ["x"] },
    d: { $ref: "#/$defs/d" },
    e: { type: "array", items: choices },
    f: choices,
  };
  const $defs = { d: { anyOf: [choices, { const: null }] } };
  const whole = { type: "object", required: Object.keys(properties), properties, $defs };
  write("null.json", { resources: { one: whole } });
  const { code, stderr } = await types("null.json", "--out", "null.js");
  assert.deepEqual([code, stderr], [0, ""]);
  const written = readFileSync(join(folder, "null.d.ts"), "utf8").split("export interface One {\n")[1];
  const expected = ["a?: number", 'b?: "x"', 'c: "x"', 'd?: "a" | "b"', 'e: ("a" | "b")[]', 'f: "a" | "b"'];
  assert.equal(written.split("}\n")[0], expected.map((line) => `  ${line};\n`).join(""));
});

test("a wrong schema or rule is refused with its place, and writes nothing", async () => {
  for (const name of ["resource-edge.js", "resource-edge.d.ts"]) rmSync(join(folder, name), { force: true });
  write("resources.json", { resources: { a: { type: "object", properties: { b: { type: "text" } } } } });
  const { code, stderr } = await types();
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^error: resources\.json: The resources are invalid at \/resources\/a\/properties\/b\/type: Expected /,
  );
  const b = { type: "integer", default: 1.5 };
  write("resources.json", { resources: { a: { type: "object", properties: { b } } } });
  const { stderr: wrong } = await types();
  const place = "/resources/a/properties/b/default";
  assert.equal(
    wrong,
    `error: resources.json: The resources are invalid at ${place}: ` +
      "Malformed field 'b': expected an integer, found 1.5.\n",
  );
  write("resources.json", { resources: { a: { type: "object", properties: {} } }, rules: { a: { read: "c = :sub" } } });
  assert.match((await types()).stderr, /^error: resources\.json: The resources are invalid at \/rules\/a\/read: .*'c'/);
  for (const name of ["resource-edge.js", "resource-edge.d.ts"])
    assert.throws(() => readFileSync(join(folder, name)), { code: "ENOENT" });
});
