// Starts workerd for a test.

import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { PLATFORM } from "./platform.mjs";

/**
 * Starts workerd on a free port of this machine.
 * @param {Record<string, any>} options those of Miniflare 4, on top of these
 */
export const startWorkerd = (options) =>
  new Miniflare(
    convertV4MiniflareOptions(
      /** @type {import("miniflare").V4MiniflareOptions} */ ({
        host: "127.0.0.1",
        port: 0,
        // Do not fetch example data about a request's origin.
        cf: false,
        compatibilityDate: PLATFORM.date,
        ...options,
      }),
    ),
  );
