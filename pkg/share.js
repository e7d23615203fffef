// A `fetch` for a client: identical reads in flight share one request. Tree-shakable.

/** @typedef {Omit<import("./client.js").FetchInit, "signal"> & { signal?: AbortSignal }} Init */
/** @typedef {import("./client.js").FetchResponse} FetchResponse */

/**
 * A read in flight, with the number of callers that wait for it.
 * @typedef {{ controller: AbortController, drop: () => void, response: Promise<FetchResponse>, callers: number }} Read
 */

/**
 * Wraps a `fetch`: reads of one address with the same headers that are in flight at the same time become one request.
 * Each caller gets the response; a caller that aborts does not abort the others.
 * @param {(url: string, init: any) => PromiseLike<FetchResponse>} [send]
 */
export function shareReads(send = (url, init) => fetch(url, init)) {
  /** @type {Map<string, Read>} */
  const reads = new Map();
  return (/** @type {string} */ url, /** @type {Init} */ init) => {
    const { method, headers, signal } = init;
    if (method !== "GET" && method !== "HEAD") return send(url, init);
    const key = JSON.stringify([method, url, headers]);
    let read = reads.get(key);
    if (read === undefined) {
      const controller = new AbortController();
      const drop = () => reads.get(key) === read && reads.delete(key);
      const response = Promise.resolve(send(url, { ...init, signal: controller.signal }))
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

/**
 * Returns a response whose text every caller can read.
 * @param {FetchResponse & { redirected?: boolean, type?: string }} response
 */
async function withText(response) {
  const text = await response.text();
  const { status, ok, redirected, type, headers } = response;
  return { status, ok, redirected, type, headers, text: async () => text };
}
