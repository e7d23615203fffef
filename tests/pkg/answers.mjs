// A client with a `fetch` that returns the responses that a test lists.

import { ResourceClient } from "../../pkg/dist/node.js";

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
