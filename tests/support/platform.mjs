// The platform's behavior that wrangler.toml selects, for all that run Workers in tests and benchmarks.

import { readFileSync } from "node:fs";

const found = /^compatibility_date = "(.*)"$/m.exec(
  readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8"),
);
if (found === null) throw new Error("wrangler.toml has no compatibility_date");

/** The compatibility date of the deployed Worker. */
export const COMPATIBILITY_DATE = found[1];
