import assert from "node:assert/strict";
import { test } from "node:test";

import { sizes } from "../../.ci/sizes.mjs";

test("what a page loads stays within its limits", () => {
  for (const { what, total, limit } of sizes()) assert.ok(total <= limit, `${what}: ${total} bytes, at most ${limit}`);
});
