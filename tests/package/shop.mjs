// The resources of the package's README, and what `resource-edge types` writes for them.

import { moduleOf } from "../../pkg/dist/cli/commands/types.js";
import { programOf } from "../support/blocks.mjs";

/** The content of `resources.json`: products everywhere, and suppliers in the project `suppliers`. */
export const catalogue = JSON.parse(programOf("json", '"resources": {'));
/** The same for a service with other projects: those whose names begin with `shop-` have products. */
export const shops = { ...catalogue, projects: { "shop-*": "product" } };

/** The module that programs import, and its types. `from`: what they import the package as. */
export const modules = async (from = "resource-edge") => {
  const { module, declarations } = await moduleOf("resources.json", catalogue, from);
  return { "resource-edge.js": module, "resource-edge.d.ts": declarations };
};
