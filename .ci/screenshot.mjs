// Takes the README's picture of the console: `node .ci/screenshot.mjs` after `make build`.

import { join } from "node:path";
import { ROOT } from "../tests/workerd/support.mjs";
import { fill, serve, signIn } from "../tests/console/support.mjs";

const LAMPS = "Desk lamp, Floor lamp, Reading lamp, Garden light, Night light, Spot, Lantern, Chandelier".split(", ");
const product = {
  type: "object",
  required: ["title", "price"],
  properties: {
    title: { type: "string" },
    price: { type: "number", minimum: 0 },
    tags: { type: "array", items: { type: "string" } },
  },
};

const console = await serve({ resources: { resources: { product } } });
await fill(
  console.worker,
  "demo",
  LAMPS.map((title, at) => ({
    key: title.toLowerCase().replace(" ", "-"),
    title,
    price: 24.5 + at * 12,
    tags: [at % 3 === 0 ? "brass" : "steel", at % 2 === 0 ? "indoor" : "outdoor"],
  })),
);
const page = await console.open({ colorScheme: "light", viewport: { width: 1200, height: 640 } });
await signIn(page, "demo");
const condition = page.getByRole("textbox", { name: "Condition", exact: true });
await condition.fill('price < 100 and tags = "steel"');
await page.getByText("4 matches", { exact: true }).waitFor();
await condition.press("Enter");
await page.getByText("1–").waitFor();
await page.locator('.live[data-state="live"]').waitFor();
await page.evaluate(() => scrollTo(0, 0));
await page.screenshot({ path: join(ROOT, "src/guide/console.png") });
await page.done();
await console.stop();
