// Takes the README's picture of the console: `node .ci/screenshot.mjs` after `make build`.

import { join } from "node:path";
import { ROOT } from "../tests/e2e/support.mjs";
import { fill, serve, signIn } from "../tests/www/support.mjs";

const LAMPS = "desk lamp, floor lamp, reading lamp, garden light, night light, spot, lantern, chandelier".split(", ");

const console = await serve();
await fill(
  console.worker,
  "demo",
  LAMPS.map((name, at) => ({
    key: name.replace(" ", "-"),
    custom: at % 2 === 0 ? "indoor" : "outdoor",
    objectTypeProperty: {
      arrayOfIntExample: [40 + at * 5, 60 + at],
      arrayOfFloatExample: [Number((at * 1.25).toFixed(2))],
      arrayOfStringExample: [name, at % 3 === 0 ? "brass" : "steel"],
    },
  })),
);
const page = await console.open({ colorScheme: "light", viewport: { width: 1200, height: 640 } });
await signIn(page, "demo");
const condition = page.getByRole("textbox", { name: "Condition", exact: true });
await condition.fill('arrayOfIntExample > 45 and arrayOfStringExample = "steel"');
await page.getByText("5 matches", { exact: true }).waitFor();
await condition.press("Enter");
await page.getByText("1–").waitFor();
await page.locator('.live[data-state="live"]').waitFor();
await page.evaluate(() => scrollTo(0, 0));
await page.screenshot({ path: join(ROOT, "src/guide/console.png") });
await page.done();
await console.stop();
