// Starts Chromium for tests and benchmarks.

import { chromium } from "playwright-core";

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

/** Starts Chromium: the one of the environment variable, or that of Debian's package. */
export function launchChromium(executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium") {
  return chromium.launch({ executablePath, args: ARGUMENTS });
}
