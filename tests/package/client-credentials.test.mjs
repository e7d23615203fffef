// Requests for tokens of the npm package's client, if the token endpoint refuses them or hangs.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { promisify } from "node:util";

import { ownClock } from "../support/clock.mjs";
import { listen } from "../support/server.mjs";
import { clientWith, failure, resource } from "./clients.mjs";

const credentials = { clientId: "a", clientSecret: "s3cret" };
const busy = (status, headers = {}) =>
  new Response(JSON.stringify({ statusCode: status, errors: [], error: "slow_down" }), { status, headers });
const granted = (more = {}) => Response.json({ access_token: "t", ...more });

/** Creates a client with credentials. Also returns the times of the token requests, and their signals. */
function clientOfEndpoint(endpoint, options = {}) {
  const times = [];
  const signals = [];
  const respond = async (url, init) => {
    if (!url.endsWith("/oauth/token")) return Response.json(resource());
    times.push(Date.now());
    signals.push(init.signal);
    return endpoint(times.length, init);
  };
  const { client } = clientWith(respond, { token: undefined, credentials, ...options });
  return { client, times, signals };
}

describe("while the token endpoint refuses", () => {
  test("the client sends no token request until Retry-After has passed, however many calls there are", async (t) => {
    const pass = ownClock(t);
    let isBusy = true;
    const { client, times } = clientOfEndpoint(() => (isBusy ? busy(429, { "Retry-After": "20" }) : granted()));
    const began = Date.now();
    const ends = [];
    for (let second = 0; second < 90; second++) {
      client.getById("a").then(
        ({ id }) => ends.push(id),
        (error) => ends.push(error.status),
      );
      await pass();
      isBusy = second < 62;
      await pass(1000);
    }
    const seconds = times.map((time) => (time - began) / 1000);
    assert.deepEqual(seconds, [0, 20, 40, 60, 80]);
    // A call waits if its 30 seconds allow it. Calls of the seconds 0 to 50 meet a second or third refusal.
    assert.equal(ends.length, 90);
    assert.deepEqual([...new Set(ends)], [429, "a"]);
    assert.equal(ends.filter((end) => end === "a").length, 39);
  });

  test("a call with less time fails at once, each with a separate error", async () => {
    const { client, times } = clientOfEndpoint(() => busy(429, { "Retry-After": "20" }), { timeout: 5000 });
    const errors = [];
    for (let at = 0; at < 5; at++) errors.push(await failure(client.deleteById("a")));
    for (const { kind, status, code, message, retryable, outcome } of errors) {
      assert.deepEqual([kind, status, code, retryable, outcome], ["api", 429, "slow_down", true, "refused"]);
      assert.match(message, /^No token was given: /);
    }
    assert.equal(new Set(errors.map(({ idempotencyKey }) => idempotencyKey)).size, 5);
    assert.equal(times.length, 1);
  });

  test("many calls at once share each token request, and succeed when it does", async () => {
    for (const failing of [() => busy(503), () => Promise.reject(new TypeError("offline"))]) {
      const endpoint = (count) => (count < 4 ? failing() : granted());
      const { client, times } = clientOfEndpoint(endpoint, { retry: { baseDelay: 30, maxDelay: 60 } });
      const all = await Promise.all(Array.from({ length: 50 }, () => client.getById("a")));
      assert.equal(all.length, 50);
      assert.equal(times.length, 4);
      await client.getById("a");
      assert.equal(times.length, 4);
    }
  });

  test("a timer that rings early does not use up an attempt of the call that it wakes", async (t) => {
    const { setTimeout: real } = globalThis;
    t.mock.method(globalThis, "setTimeout", (run, pause) => real(run, pause - 5));
    const { client, times } = clientOfEndpoint((count) => (count < 4 ? busy(503, { "Retry-After": "1" }) : granted()));
    assert.equal((await client.getById("a")).id, "a");
    assert.equal(times.length, 4);
  });

  test("the hooks report the token request once, and a retry for each call that waits", async () => {
    const events = [];
    const hook =
      (name) =>
      ({ operation, attempt, status }) =>
        events.push([name, operation, attempt, status].join(" "));
    const { client } = clientOfEndpoint((count) => (count < 2 ? busy(503) : granted()), {
      onRequest: hook("request"),
      onRetry: hook("retry"),
    });
    await Promise.all([client.getById("a"), client.getById("a")]);
    assert.deepEqual(events.sort(), [
      "request getById 1 ",
      "request getById 1 ",
      "request token 1 ",
      "request token 2 ",
      "retry token 1 503",
      "retry token 1 503",
    ]);
  });

  test("a token that has not expired is used", async (t) => {
    let ahead = 0;
    const real = Date.now;
    t.mock.method(Date, "now", () => real() + ahead);
    const endpoint = (count) => (count === 1 ? granted({ expires_in: 3600 }) : busy(429, { "Retry-After": "20" }));
    const { client, times } = clientOfEndpoint(endpoint);
    await client.getById("a");
    ahead = 3_545_000;
    for (let at = 0; at < 5; at++) await client.getById("a");
    assert.equal(times.length, 2);
  });

  test("a client without retries repeats only what Retry-After allows", async () => {
    const { client, times } = clientOfEndpoint((count) => (count === 1 ? busy(503) : granted()), { retry: false });
    assert.equal((await failure(client.getById("a"))).status, 503);
    assert.equal((await client.getById("a")).id, "a");
    assert.equal(times.length, 2);
  });
});

describe("a token request", () => {
  const hangs = () => new Promise(() => {});

  test("that hangs is ended and sent again", async () => {
    const { client, times, signals } = clientOfEndpoint((count) => (count === 1 ? hangs() : granted()), {
      attemptTimeout: 30,
    });
    await Promise.all([client.getById("a"), client.getById("a")]);
    assert.deepEqual([times.length, signals[0].aborted], [2, true]);
  });

  test("is not sent for a call that ends in a pause", async () => {
    let asked = 0;
    const token = () => ({ token: `t${(asked += 1)}`, expiresIn: 0 });
    const { client } = clientWith(() => busy(503, { "Retry-After": "5" }), { token });
    assert.equal((await failure(client.getById("a", {}, { signal: AbortSignal.timeout(20) }))).kind, "aborted");
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(asked, 1);
  });

  test("ends with the last call that waits for it", async () => {
    const { client, times, signals } = clientOfEndpoint(hangs);
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) => failure(client.getById("a", {}, { signal })));
    await new Promise(setImmediate);
    first.abort();
    await calls[0];
    assert.equal(signals[0].aborted, false);
    second.abort();
    await calls[1];
    assert.deepEqual([times.length, signals[0].aborted], [1, true]);
    const closed = failure(client.getById("a"));
    await new Promise(setImmediate);
    client.close();
    assert.equal((await closed).kind, "aborted");
    assert.deepEqual([times.length, signals[1].aborted], [2, true]);
  });
});

describe("a program ends", () => {
  const refuses = (_, response) => response.writeHead(429, { "Retry-After": "15" }).end("{}");
  const hangs = () => {};

  test("when its client is closed, in the pause or during the token request", async () => {
    for (const respond of [refuses, hangs]) {
      const { url, close } = await listen(createServer(respond));
      const program = `
        import { ResourceClient } from ${JSON.stringify(new URL("../../pkg/dist/node.js", import.meta.url).href)};
        const credentials = { clientId: "a", clientSecret: "b" };
        const client = new ResourceClient({ projectKey: "demo", baseUrl: "${url}", credentials });
        setTimeout(() => client.close(), 500);
        await client.query().catch((error) => console.log(error.kind));`;
      const options = ["--input-type=module", "--eval", program];
      // Retry-After and the timeout of the call are longer.
      const { stdout } = await promisify(execFile)(process.execPath, options, { timeout: 12_000 });
      assert.equal(stdout, "aborted\n");
      close();
    }
  });
});
