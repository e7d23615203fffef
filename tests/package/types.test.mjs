import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { programOf } from "../support/blocks.mjs";
import { RESOURCES } from "./resources.mjs";
import { project, root, run, tool } from "./support.mjs";

const samples = join(root, "tests/package/types");
const sources = Object.fromEntries(
  readdirSync(samples).map((file) => [file, readFileSync(join(samples, file), "utf8")]),
);
const STRICT = [
  ..."--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noImplicitOverride".split(" "),
  // Checks all types but those of TypeScript itself, which take longer than all others together.
  ..."--skipLibCheck false --skipDefaultLibCheck --target es2022".split(" "),
];

/** Compiles the samples. If there are errors, `tsc` prints them and fails. */
function compile(folder, options, sources) {
  try {
    run(tool("tsc"), [...STRICT, ...options, ...sources], folder);
  } catch (error) {
    throw new Error(`${options.join(" ")}\n${error.stdout}`);
  }
}

// The types of React are not installed. They are lenient here, and those of the form library are checked all the same.
const REACT = `
declare global { namespace JSX { interface IntrinsicElements { [name: string]: any } } }
export {};
`;

const PRODUCT = `
import { resource } from "resource-edge";

export interface Product {
  title?: string;
  price?: number;
}
export const product = resource<Product>({ resources: { product: {} } }, "product");
`;

test("the guide's form in TypeScript compiles, and wrong names of fields do not", () => {
  const recipe = programOf("tsx", "react-hook-form");
  const wrong = recipe.replace('register("price"', '// @ts-expect-error: no such field\n  register("prize"');
  const files = { "form.tsx": recipe, "wrong.tsx": wrong, "react.d.ts": REACT, "product.ts": PRODUCT };
  const libraries = ["react-hook-form", "@hookform/resolvers", "@standard-schema"];
  const folder = project("form-types", files, libraries);
  const options = ["--module", "esnext", "--moduleResolution", "bundler", "--jsx", "preserve", "--lib", "es2022,dom"];
  compile(folder, [...options, "--skipLibCheck", "true"], ["react.d.ts", "form.tsx", "wrong.tsx"]);
});

test("valid sample programs compile and invalid ones do not, with every module resolution", () => {
  const collections = ["@tanstack/db", "@tanstack/db-ivm", "@tanstack/pacer-lite", "fractional-indexing"];
  const folder = project("types", sources, ["@standard-schema/spec", ...collections]);
  const bare = [
    "validate.ts",
    "standard.ts",
    "client.ts",
    "parts.ts",
    "placed.ts",
    "testing.ts",
    "live.ts",
    "declared.ts",
    "fields.ts",
  ];
  for (const [module, resolution] of [
    ["esnext", "bundler"],
    ["nodenext", "nodenext"],
    ["node16", "node16"],
  ]) {
    compile(folder, ["--module", module, "--moduleResolution", resolution, "--lib", "es2022"], bare);
    compile(
      folder,
      ["--module", module, "--moduleResolution", resolution, "--lib", "es2022,dom"],
      [...bare, "browser.ts", "global.ts"],
    );
    // The types of TanStack DB itself are wrong with `exactOptionalPropertyTypes`.
    const lenient = ["--exactOptionalPropertyTypes", "false", "--lib", "es2022,dom"];
    compile(folder, ["--module", module, "--moduleResolution", resolution, ...lenient], ["tanstack-db.ts"]);
  }
  for (const module of ["nodenext", "node16"]) {
    const options = ["--module", module, "--moduleResolution", module, "--lib", "es2022"];
    compile(folder, options, ["common.cts"]);
  }
});

// What a program does with the types that the command writes.
const DECLARED = `
import { resource, ResourceClient, type DraftOf } from "resource-edge";
import resources from "./resources.json" with { type: "json" };
import { product, type AcmeOffers, type Product } from "./resource-edge.js";

const same = resource<Product>(resources, "product");
const client = new ResourceClient({ baseUrl: "https://api.test", projectKey: "products", resource: product });
const made = await client.createOrUpdate({ key: "lamp", title: "Lamp", price: 40, size: { height: 5, unit: "cm" } });
const grades: (1 | 2 | 3)[] | undefined = made.grades;
const height: number | undefined = made.size?.height;
product.where(({ variants, status }) => variants.stock.gt(1).and(status.eq("active")));
// @ts-expect-error: an integer is no text
const stock: NonNullable<Product["variants"]>[number]["stock"] = "1";
// @ts-expect-error: a required field
const whole: Product = { title: "Lamp" };
// @ts-expect-error: no such choice
const draft: DraftOf<Product> = { title: "Lamp", price: 1, status: "gone" };
const offer: AcmeOffers = { code: 1 };
export { draft, grades, height, offer, same, stock, whole };
`;

test("what `types` declares for resources compiles, and has their rules", () => {
  const offers = { type: "object", properties: { code: { enum: [1, 2, null] } } };
  const resources = { resources: { ...RESOURCES.resources, "acme-offers": offers }, projects: { "*": "product" } };
  const files = { "resources.json": JSON.stringify(resources), "main.ts": DECLARED };
  const folder = project("declared-types", files);
  const main = join(folder, "node_modules/resource-edge/cli/main.js");
  const written = "Wrote 4 resources to resource-edge.js and resource-edge.d.ts.\n";
  assert.equal(run(process.execPath, [main, "types"], folder), written);
  for (const [module, resolution] of [
    ["esnext", "bundler"],
    ["nodenext", "nodenext"],
  ]) {
    const options = ["--module", module, "--moduleResolution", resolution, "--lib", "es2022", "--resolveJsonModule"];
    compile(folder, options, ["main.ts", "resource-edge.d.ts"]);
  }
});
