import { defineConfig } from "@playwright/test";

const url = `http://127.0.0.1:${process.env.E2E_PORT ?? 5174}`;

export default defineConfig({
  testDir: "e2e",
  use: { baseURL: url, launchOptions: { executablePath: process.env.CHROMIUM } },
  webServer: { command: `vite --strictPort --host 127.0.0.1 --port ${new URL(url).port}`, url },
});
