import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { programOf } from "../support/blocks.mjs";
import { project, root, run, tool } from "./support.mjs";

const samples = join(root, "tests/package/types");
const sources = Object.fromEntries(
  readdirSync(samples).map((file) => [file, readFileSync(join(samples, file), "utf8")]),
);
const files = { ...sources, "own.cts": sources["own.ts"] };
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
declare module "resource-edge" { interface OwnFields { title: "text"; price: "number" } }
export {};
`;

test("the README's form in TypeScript compiles, and wrong names of fields do not", () => {
  const recipe = programOf("tsx", "react-hook-form");
  const wrong = recipe.replace('register("price"', '// @ts-expect-error: no such field\n  register("prize"');
  const files = { "form.tsx": recipe, "wrong.tsx": wrong, "react.d.ts": REACT };
  const libraries = ["react-hook-form", "@hookform/resolvers", "@standard-schema"];
  const folder = project("form-types", files, libraries);
  const options = ["--module", "esnext", "--moduleResolution", "bundler", "--jsx", "preserve", "--lib", "es2022,dom"];
  compile(folder, [...options, "--skipLibCheck", "true"], ["react.d.ts", "form.tsx", "wrong.tsx"]);
});

test("valid sample programs compile and invalid ones do not, with every module resolution", () => {
  const collections = ["@tanstack/db", "@tanstack/db-ivm", "@tanstack/pacer-lite", "fractional-indexing"];
  const folder = project("types", files, ["@standard-schema/spec", ...collections]);
  const bare = ["validate.ts", "standard.ts", "client.ts", "parts.ts", "placed.ts", "testing.ts", "live.ts"];
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
  compile(folder, ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022"], ["own.ts"]);
  for (const module of ["nodenext", "node16"]) {
    const options = ["--module", module, "--moduleResolution", module, "--lib", "es2022"];
    compile(folder, options, ["common.cts"]);
    // The fields of a program are those of its kind of modules.
    for (const own of ["own.ts", "own.cts"]) compile(folder, options, [own]);
  }
});
