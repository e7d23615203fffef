// Rate limits with the platform's bindings, configured as in wrangler.toml, in the local runtime (D28).

import assert from "node:assert/strict";
import { test } from "node:test";
import { project, startForTests, tokenRequest } from "./support.mjs";

const LIMIT = 5;
const simple = { limit: LIMIT, period: 60 };
const worker = startForTests({
  ratelimits: { REQUEST_LIMIT: { namespace_id: "1", simple }, TOKEN_LIMIT: { namespace_id: "2", simple } },
});

/** Waits for the next window of the limiter (a minute of the clock) if the current one is about to end. */
async function window() {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

const askForToken = (secret, name) => worker.send(tokenRequest("tests-two", secret, `view_test:${name}`));

test("a caller who exceeds the limit of a project gets 429 with Retry-After, and other callers do not", async () => {
  const [name, other] = [project(), project()];
  await window();
  for (const key of [name, other]) await worker.token(key);
  const statuses = [];
  for (let count = 0; count < LIMIT + 3; count += 1) statuses.push((await worker.call(`GET /${name}/resource`)).status);
  assert.deepEqual(statuses, [...Array(LIMIT).fill(200), ...Array(3).fill(429)]);
  const refused = await worker.call(`POST /${name}/resource`, {
    body: { objectTypeProperty: {} },
    headers: { Origin: "https://shop.example" },
  });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers["retry-after"], "60");
  assert.equal(refused.headers["access-control-allow-origin"], "*");
  assert.match(refused.headers["access-control-expose-headers"], /Retry-After/);
  assert.equal(refused.json.errors[0].code, "TooManyRequests");
  assert.equal((await worker.call(`GET /${other}/resource`)).status, 200);
  // Another API client in the same project is not limited.
  const two = await worker.token(name, "view_test", "tests-two");
  assert.equal(
    (await worker.send({ method: "GET", target: `/${name}/resource`, headers: { Authorization: `Bearer ${two}` } }))
      .status,
    200,
  );
  for (const open of ["/health", "/openapi.json", "/nowhere"]) {
    assert.notEqual((await worker.send({ method: "GET", target: open })).status, 429, open);
  }
});

test("guesses of a client's secret end at the limit, even a correct guess", async () => {
  const name = project();
  await window();
  const statuses = [];
  for (let count = 0; count < LIMIT + 1; count += 1) statuses.push((await askForToken("guess", name)).status);
  statuses.push((await askForToken("tests-two-secret", name)).status);
  // The token request of the previous test may have counted once.
  assert.ok(
    statuses.slice(0, LIMIT - 1).every((status) => status === 401),
    statuses.join(),
  );
  assert.deepEqual(statuses.slice(LIMIT), [429, 429]);
});
