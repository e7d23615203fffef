// Opens pages in the browsers of this machine. Pages report to the service, so no browser needs a driver.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CHROMIUM, launchChromium } from "../../support/chromium.mjs";
import { startGroup } from "../../support/group.mjs";
import { onPath } from "../../support/programs.mjs";

const WEBKIT = [
  "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
  "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
].find(existsSync);
const FIREFOX = onPath("firefox-esr") ?? onPath("firefox");

/** Opens an address. Returns the page's complaints, and a function that closes it. */
const open = {
  async chromium(url) {
    const browser = await launchChromium();
    const page = await browser.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(url, { waitUntil: "commit" });
    return { complaints, version: browser.version(), close: () => browser.close() };
  },
  async firefox(url) {
    const profile = mkdtempSync(join(tmpdir(), "resource-edge-firefox-"));
    writeFileSync(
      join(profile, "user.js"),
      'user_pref("datareporting.policy.dataSubmissionEnabled", false);\nuser_pref("app.normandy.enabled", false);\n',
    );
    return launch(FIREFOX, ["--headless", "--no-remote", "--profile", profile, url], () =>
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 }),
    );
  },
  async webkit(url) {
    return launch("xvfb-run", ["-a", WEBKIT, "--private", url]);
  },
};

function launch(command, args, cleanUp = () => {}) {
  const program = startGroup(command, args);
  return { complaints: [], close: () => program.end("SIGKILL").then(cleanUp) };
}

const BINARIES = { chromium: CHROMIUM, firefox: FIREFOX, webkit: WEBKIT };

/** Returns whether this machine has the browser. */
export const isInstalled = (browser) =>
  BINARIES[browser] !== undefined && (browser !== "webkit" || onPath("xvfb-run") !== undefined);

/** Returns the browser's name and version. */
export function versionOf(browser) {
  if (!isInstalled(browser)) return undefined;
  const command = browser === "webkit" ? ["xvfb-run", "-a", WEBKIT] : [BINARIES[browser]];
  return execFileSync(command[0], [...command.slice(1), "--version"], { encoding: "utf8" })
    .trim()
    .replace(/ built on .*/, "");
}

export const openIn = (browser, url) => open[browser](url);
