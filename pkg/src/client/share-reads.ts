// A `fetch` for a client: identical reads in flight share one request. Tree-shakable.

import type { FetchInit, FetchResponse } from "./options.js";

/** A read in flight, with the number of callers that wait for it. */
interface Read {
  controller: AbortController;
  drop: () => void;
  response: Promise<FetchResponse>;
  callers: number;
}

/**
 * Wraps a `fetch` for a client: identical reads in flight, with the same address and headers, become one request. Each
 * caller gets a separate result. A caller that aborts does not abort the others.
 */
export function shareReads(
  send: (url: string, init: FetchInit) => PromiseLike<FetchResponse> = (url, init) => fetch(url, init),
): (url: string, init: FetchInit) => Promise<FetchResponse> {
  const reads = new Map<string, Read>();
  return (url, init) => {
    const { method, headers } = init;
    // Its type accepts every `fetch`.
    const signal = init.signal as AbortSignal | undefined;
    if (method !== "GET" && method !== "HEAD") return send(url, init) as Promise<FetchResponse>;
    const key = JSON.stringify([method, url, headers]);
    let read = reads.get(key);
    if (read === undefined) {
      const controller = new AbortController();
      const drop = () => reads.get(key) === read && reads.delete(key);
      const response = Promise.resolve(send(url, { ...init, signal: controller.signal as never }))
        .then(withText)
        .finally(() => drop());
      read = { controller, drop, response, callers: 0 };
      reads.set(key, read);
    }
    read.callers++;
    return new Promise((resolve, reject) => {
      read.response.then(resolve, reject);
      signal?.addEventListener("abort", () => {
        reject(signal.reason);
        // No caller waits for it any longer.
        if (--read.callers > 0) return;
        read.drop();
        read.controller.abort(signal.reason);
      });
    });
  };
}

/** Returns a response whose text every caller can read. */
async function withText(response: FetchResponse & { redirected?: boolean; type?: string }) {
  const text = await response.text();
  const { status, ok, redirected, type, headers } = response;
  return { status, ok, redirected, type, headers, text: async () => text };
}
