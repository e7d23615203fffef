// Checks whether a deployed address works, without changing anything there. Exits with 1 if it does not.
//
//   node .ci/smoke.mjs https://resource-edge.example.workers.dev [--without-issuer]
//
// `--without-issuer`: no token issuer is configured yet, so the service has to reject every call with 503.

import assert from "node:assert/strict";
import { parseArgs } from "node:util";

/** The maximum time until a new address serves the new code, in milliseconds. */
const PATIENCE = 60_000;
const PAUSE = 2_000;

const { values, positionals } = parseArgs({
  options: { "without-issuer": { type: "boolean" } },
  allowPositionals: true,
});
const isClosed = values["without-issuer"];
const [address] = positionals;
if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
  const wrong = address === undefined ? "no address" : `"${address}" is not an address`;
  console.error(`error: ${wrong}. Expected: make smoke URL=https://…`);
  process.exit(2);
}
/** The address with a slash at the end. */
const url = address.replace(/\/*$/, "/");

/** @param {string} path */
async function get(path) {
  const response = await fetch(url + path, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
  const body = await response.json().catch(() => undefined);
  return { status: response.status, type: response.headers.get("Content-Type") ?? "", body };
}

/**
 * Returns why a request failed.
 * @param {any} error
 * @returns {string}
 */
const reasonOf = (error) => error.cause?.message ?? error.message;

/**
 * Returns the result of `GET /health` once this service responds there. A new address first responds with pages of the
 * platform.
 */
async function health() {
  for (const end = Date.now() + PATIENCE; ; ) {
    let seen;
    try {
      const response = await get("health");
      if (response.body?.worker === "ok" || response.body?.errors !== undefined) return response;
      seen = `status ${response.status}`;
    } catch (error) {
      seen = reasonOf(error);
    }
    if (Date.now() > end) throw new Error(`${url}health is not a response of this service: ${seen}`);
    console.log(`  …  waiting for ${url}health (${seen})`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/**
 * The checks by their names. Each rejects with an error that names the problem.
 * @type {Record<string, () => Promise<void>>}
 */
const checks = {
  async health() {
    const { status, body } = await health();
    if (isClosed) {
      assert.equal(status, 503, `expected 503 until a token issuer is configured, got ${status}`);
    } else {
      assert.equal(status, 200, body.message);
      assert.equal(body.status, "ok", `status "${body.status}": KV ${body.kv}, objects ${body.object}`);
    }
  },
  async "a call without a token is rejected"() {
    const { status } = await get("smoke-test/resource");
    const expected = isClosed ? 503 : 401;
    assert.equal(status, expected, `expected ${expected}, got ${status}`);
  },
  async "the OpenAPI document"() {
    const { status, body } = await get("openapi.json");
    assert.ok(status === 200 && body?.openapi?.startsWith("3.1"), `expected OpenAPI 3.1, got status ${status}`);
  },
  async "the console"() {
    const { status, type } = await get("");
    // With CONSOLE=off the service does not have this address.
    const isOff = status === (isClosed ? 503 : 404);
    const isPage = status === 200 && type.startsWith("text/html");
    assert.ok(isOff || isPage, `expected a page, got status ${status} (${type})`);
  },
};

for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`  ok    ${name}`);
  } catch (error) {
    console.log(`  FAILS ${name}: ${reasonOf(error)}`);
    process.exitCode = 1;
  }
}
