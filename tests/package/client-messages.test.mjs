// The messages of the npm package's errors: what is wrong, what is expected, and which address was called.

import assert from "node:assert/strict";
import { test as plainTest } from "node:test";

import { ResourceClient } from "../../pkg/dist/node.js";
import { clientWith, DRAFT, failure, OPTIONS, resource } from "./clients.mjs";
import { FIXED, test } from "./service.mjs";

test("a 401 says why the service rejected the token", FIXED, async ({ service }) => {
  const said = async (token) => {
    const client = new ResourceClient({ ...service.clientOptions(), token });
    return (await failure(client.getById("a"))).message;
  };
  const token = await service.token();
  assert.equal(await said(undefined), "invalid_token: The request has no token.");
  assert.equal(await said("abc"), "invalid_token: The token is malformed.");
  assert.equal(await said(`${token.slice(0, -4)}AAAA`), "invalid_token: The token's signature is not valid.");
  await service.advance(2 * 3_600_000);
  assert.equal(await said(token), "invalid_token: The token has expired.");
});

test("a 403 names the project", async ({ service }) => {
  const client = new ResourceClient({
    ...service.clientOptions({ projectKey: "demo" }),
    token: await service.token({ projectKey: "other" }),
  });
  const read = await failure(client.getById("a"));
  assert.equal(
    read.message,
    "Insufficient scope. One of the following scopes is missing: manage_test, view_test. The project is 'demo'.",
  );
  assert.match(
    (await failure(client.createOrUpdate(DRAFT))).message,
    /missing: manage_test\. The project is 'demo'\.$/,
  );
});

test("an unknown path is shown as it was called", async ({ service }) => {
  const client = new ResourceClient({ ...service.clientOptions(), baseUrl: "http://h/demo" });
  const error = await failure(client.getByKey("a", {}, { orUndefined: true }));
  assert.equal(error.status, 404);
  assert.match(
    error.message,
    / The project key occurs twice\. The address was http:\/\/h\/demo\/demo\/resource\/key=a\.$/,
  );
  assert.equal(error.url, "http://h/demo/demo/resource/key=a");
});

test("a missing resource has the service's message", async ({ client }) => {
  assert.equal((await failure(client.getByKey("a"))).message, "The Resource with key 'a' was not found.");
});

test("a minus before a sort key is answered with the form that the service has", async ({ client }) => {
  const error = await failure(client.query({ sort: "-createdAt" }));
  assert.equal(error.message, "Malformed parameter: sort: expected createdAt desc, found '-createdAt'.");
  assert.equal(error.errors[0].suggestion, "createdAt desc");
  assert.match((await failure(client.query({ sort: "createdat" }))).message, /Did you mean 'createdAt'\?$/);
});

test("lines of an import that are not JSON have the place in the message", async ({ client }) => {
  const error = await failure(client.importLines(["{"]));
  assert.match(error.message, /line 1/);
  assert.equal(error.errors[0].line, 1);
});

plainTest(
  "a service that cannot be reached is named, and in a page of another origin the setting to check",
  async (t) => {
    const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));
    const said = async () => {
      const { client } = clientWith(unreachable, { retry: false, baseUrl: "http://127.0.0.1:8787" });
      const { message, url } = await failure(client.getById("a"));
      assert.equal(url, "http://127.0.0.1:8787/demo/resource/a");
      return message;
    };
    const reached = "The service could not be reached at http://127.0.0.1:8787.";
    assert.equal(await said(), reached);
    t.after(() => Reflect.deleteProperty(globalThis, "location"));
    for (const [origin, hint] of [
      ["http://localhost:5173", " If it runs, check that its setting CORS_ORIGINS allows http://localhost:5173."],
      ["http://127.0.0.1:8787", ""],
      ["null", ""],
    ]) {
      Object.defineProperty(globalThis, "location", { value: { origin }, configurable: true });
      assert.equal(await said(), reached + hint);
    }
  },
);

plainTest("a response of another server names the server", async () => {
  const { client } = clientWith(() => new Response("<html>"));
  const error = await failure(client.getById("a"));
  assert.equal(error.message, "The response (200) of http://h is not from the service.");
  assert.equal(error.url, "http://h/demo/resource/a");
});

plainTest("an argument of a wrong type names the argument, what is expected, and what was found", async () => {
  const client = /** @type {any}: types refuse all of them already */ (clientWith(resource()).client);
  for (const [call, message] of [
    [client.getByKey({ key: "a" }), "argument 1 of getByKey: expected a text or a number, found an object"],
    [
      client.updateById(undefined, { version: 1, actions: [] }),
      "argument 1 of updateById: expected a text or a number, found undefined",
    ],
    [client.query({ where: { key: "a" } }), "where: expected a text or a number, found an object"],
    [client.query({ where: () => "" }), "where: expected a text or a number, found a function"],
    [client.query({ limit: Infinity }), "limit: expected a text or a number, found Infinity"],
    [client.query({ where: "\ud800" }), "where: expected a text or a number, found U+0000 or half a surrogate pair"],
    [client.search({ text: "red" }), 'text: expected an object such as { en: "red" }, found a string'],
    [client.query({ var: ["a"] }), "var: expected an object such as { name: value }, found an array"],
  ])
    assert.equal((await failure(call)).message, `Malformed parameter: ${message}.`);
});

plainTest("a token function may return the token endpoint's response, and a wrong result is described", async () => {
  const given = { access_token: "of-the-endpoint", expires_in: 3600, token_type: "Bearer" };
  const { client, sent } = clientWith(resource(), { token: async () => given });
  await client.getById("a");
  assert.equal(sent[0].headers.Authorization, "Bearer of-the-endpoint");
  for (const [token, found] of [
    [async () => undefined, "undefined"],
    [async () => ({}), "undefined"],
    [async () => ({ token: 5 }), "a number"],
    [async () => "", "an empty text"],
    [async () => "a b", "a text with another character"],
  ]) {
    const error = await failure(clientWith(resource(), { token }).client.getById("a"));
    assert.equal(
      error.message,
      `The token is ${found}. Expected printable ASCII without spaces, or a function that returns it, { token }, or ` +
        "{ access_token }.",
    );
  }
});

plainTest("a 429 has its pause in the error, and its own reason in onRetry", async () => {
  const limited = () => Response.json({}, { status: 429, headers: { "Retry-After": "7" } });
  const error = await failure(clientWith(limited, { timeout: 1000 }).client.getById("a"));
  assert.deepEqual([error.isRateLimited, error.retryAfter], [true, 7000]);
  const reasons = [];
  const onRetry = ({ reason }) => reasons.push(reason);
  const soon = () => Response.json({}, { status: 429, headers: { "Retry-After": "0" } });
  await clientWith([soon, resource()], { onRetry }).client.getById("a");
  assert.deepEqual(reasons, ["rateLimited"]);
});

plainTest("a wrong option names what was found", () => {
  const options = /** @type {any} */ ({ ...OPTIONS, baseUrl: new URL("http://h") });
  assert.throws(() => new ResourceClient(options), /baseUrl: expected a text or a number, found an object/);
});
