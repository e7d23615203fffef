// The tokens of the npm package's client, against the service in memory.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";

import { ResourceClient } from "../../pkg/dist/node.js";
import { counted, failure, project, deliver, serviceForTests } from "./clients.mjs";

const { client, credentials: granting, token: tokenFor } = serviceForTests();

describe("tokens", () => {
  const granted = (calls) => calls.filter(([, url]) => url.endsWith("/oauth/token")).length;
  const expired = async (url, init) =>
    deliver(url, { ...init, headers: { ...init.headers, Authorization: "Bearer expired" } });

  test("are requested once for all waiting calls, and once more when they expire in flight", async () => {
    const name = project();
    const credentials = { ...granting(), scope: [`manage_test:${name}`, `view_test:${name}`] };
    // The token request passes. Then the service rejects the token of two calls.
    const watched = counted(undefined, expired, expired);
    const c = await client(name, { token: undefined, credentials, fetch: watched });
    const results = await Promise.all(Array.from({ length: 8 }, () => c.query()));
    assert.ok(results.every(({ total }) => total === 0));
    assert.equal(granted(watched.calls), 2);
    assert.equal(watched.calls.length, 2 + 8 + 2);
  });

  test("that have not expired are used if the token function fails, and expired tokens are not", async (t) => {
    let ahead = 0;
    const real = Date.now;
    t.mock.method(Date, "now", () => real() + ahead);
    const name = project();
    const good = await tokenFor(name);
    let broken = false;
    const token = () => (broken ? Promise.reject(new Error("out of order")) : { token: good, expiresIn: 3600 });
    const c = await client(name, { token });
    await c.query();
    [broken, ahead] = [true, 3_545_000];
    assert.equal((await c.query()).total, 0);
    ahead = 3_601_000;
    assert.equal((await failure(c.query())).cause.message, "out of order");
  });

  test("that never arrive delay no later call", async (t) => {
    let ahead = 0;
    const real = Date.now;
    t.mock.method(Date, "now", () => real() + ahead);
    const name = project();
    const credentials = { ...granting(), scope: `manage_test:${name}` };
    // As in a Worker whose request has ended: the promise neither settles nor aborts.
    const watched = counted(() => new Promise(() => {}));
    const c = await client(name, { token: undefined, credentials, fetch: watched, timeout: 2000.5 });
    const waiting = [failure(c.query({}, { timeout: 200 })), failure(c.query({}, { timeout: 200 }))];
    assert.equal(granted(watched.calls), 1, "both calls wait for one request");
    ahead = 6000;
    assert.equal((await c.query()).total, 0);
    assert.equal(granted(watched.calls), 2);
    for (const error of await Promise.all(waiting)) assert.equal(error.kind, "timeout");
  });

  test("errors contain no token and no secret", async () => {
    const name = project();
    const secrets = ["hush.hush.hush", "s3cret"];
    const failures = [
      await client(name, { token: secrets[0] }),
      await client(name, { token: () => `${secrets[0]} \n` }),
      await client(name, { token: undefined, credentials: { clientId: "testing", clientSecret: secrets[1] } }),
      new ResourceClient({ projectKey: name, baseUrl: "http://127.0.0.1:1", token: secrets[0], retry: false }),
    ].map((c) => failure(c.query()));
    for (const failed of failures) {
      const error = await failed;
      const text =
        inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error) + error.stack + inspect(error.cause);
      for (const secret of secrets) assert.ok(!text.includes(secret), text);
    }
  });

  test("are given to other programs by a server, with the rest of their lifetime", async () => {
    const name = project();
    const credentials = { ...granting(), scope: `view_test:${name}` };
    const watched = counted();
    const server = await client(name, { token: undefined, credentials, fetch: watched });
    const [given, same] = [await server.token(), await server.token()];
    assert.equal(given.token, same.token);
    assert.equal(granted(watched.calls), 1);
    assert.ok(given.expiresIn > 60 && Number.isInteger(given.expiresIn), `${given.expiresIn}`);
    const page = await client(name, { token: () => server.token() });
    assert.equal((await page.query()).total, 0);
    assert.equal((await failure(page.createOrUpdate({ objectTypeProperty: {} }))).status, 403);
    const wrong = await client(name, { token: undefined, credentials: { ...granting(), clientSecret: "wrong" } });
    assert.equal((await failure(wrong.token())).status, 401);
    const none = await failure((await client(name, { token: undefined })).token());
    assert.equal(none.message, "The client has no token. Expected the option credentials or token.");
    server.close();
    assert.equal((await failure(server.token())).kind, "aborted");
  });

  test("that cannot be obtained end the call with the reason of the endpoint", async () => {
    const c = await client(project(), {
      token: undefined,
      credentials: { clientId: "testing", clientSecret: "wrong" },
    });
    const error = await failure(c.query());
    assert.deepEqual([error.kind, error.status, error.code], ["api", 401, "invalid_client"]);
    assert.match(error.message, /^No token was given: /);
    const broken = await failure((await client(project(), { token: () => Promise.reject(new Error("boom")) })).query());
    assert.deepEqual([broken.kind, broken.cause.message], ["unexpected", "boom"]);
    const none = await failure((await client(project(), { token: () => undefined })).query());
    assert.equal(none.kind, "unexpected");
  });
});
