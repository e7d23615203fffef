// What wrangler.toml says about the Worker, for all that run Workers in tests and benchmarks.

import { fileURLToPath } from "node:url";
import { readPlatform } from "../../src/worker/self-hosted/workerd.mjs";

export const PLATFORM = readPlatform(fileURLToPath(new URL("../../wrangler.toml", import.meta.url)));
