// Checks whether a deployed address works, without changing anything there. Exits with 1 if it does not.
//
//   node .ci/smoke.mjs https://resource-edge.example.workers.dev [--without-issuer]
//
// `--without-issuer`: no token issuer is configured yet, so the service has to reject every call with 503.

import { parseArgs } from "node:util";

/** The maximum time until a new address serves the new code, in milliseconds. */
const PATIENCE = 60_000;
const PAUSE = 2_000;

const { values, positionals } = parseArgs({
  options: { "without-issuer": { type: "boolean" } },
  allowPositionals: true,
});

/**
 * Returns the address with a slash at the end.
 * @param {string[]} positionals
 */
function address([text]) {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/*$/, "/");
  console.error(
    `error: ${text === undefined ? "no address" : `"${text}" is not an address`}. Expected: make smoke URL=https://…`,
  );
  process.exit(2);
}

const url = address(positionals);

/** @param {string} path */
async function get(path) {
  const response = await fetch(url + path, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
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
 * The checks: a name, and a function that returns the problem or undefined.
 * @type {[string, () => Promise<string | undefined>][]}
 */
const checks = [
  [
    "health",
    async () => {
      const { status, body } = await health();
      if (values["without-issuer"])
        return status === 503 ? undefined : `expected 503 until a token issuer is configured, got ${status}`;
      if (status !== 200) return body.message;
      return body.status === "ok" ? undefined : `status "${body.status}": KV ${body.kv}, objects ${body.object}`;
    },
  ],
  [
    "a call without a token is rejected",
    async () => {
      const { status } = await get("smoke-test/resource");
      const expected = values["without-issuer"] ? 503 : 401;
      return status === expected ? undefined : `expected ${expected}, got ${status}`;
    },
  ],
  [
    "the OpenAPI document",
    async () => {
      const { status, body } = await get("openapi.json");
      return status === 200 && body?.openapi?.startsWith("3.1")
        ? undefined
        : `expected OpenAPI 3.1, got status ${status}`;
    },
  ],
  [
    "the console",
    async () => {
      const { status, type } = await get("");
      // With CONSOLE=off the service does not have this address.
      if (status === (values["without-issuer"] ? 503 : 404)) return undefined;
      return status === 200 && type.startsWith("text/html")
        ? undefined
        : `expected a page, got status ${status} (${type})`;
    },
  ],
];

let failed = false;
for (const [name, check] of checks) {
  const wrong = await check().catch(reasonOf);
  console.log(wrong === undefined ? `  ok    ${name}` : `  FAILS ${name}: ${wrong}`);
  failed ||= wrong !== undefined;
}
process.exitCode = failed ? 1 : 0;
