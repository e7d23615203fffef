// Shared by the tests of the npm package's client: clients of a Worker or of the service in memory, and a programmable
// `fetch`.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { ResourceClient, ResourceError } from "../../pkg/dist/node.js";

/** Special characters in names and values, for an address or a body. */
export const NASTY = "a/b?c#d%2F&e=f +;'\"\\ä€😀";

const RETRY = { baseDelay: 1, maxDelay: 10 };

/** Returns a client of the Worker's project, with a token for it. */
export async function clientOf(worker, projectKey, options = {}) {
  const token = await worker.token(projectKey);
  return new ResourceClient({ projectKey, baseUrl: worker.url.href, token, retry: RETRY, ...options });
}

/** Returns a resource as the service returns it. */
export const resource = (id = "a", version = 1) => ({
  id,
  key: `k-${id}`,
  version,
  lastModifiedAt: `2026-01-01T00:00:0${version}.000Z`,
  objectTypeProperty: {},
});
export const DRAFT = { objectTypeProperty: {} };
export const OPTIONS = { projectKey: "demo", baseUrl: "http://h", token: "secret", retry: { baseDelay: 0 } };

/** Creates a client that gets the responses in turn, and the last one repeatedly. Also returns the sent requests. */
export function clientWith(responses, options = {}) {
  const sent = [];
  const answers = [responses].flat();
  const fetch = async (url, init) => {
    sent.push({ url, ...init });
    const next = answers.length > 1 ? answers.shift() : answers[0];
    const answer = typeof next === "function" ? await next(url, init) : next;
    return answer instanceof Response ? answer.clone() : Response.json(answer);
  };
  return { sent, fetch, client: new ResourceClient({ ...OPTIONS, fetch, ...options }) };
}

let service;
/** Sends a request to the service of `serviceForTests`, or to an address. */
export const deliver = (url, init) => (service === undefined ? fetch(url, init) : service.fetch(url, init));

/**
 * Starts a service in memory before the tests of a file, and ends it after them. A read of a copy lags, until the
 * service has settled, so clients see what other clients wrote before that.
 */
export function serviceForTests() {
  before(async () => {
    const { createService } = await import("../../pkg/dist/testing/index.js");
    service = await createService({ lag: 600_000 });
  });
  after(() => service.close());
  return {
    /** Returns a client of a project, with a token for it. */
    client: async (projectKey, options = {}) => {
      const { baseUrl, fetch } = service.clientOptions();
      const token = await service.token({ projectKey });
      return new ResourceClient({ projectKey, baseUrl, fetch, token, retry: RETRY, ...options });
    },
    settle: () => service.settle(),
    token: (projectKey) => service.token({ projectKey }),
    credentials: () => service.credentials,
  };
}

let projects = 0;
/** Returns a project that no other test uses. */
export const project = () => `p${(projects += 1)}`;

/** Returns a `fetch` that counts its calls. Each plan replaces one call. */
export function counted(...plans) {
  const counting = async (url, init) => {
    counting.calls.push([init.method, url, init.headers]);
    const plan = plans.shift();
    return plan === undefined ? deliver(url, init) : plan(url, init);
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
  await (await deliver(url, init)).text();
  throw new TypeError("fetch failed");
};

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
