// What the tests of the npm package's client share: clients of a Worker, and a `fetch` that does what it is told.

import assert from "node:assert/strict";

import { ResourceClient, ResourceError } from "../../../pkg/node.js";

/** Names and values that an address or a body might trip over. */
export const NASTY = "a/b?c#d%2F&e=f +;'\"\\ä€😀";

/** A client of the Worker's project, with a token for it. */
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

/** A `fetch` that counts, and does what it is told in place of the real one. */
export function counted(...plans) {
  const counting = async (url, init) => {
    counting.calls.push([init.method, url, init.headers]);
    const plan = plans.shift();
    return plan === undefined ? fetch(url, init) : plan(url, init);
  };
  counting.calls = [];
  return counting;
}

/** A `fetch` with a proxy's page in place of an answer. */
export const page =
  (status, headers = {}) =>
  async () =>
    new Response("<html>Bad gateway</html>", { status, headers });

/**
 * The error that a call is rejected with.
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
