// Starts Chromium for tests and benchmarks.

import { chromium } from "playwright-core";
import { onPath } from "./programs.mjs";

// It may run as root in a container, where its sandbox does not work. It must request nothing but the tests' pages.
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The program. The shell, which only Debian has, takes half the time of a whole browser. */
export const CHROMIUM = process.env.CHROMIUM || onPath("chromium-headless-shell") || onPath("chromium");

/** Starts Chromium. */
export function launchChromium() {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
}
