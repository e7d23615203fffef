// Tokens of an external issuer. The runtime's WebCrypto verifies them with keys that are fetched over a socket
// (contract, section 8).

import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { listen } from "../support/server.mjs";
import { eventually, project, startForTests, startIn } from "./support.mjs";

const AUDIENCE = "https://resources.example";
const ISSUER = "https://issuer.example/";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const rotated = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });

const jwk = ({ publicKey }, kid) => ({ ...publicKey.export({ format: "jwk" }), kid, use: "sig" });
const base64url = (value) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

const SIGN = {
  RS256: (data, { privateKey }) => sign("sha256", data, privateKey),
  ES256: (data, { privateKey }) => sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" }),
  HS256: (data, { publicKey }) =>
    createHmac("sha256", publicKey.export({ format: "pem", type: "spki" }))
      .update(data)
      .digest(),
  none: () => Buffer.alloc(0),
};

/**
 * Returns a token of the issuer for the project, with the test's changes.
 * @param {string} name
 * @param {{ alg?: string, kid?: string, key?: object, claims?: object, header?: object }} [changes]
 */
function token(name, { alg = "RS256", kid = "rsa", key = rsa, claims = {}, header = {} } = {}) {
  const now = Math.floor(Date.now() / 1000);
  const all = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: "user",
    client_id: "app",
    jti: "1",
    iat: now,
    exp: now + 600,
    scope: `manage_test:${name}`,
    ...claims,
  };
  const data = `${base64url({ typ: "at+jwt", alg, kid, ...header })}.${base64url(all)}`;
  return `${data}.${SIGN[alg](Buffer.from(data), key).toString("base64url")}`;
}

/** Starts a key server that counts its requests. */
async function issuer() {
  const state = { asked: 0, body: JSON.stringify({ keys: [jwk(rsa, "rsa"), jwk(ec, "ec")] }), status: 200 };
  const server = createServer((_, response) => {
    state.asked += 1;
    response.writeHead(state.status, { "Content-Type": "application/json" }).end(state.body);
  });
  const { url, close } = await listen(server);
  return Object.assign(state, { url: `${url}/jwks`, close });
}

const external = (url) => ({ TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: AUDIENCE, TOKEN_JWKS_URL: url });
const ask = (worker, name, bearer, method = "GET") =>
  worker.send({ method, target: `/${name}/resource`, headers: { Authorization: `Bearer ${bearer}` } });

const keys = await issuer();
after(keys.close);
const worker = startForTests({ changes: external(keys.url) });

test("a token with RS256 or ES256 is valid for its project, and for no other", async () => {
  const name = project();
  for (const good of [
    token(name),
    token(name, { alg: "ES256", kid: "ec", key: ec }),
    token(name, { claims: { aud: ["else", AUDIENCE] } }),
    token(name, { claims: { scope: `openid view_test:${name}` } }),
  ]) {
    assert.equal((await ask(worker, name, good)).status, 200);
    assert.equal((await ask(worker, `${name}-other`, good)).status, 403);
  }
  assert.equal((await ask(worker, name, token(name, { claims: { scope: `view_test:${name}` } }), "POST")).status, 403);
});

// The tests in src/server/auth show every rule for claims and headers. Here WebCrypto and the clock are those of
// the runtime.
for (const [what, change] of Object.entries({
  "of a stranger's key": { key: stranger },
  "for another audience": { claims: { aud: "https://else.example" } },
  "that expired two minutes ago": { claims: { exp: Math.floor(Date.now() / 1000) - 120 } },
  "with an algorithm of none": { alg: "none" },
  "signed with the public key as a secret": { alg: "HS256" },
  "of one key with the ID of another key": { alg: "ES256", kid: "rsa", key: ec },
  "with an algorithm that does not fit its key": { alg: "RS256", kid: "ec" },
})) {
  test(`a token ${what} is 401`, async () => {
    const name = project();
    const answer = await ask(worker, name, token(name, change));
    assert.equal(answer.status, 401, answer.text);
    assert.match(answer.headers["www-authenticate"], /^Bearer .*invalid_token/);
  });
}

test("a token with changed claims is 401", async () => {
  const name = project();
  const [header, , signature] = token(name).split(".");
  const other = token(`${name}-x`).split(".")[1];
  assert.equal((await ask(worker, `${name}-x`, `${header}.${other}.${signature}`)).status, 401);
});

test("an unknown key is 401, and the service requests the issuer's keys at most once a minute", async () => {
  const name = project();
  const before = keys.asked;
  for (let number = 0; number < 30; number += 1) {
    assert.equal((await ask(worker, name, token(name, { kid: `unknown-${number}` }))).status, 401);
  }
  assert.ok(keys.asked - before <= 1, `${keys.asked - before} times`);
  assert.ok(keys.asked <= 2, `${keys.asked} times in all`);
});

test("a caller with an external token and one with an issued token never share an Idempotency-Key", async () => {
  const name = project();
  const headers = { "Content-Type": "application/json", "Idempotency-Key": "same" };
  const post = (bearer) =>
    worker.send({
      method: "POST",
      target: `/${name}/resource`,
      headers: { ...headers, Authorization: `Bearer ${bearer}` },
      body: '{"objectTypeProperty":{}}',
    });
  const answers = [
    await post(token(name)),
    await post(token(name, { claims: { sub: "else" } })),
    await post(await worker.token(name)),
  ];
  const replays = answers.map(({ status, headers: got }) => [status, got["idempotency-replayed"]]);
  assert.deepEqual(replays, Array(3).fill([201, undefined]));
  // The same caller with a newer token is the same caller.
  assert.equal((await post(token(name, { claims: { jti: "2" } }))).headers["idempotency-replayed"], "true");
});

test("unavailable keys are 503 with Retry-After, and tokens are accepted when the keys are available", async (t) => {
  const keys = await issuer();
  t.after(keys.close);
  const worker = await startIn(t, { changes: external(keys.url) });
  const name = project();
  for (const [status, body] of [
    [500, ""],
    [200, "no keys"],
  ]) {
    Object.assign(keys, { status, body });
    const answer = await ask(worker, name, token(name));
    assert.equal(answer.status, 503, answer.text);
    assert.ok(Number(answer.headers["retry-after"]) > 0);
    assert.ok(!answer.text.includes(keys.url), "internals were sent");
    assert.equal(
      (await worker.call(`GET /${name}/resource`)).status,
      200,
      "built-in tokens need no keys of the issuer",
    );
  }
  Object.assign(keys, { status: 200, body: JSON.stringify({ keys: [jwk(rotated, "rotated")] }) });
  await eventually(async () =>
    assert.equal((await ask(worker, name, token(name, { kid: "rotated", key: rotated }))).status, 200),
  );
  // A cached key set needs no server.
  keys.close();
  assert.equal((await ask(worker, name, token(name, { kid: "rotated", key: rotated }))).status, 200);
});

test("a key server that has stopped is 503", async (t) => {
  const keys = await issuer();
  keys.close();
  const worker = await startIn(t, { changes: { ...external(keys.url), TOKEN_SECRET: null, API_CLIENTS: null } });
  const name = project();
  assert.equal((await ask(worker, name, token(name))).status, 503);
  assert.equal((await ask(worker, name, "a.b.c")).status, 401);
});

test("an HTTP key address of another machine is a wrong setting and 503", async (t) => {
  const worker = await startIn(t, { changes: external("http://issuer.example/jwks") });
  const name = project();
  assert.equal((await ask(worker, name, token(name))).status, 503);
  assert.equal((await ask(worker, name, "x")).status, 503);
});
