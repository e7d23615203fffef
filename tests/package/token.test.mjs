// `userToken` and `resource-edge token --user`: what they sign is what the service trusts.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { createService } from "../../pkg/dist/testing/index.js";
import { userToken } from "../../pkg/dist/token.js";
import { folderFor, runCommand } from "./npm-project.mjs";
import { project, workerd } from "./support.mjs";

const folder = folderFor("resource-edge-token-");
const secret = "a secret of at least thirty-two bytes";

const partsOf = (token) => token.split(".").map((part) => Buffer.from(part, "base64url"));
const claimsOf = (token) => JSON.parse(String(partsOf(token)[1]));

test("a token has the user, the claims, and a signature of the secret, and no scope", async () => {
  const now = Date.UTC(2026, 0, 1, 0, 0, 0, 500);
  const claims = { role: "Ä", groups: ["a", "b"], level: 3, isAdmin: false };
  const { token, expiresIn } = await userToken({ secret, user: "alice", claims, expiresIn: 60, now });
  const { jti, iat, ...others } = claimsOf(token);
  const own = { iss: "resource-edge", aud: "resource-edge", client_id: "users", sub: "alice", exp: iat + 60 };
  assert.deepEqual([expiresIn, iat * 1000, others], [60, now - 500, { ...claims, ...own }]);
  assert.match(jti, /^[\w-]{22}$/);
  const [header, , signature] = partsOf(token);
  assert.deepEqual(JSON.parse(String(header)), { typ: "at+jwt", alg: "HS256" });
  const signed = token.slice(0, token.lastIndexOf("."));
  assert.deepEqual(signature, createHmac("sha256", secret).update(signed).digest());
});

test("what no rule could use is an error with its place", async () => {
  const cases = [
    [{ secret: undefined }, /^secret: expected the setting TOKEN_SECRET\.$/],
    ...["", undefined, "a\nb", "é".repeat(257)].map((user) => [{ user }, /^user: expected 1 to 512 bytes of text/]),
    [{ claims: { scope: "manage_test:demo" } }, /^claims\.scope: the function sets it, or a user's token has none\./],
    [{ claims: { sub: "b" } }, /^claims\.sub: /],
    ...[null, {}, [["a"]], Number.NaN].map((a) => [{ claims: { a } }, /^claims\.a: expected a text, a number, true/]),
    [{ expiresIn: 0 }, /^expiresIn: expected seconds/],
    [{ claims: { a: "a".repeat(12_300) } }, /^claims: the token would have 16[0-9]{3} bytes\. Expected at most 16384/],
  ];
  for (const [options, message] of /** @type {[any, RegExp][]} */ (cases))
    await assert.rejects(userToken({ secret, user: "alice", ...options }), { name: "TypeError", message });
});

test("the service trusts the token until it expires, and no token of another secret", async (t) => {
  const service = await createService({ now: "2026-01-01T00:00:00Z" });
  t.after(() => service.close());
  const statusOf = async (token) =>
    (await service.fetch("/demo/resource", { headers: { Authorization: `Bearer ${token}` } })).status;
  const token = await service.token({ user: "alice", claims: { role: "editor" } });
  assert.deepEqual([claimsOf(token).sub, claimsOf(token).role], ["alice", "editor"]);
  // Without rules, a token without a scope of the project is trusted and may do nothing.
  assert.equal(await statusOf(token), 403);
  const now = Date.UTC(2026, 0, 1);
  assert.equal(await statusOf((await userToken({ secret, user: "alice", now })).token), 401);
  await service.advance(3_661_000);
  assert.equal(await statusOf(token), 401);
  const { token: next } = service.clientOptions({ user: "bob" });
  assert.equal(claimsOf(await next({ refresh: false })).sub, "bob");
});

test("a Worker signs tokens", async () => {
  const program = `
    import { userToken } from "resource-edge/token";
    export default { fetch: async () => Response.json(await userToken({ secret: "${secret}", user: "alice" })) };`;
  const worker = workerd(project("token-worker", { "main.js": program }));
  const { token, expiresIn } = /** @type {any} */ (await (await worker.dispatchFetch("http://worker/")).json());
  assert.deepEqual([claimsOf(token).sub, expiresIn], ["alice", 3600]);
});

/** Runs the command. */
const cli = (args, env = {}) =>
  runCommand(["token", ...args], { cwd: folder, env: { PATH: process.env.PATH, ...env } });

test("the command signs a token of a user with the secret of the environment or of .dev.vars", async () => {
  const none = await cli(["--user", "alice"]);
  assert.deepEqual([none.code, none.stdout], [1, ""]);
  assert.match(none.stderr, /^error: There is no TOKEN_SECRET, which signs the tokens of users\. Set this variable/);
  writeFileSync(join(folder, ".dev.vars"), `# local\nTOKEN_SECRET=${secret}\n`);
  const claims = ["role=editor", "groups=a,b", "level=3", 'teams=["x"]', "note=a=b", 'text="3"'];
  const args = ["--user", "alice", ...claims.flatMap((claim) => ["--claim", claim])];
  const { code, stdout, stderr } = await cli([...args, "--expires", "60", "--json"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const { access_token: token, expires_in: expires } = JSON.parse(stdout);
  const { role, groups, level, teams, note, text, sub, iat, exp } = claimsOf(token);
  assert.deepEqual([role, groups, level, teams, note, text], ["editor", ["a", "b"], 3, ["x"], "a=b", "3"]);
  assert.deepEqual([sub, exp - iat, expires], ["alice", 60, 60]);
  const other = await cli(["--user", "alice"], { TOKEN_SECRET: "another secret of the environment" });
  rmSync(join(folder, ".dev.vars"));
  const signed = other.stdout.trim();
  const hash = createHmac("sha256", "another secret of the environment");
  assert.deepEqual(partsOf(signed)[2], hash.update(signed.slice(0, signed.lastIndexOf("."))).digest());
});

test("the command says what is wrong with its options", async () => {
  const user = ["--user", "alice"];
  for (const [args, expected] of [
    [[...user, "--claim", "role"], "--claim role: expected NAME=VALUE, as in role=editor, groups=a,b, or level=3."],
    [[...user, "--claim", "a=1", "--claim", "a=2"], "--claim a=2: there is another 'a'. Write a list as in a=a,b."],
    [[...user, "--claim", "a={}"], "claims.a: expected a text, a number, true, false, or a list of them."],
    [[...user, "--expires", "soon"], "--expires must be a whole number of at most 31622400, not 'soon'."],
    [[...user, "--scope", "view_test"], "--scope is not for the token of a user: omit it."],
    [["--claim", "a=b"], "--claim is not for the token of an API client: omit it, or name the user by --user."],
    [["--user", ""], "user: expected 1 to 512 bytes of text without control characters."],
  ]) {
    const { code, stdout, stderr } = await cli(/** @type {string[]} */ (args), { TOKEN_SECRET: secret });
    assert.deepEqual([code, stdout, stderr], [2, "", `error: ${expected}\n`]);
  }
});
