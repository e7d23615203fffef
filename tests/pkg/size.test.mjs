import assert from "node:assert/strict";
import { test } from "node:test";

import { sizes } from "../../.ci/sizes.mjs";

test("each download of a page stays within its limit", () => {
  for (const { what, total, limit } of sizes()) assert.ok(total <= limit, `${what}: ${total} bytes, at most ${limit}`);
});
