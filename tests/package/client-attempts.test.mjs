// Attempts of the npm package's client that hang.

import assert from "node:assert/strict";
import { describe, test as plainTest } from "node:test";

import { ResourceError } from "../../pkg/dist/node.js";
import { ownClock } from "../support/clock.mjs";
import { clientWith, DRAFT, failure, resource } from "./clients.mjs";

const hangs = () => new Promise(() => {});
/** A response that arrives after so many milliseconds. */
const slow = (milliseconds, response) => () => new Promise((resolve) => setTimeout(resolve, milliseconds, response));

/**
 * Declares a test with its own clock: `pass` lets time pass, and `end` does until a call has ended.
 * @param {string} name
 * @param {(clock: { pass(ms: number): Promise<void>, end<T>(call: Promise<T>): Promise<T> }) => Promise<void>} body
 */
const test = (name, body) =>
  plainTest(name, (t) => {
    const pass = ownClock(t);
    const end = async (call) => {
      let isRunning = true;
      const stop = () => (isRunning = false);
      call.then(stop, stop);
      while (isRunning) await pass(1);
      return call;
    };
    return body({ pass, end });
  });

describe("an attempt that hangs", () => {
  test("is ended and retried, in a read and in a write with its idempotency key", async ({ end }) => {
    for (const call of [(c) => c.getById("a"), (c) => c.updateById("a", { version: 1, actions: [] })]) {
      const { client, sent } = clientWith([hangs, hangs, resource()], { attemptTimeout: 30 });
      assert.equal((await end(call(client))).id, "a");
      const ended = sent.map(({ signal }) => signal.aborted);
      assert.deepEqual(ended, [true, true, false]);
      assert.equal(new Set(sent.map(({ headers }) => headers["Idempotency-Key"])).size, 1);
    }
  });

  test("is retried too if only its body hangs", async ({ end }) => {
    const body = () => new Response(new ReadableStream({}));
    const { client, sent } = clientWith([body, resource()], { attemptTimeout: 30 });
    assert.equal((await end(client.getById("a"))).id, "a");
    assert.equal(sent.length, 2);
  });

  test("is ended after a third of the call's timeout by default", async ({ end }) => {
    const { client, sent } = clientWith([hangs, resource()], { timeout: 600 });
    const began = performance.now();
    await end(client.getById("a"));
    const took = performance.now() - began;
    assert.ok(took >= 200 && took < 205, `${took} ms`);
    assert.equal(sent.length, 2);
  });

  test("has the limit of the call instead of the client's", async ({ end }) => {
    const { client, sent } = clientWith([slow(80, resource())], { attemptTimeout: 20 });
    await end(client.getById("a", {}, { attemptTimeout: Infinity }));
    assert.equal(sent.length, 1);
  });

  test("ends the call with its timeout if all attempts hang", async ({ end }) => {
    const { client, sent } = clientWith(hangs, { timeout: 150, attemptTimeout: 40 });
    const error = await end(failure(client.createOrUpdate(DRAFT)));
    assert.deepEqual([error.kind, error.outcome, error.retryable], ["timeout", "unknown", true]);
    assert.equal(sent.length, 4);
    assert.ok(sent.every(({ signal }) => signal.aborted));
  });

  test("is not ended if no retry is left, or no time for one", async ({ end }) => {
    for (const options of [
      { retry: /** @type {false} */ (false) },
      { retry: { retries: 0 } },
      { timeout: 120, retry: { baseDelay: 2 ** 31, maxDelay: 2 ** 31 } },
    ]) {
      const { client, sent } = clientWith([slow(60, resource())], { attemptTimeout: 20, ...options });
      assert.equal((await end(client.getById("a"))).id, "a");
      assert.equal(sent.length, 1);
    }
  });

  test("is reported as a retry, and its late response is ignored", async ({ end }) => {
    const events = [];
    const { client } = clientWith([slow(60, resource("late", 9)), slow(100, resource())], {
      attemptTimeout: 30,
      timeout: 1000,
      retry: { retries: 1, baseDelay: 0 },
      onResponse: ({ attempt, status }) => events.push([attempt, status]),
      onRetry: ({ attempt, status, reason, cause, milliseconds }) => {
        assert.ok(cause instanceof ResourceError);
        events.push([attempt, status, reason, cause.kind, milliseconds]);
      },
    });
    assert.equal((await end(client.getById("a"))).id, "a");
    assert.deepEqual(events, [
      [1, 0, "unavailable", "timeout", 30],
      [2, 200],
    ]);
  });

  plainTest("ends the call if its time is over when a busy program learns of it", async () => {
    const { client, sent } = clientWith([slow(80, resource())], { timeout: 60 });
    const call = failure(client.getById("a"));
    await new Promise((resolve) => setTimeout(resolve, 1));
    const began = performance.now();
    while (performance.now() - began < 100);
    assert.equal((await call).kind, "timeout");
    assert.equal(sent.length, 1);
  });

  test("ends with the call's signal, and sends nothing after it", async ({ pass, end }) => {
    const controller = new AbortController();
    const { client, sent } = clientWith(hangs, { attemptTimeout: 20, onRetry: () => controller.abort("enough") });
    const error = await end(failure(client.deleteById("a", undefined, { signal: controller.signal })));
    assert.deepEqual([error.kind, error.cause, error.outcome], ["aborted", "enough", "unknown"]);
    await pass(50);
    assert.equal(sent.length, 1);
  });
});
