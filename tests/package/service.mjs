// Shared by the tests of `resource-edge/testing`: a service with a client of it.

import { test as plainTest } from "node:test";
import { ResourceClient } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";

export const draft = (changes = {}) => ({ objectTypeProperty: {}, ...changes });
export const FIXED = { now: "2026-01-02T03:04:05.678Z", seed: 1 };
const QUICK = { retry: { retries: 2, baseDelay: 1 } };

/**
 * Declares a test with a service and a client of the service.
 * @param {string} name
 * @param {...any} rest the options of the service, which may be omitted, and the body
 */
export function test(name, ...rest) {
  const [body, options] = rest.reverse();
  plainTest(name, async (context) => {
    const service = await createService(options);
    context.after(() => service.close());
    await body({ service, client: new ResourceClient({ ...service.clientOptions(), ...QUICK }), mock: context.mock });
  });
}

/** Returns the outcome of a call: its value, or the members of its error for programs. */
export const outcome = (call) =>
  call.catch(({ kind, status, code, currentVersion }) => ({
    kind,
    status,
    code,
    ...(currentVersion && { currentVersion }),
  }));
