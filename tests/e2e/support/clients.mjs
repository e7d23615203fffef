// Shared by the tests of the npm package's client: clients of a Worker, and a programmable `fetch`.

import assert from "node:assert/strict";

import { ResourceClient, ResourceError } from "../../../pkg/dist/node.js";

/** Special characters in names and values, for an address or a body. */
export const NASTY = "a/b?c#d%2F&e=f +;'\"\\ä€😀";

/** Returns a client of the Worker's project, with a token for it. */
export async function clientOf(worker, projectKey, options = {}) {
  const retry = { baseDelay: 1, maxDelay: 10 };
  return new ResourceClient({
    projectKey,
    baseUrl: worker.url.href,
    token: await worker.token(projectKey),
    retry,
    ...options,
  });
}

/** Returns a `fetch` that counts its calls. Each plan replaces one call. */
export function counted(...plans) {
  const counting = async (url, init) => {
    counting.calls.push([init.method, url, init.headers]);
    const plan = plans.shift();
    return plan === undefined ? fetch(url, init) : plan(url, init);
  };
  counting.calls = [];
  return counting;
}

/**
 * A `fetch` whose request arrives and is performed, but whose response is lost.
 * @param {string} url
 * @param {RequestInit} init
 */
export const lost = async (url, init) => {
  await (await fetch(url, init)).text();
  throw new TypeError("fetch failed");
};

/** Runs while the Worker's KV delays all puts. */
export async function lagging(worker, run) {
  await worker.control({ puts: "hold" });
  try {
    await run();
  } finally {
    await worker.control({ puts: "pass" });
  }
}

/** Returns a `fetch` that returns a proxy's page instead of a response of the service. */
export const page =
  (status, headers = {}) =>
  async () =>
    new Response("<html>Bad gateway</html>", { status, headers });

/**
 * Returns the error with which a call rejects.
 * @returns {Promise<ResourceError & { cause?: any }>}
 */
export async function failure(call) {
  const error = await call.then(
    (result) => assert.fail(`it was resolved: ${JSON.stringify(result)}`),
    (error) => error,
  );
  assert.ok(error instanceof ResourceError && error instanceof Error, String(error));
  return error;
}
