// Builds the peer in the same way as for deployment: bundled and minified by esbuild, with ajv's compiled validators.
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { AJV_OPTIONS, draftSchema, updateSchema } from "../peers/bodies.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Resolves the import `validators` to the code that ajv generates for the two bodies. */
const validators = {
  name: "validators",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^validators$/ }, () => ({ path: "validators", namespace: "ajv" }));
    onLoad({ filter: /.*/, namespace: "ajv" }, () => {
      const schemas = { draft: draftSchema, update: updateSchema };
      // Verbose errors contain the value, which the response quotes.
      const ajv = new Ajv({ ...AJV_OPTIONS, schemas, verbose: true, code: { source: true, esm: true } });
      return { contents: standalone.default(ajv, { draft: "draft", update: "update" }), resolveDir: ROOT };
    });
  },
};

/** Builds and describes the peer. It indexes the fields, or all. */
export async function peer(name = "hono", fields = undefined) {
  const outfile = join(ROOT, "build/peers", `${name}-${fields?.length ?? "all"}`, "worker.mjs");
  await build({
    entryPoints: [join(ROOT, "benches/peers", name, "worker.mjs")],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:workers"],
    define: { INDEXED: JSON.stringify(fields ?? null) },
    plugins: [validators],
    logLevel: "warning",
  });
  return { name, modules: { "worker.mjs": outfile }, objects: { COLLECTIONS: "Collection" } };
}
