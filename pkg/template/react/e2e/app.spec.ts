import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { createService } from "resource-edge/testing";

// The service in memory responds to the requests and the sockets of the page.
const resources = JSON.parse(readFileSync("resources.json", "utf8"));
const service = await createService({ resources, sample: 25, seed: 1 });

test("a person signs in, pages, and sees what others write", async ({ page }) => {
  await service.route(page, (url) => url.pathname.startsWith("/demo/"));
  await page.route("**/api/token", async (route) => route.fulfill({ json: { token: await service.token() } }));
  await page.goto("/");
  await page.getByLabel("Password").fill("any");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("25 products")).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveCount(10);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByRole("listitem")).toHaveCount(5);
  const headers = { Authorization: `Bearer ${await service.token()}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ title: "Desk lamp", price: 40 });
  await service.fetch("https://any/demo/resource", { method: "POST", headers, body });
  await expect(page.getByText("26 products")).toBeVisible();
});
