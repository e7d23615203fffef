// `resource-edge types` for resources: what it writes, and what it refuses. `types.test.mjs` compiles it.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { folderFor, run } from "./npm-project.mjs";
import { RESOURCES } from "./resources.mjs";
import { root } from "./support.mjs";

const folder = folderFor("resource-edge-declared-");
const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content));
const types = (...args) =>
  run(process.execPath, [join(root, "pkg/dist/cli/main.js"), "types", ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: "1" },
  });

const WRITTEN = `// Written by \`npx resource-edge types\` from resources.json. Do not edit.

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

export interface Supplier {
  name: string;
}
`;

test("each resource has an interface, with comments from its schema", async () => {
  const { product, supplier } = RESOURCES.resources;
  write("resources.json", { resources: { product, supplier }, projects: { "*": "product", suppliers: "supplier" } });
  const { code, stdout, stderr } = await types();
  assert.deepEqual([code, stdout, stderr], [0, "Declared 2 types in resource-edge.d.ts.\n", ""]);
  assert.equal(readFileSync(join(folder, "resource-edge.d.ts"), "utf8"), WRITTEN);
  const { stdout: json } = await types("resources.json", "--out", "other.d.ts", "--json");
  assert.deepEqual(JSON.parse(json), { file: "other.d.ts", resources: { product: "Product", supplier: "Supplier" } });
});

test("names of types begin with capital letters, and no two are equal", async () => {
  const name = { type: "object", properties: { name: { type: "string" } } };
  write("names.json", { resources: { "acme-products": name, order_item: name, "2d": name } });
  const { stdout } = await types("names.json", "--out", "names.d.ts", "--json");
  const names = { "acme-products": "AcmeProducts", order_item: "OrderItem", "2d": "_2d" };
  assert.deepEqual(JSON.parse(stdout).resources, names);
  write("names.json", { resources: { "order-item": name, order_item: name } });
  const { code, stderr } = await types("names.json");
  const message = "error: names.json: The types of 'order-item' and 'order_item' would both be OrderItem.\n";
  assert.deepEqual([code, stderr], [1, message]);
});

test("a wrong schema is refused with its place, and writes nothing", async () => {
  rmSync(join(folder, "resource-edge.d.ts"), { force: true });
  write("resources.json", { resources: { a: { type: "object", properties: { b: { type: "text" } } } } });
  const { code, stderr } = await types();
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^error: resources\.json: The resources are invalid at \/resources\/a\/properties\/b\/type: Expected /,
  );
  assert.throws(() => readFileSync(join(folder, "resource-edge.d.ts")), { code: "ENOENT" });
});
