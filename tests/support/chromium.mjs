// Starts Chromium for tests and benchmarks.

import { existsSync } from "node:fs";
import { join } from "node:path";

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

/** Returns the path of a program of this machine. */
export const onPath = (name) =>
  (process.env.PATH ?? "")
    .split(":")
    .map((folder) => join(folder, name))
    .find(existsSync);

/** The program. The shell, which only Debian has, takes half the time of a whole browser. */
export const CHROMIUM = process.env.CHROMIUM || onPath("chromium-headless-shell") || onPath("chromium");

/** Starts Chromium. */
export function launchChromium() {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
}
