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
    price: { type: "number", minimum: 0, multipleOf: 0.5 },
    status: { enum: ["draft", "active", "sold out"] },
    material: { enum: ["brass", "steel", "glass"] },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
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
    status: product.properties.status.enum[(at * 2 + 1) % 3],
    material: product.properties.material.enum[(at >> 1) % 3],
    tags: [at % 2 === 0 ? "indoor" : "outdoor", ...(at % 3 === 0 ? ["new"] : [])],
  })),
);
const page = await console.open({ colorScheme: "light", viewport: { width: 1360, height: 600 } });
await signIn(page, "demo");
await page.getByRole("button", { name: "Filters", exact: true }).click();
await page.getByRole("combobox", { name: "Search or condition" }).fill('price < 100 and status != "draft"');
await page.getByText("5 matches", { exact: true }).waitFor();
await page.keyboard.press("Escape");
await page.getByText("1–").waitFor();
// The counts come after the list.
for (const name of [/^sold out\s*2$/, /^steel\s*2$/]) await page.getByRole("button", { name }).waitFor();
await page.locator('.live[data-state="live"]').waitFor();
await page.evaluate(() => scrollTo(0, 0));
await page.screenshot({ path: join(ROOT, "src/guide/console.png") });
await page.done();
await console.stop();
