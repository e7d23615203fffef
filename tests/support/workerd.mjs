// Starts workerd for a test.

import { Miniflare } from "miniflare";

/**
 * Starts workerd on a free port of this machine.
 * @param {Record<string, any>} options Miniflare's, on top of these.
 */
export const startWorkerd = (options) =>
  new Miniflare({
    host: "127.0.0.1",
    port: 0,
    // Do not fetch example data about a request's origin.
    cf: false,
    compatibilityDate: "2026-04-01",
    ...options,
  });
