// `resource-edge smoke`: checks whether a deployed address works, without changing anything there.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import { type Command, EXIT, type Input } from "../command.js";
import { addressOf, isLocal, reasonOf } from "../connection.js";

/** The maximum time until a new address serves the new code, in milliseconds. */
const PATIENCE = 60_000;
const PAUSE = 2_000;

/** A deployed address. `isClosed`: no token issuer is configured, so the service has to reject every call with 503. */
interface Target {
  url: string;
  isClosed: boolean;
  signal: AbortSignal;
  note(text: string): void;
}

async function get({ url, signal }: Target, path: string) {
  const timeout = AbortSignal.any([AbortSignal.timeout(10_000), signal]);
  const response = await fetch(`${url}/${path}`, { redirect: "manual", signal: timeout });
  const body: any = await response.json().catch(() => undefined);
  return { status: response.status, type: response.headers.get("Content-Type") ?? "", body };
}

/**
 * Returns the result of `GET /health` once this service responds there. A new address first responds with pages of the
 * platform.
 */
async function healthOf(target: Target, patience: number) {
  let [seen, noted] = ["", ""];
  for (const end = Date.now() + patience; ; ) {
    try {
      const response = await get(target, "health");
      if (response.body?.worker === "ok" || response.body?.errors !== undefined) return response;
      seen = `status ${response.status}`;
    } catch (error) {
      target.signal.throwIfAborted();
      seen = reasonOf(error);
    }
    if (Date.now() > end) throw new Error(`${target.url}/health is not a response of this service: ${seen}`);
    if (seen !== noted) target.note(`  …  waiting for ${target.url}/health (${seen})`);
    noted = seen;
    await sleep(PAUSE, undefined, { signal: target.signal });
  }
}

/** The checks by their names. Each rejects with an error that names the problem. */
const checks: { [name: string]: (target: Target) => Promise<void> } = {
  async health(target) {
    const { status, body } = await healthOf(target, isLocal(target.url) ? 0 : PATIENCE);
    if (target.isClosed) {
      assert.equal(status, 503, `expected 503 until a token issuer is configured, got ${status}`);
    } else {
      assert.equal(status, 200, body.message);
      assert.equal(body.status, "ok", `status "${body.status}": KV ${body.kv}, objects ${body.object}`);
    }
  },
  async "a call without a token is rejected"(target) {
    const { status } = await get(target, "smoke-test/resource");
    const expected = target.isClosed ? 503 : 401;
    assert.equal(status, expected, `expected ${expected}, got ${status}`);
  },
  async "the OpenAPI document"(target) {
    const { status, body } = await get(target, "openapi.json");
    assert.ok(status === 200 && body?.openapi?.startsWith("3.1"), `expected OpenAPI 3.1, got status ${status}`);
  },
  async "the console"(target) {
    const { status, type } = await get(target, "");
    // With CONSOLE=off the service does not have this address.
    const isOff = status === (target.isClosed ? 503 : 404);
    const isPage = status === 200 && type.startsWith("text/html");
    assert.ok(isOff || isPage, `expected a page, got status ${status} (${type})`);
  },
};

async function runSmoke({ values, parameters, output, signal }: Input) {
  const url = addressOf(parameters[0] ?? (process.env.RESOURCE_EDGE_URL || "http://127.0.0.1:8787"));
  const isClosed = values["without-issuer"] === true;
  const target = { url, isClosed, signal, note: (text: string) => output.note(text) };
  const results = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(target);
      results.push({ name, ok: true });
      if (!output.isJson) output.write(`  ok    ${name}`);
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error);
      results.push({ name, ok: false, reason });
      if (!output.isJson) output.write(`  FAILS ${name}: ${reason}`);
    }
  }
  if (output.isJson) output.result({ url, checks: results }, "");
  return results.every(({ ok }) => ok) ? 0 : EXIT.failed;
}

export const smoke: Command = {
  about: "check whether a deployed address works, changing nothing there",
  parameters: [
    { name: "URL", about: "the address (default: RESOURCE_EDGE_URL, or http://127.0.0.1:8787)", isOptional: true },
  ],
  options: {
    "without-issuer": { about: "no token issuer is configured yet: the service has to reject every call with 503" },
  },
  run: runSmoke,
};
