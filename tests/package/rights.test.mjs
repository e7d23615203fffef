// Rights by rules, as the guide shows them: its examples, with the client, live lists, and collections of TanStack DB.

import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { createCollection } from "@tanstack/db";

import { live } from "../../pkg/dist/live.js";
import { ResourceClient, resource } from "../../pkg/dist/node.js";
import { resourceCollectionOptions } from "../../pkg/dist/tanstack-db.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { userToken } from "../../pkg/dist/token.js";
import { blocksIn, functionOf, rightsGuide } from "../support/blocks.mjs";
import { eventually } from "../support/waiting.mjs";
import { folderFor, KNOWN, MAIN, run, startMock } from "./npm-project.mjs";

const [catalogue, notes, team] = blocksIn(rightsGuide, "json").map((block) => JSON.parse(block));
const programOf = (text) => blocksIn(rightsGuide, "js").find((block) => block.includes(text));

/** Starts a service with an example of the guide. Returns a function that gives a client: of a user, or by options. */
async function start(t, resources, options = {}) {
  const service = await createService({ resources, ...options });
  t.after(() => service.close());
  const declared = resource(resources, Object.keys(resources.resources)[0]);
  const clientOf = (user, claims) =>
    new ResourceClient({ ...service.clientOptions(user && { user, claims }), resource: declared });
  return { service, declared, clientOf };
}

/** Returns the status and the code of a call, or `undefined` if it succeeds. */
const refusalOf = (call) =>
  call.then(
    () => undefined,
    ({ status, code }) => [status, code],
  );

test("everybody reads what is active in the catalogue, and only a scope shows more", async (t) => {
  const bodies = [
    { key: "lamp", title: "Lamp", status: "active" },
    { key: "desk", title: "Desk" },
  ];
  const { service, declared, clientOf } = await start(t, catalogue, { bodies });
  const { token, ...open } = service.clientOptions();
  const anyone = new ResourceClient({ ...open, resource: declared });
  for (const client of [anyone, clientOf("alice")]) {
    const { total, results } = await client.query();
    assert.deepEqual([total, results.map(({ title }) => title)], [1, ["Lamp"]]);
    assert.deepEqual(await refusalOf(client.getByKey("desk")), [404, "ResourceNotFound"]);
  }
  assert.deepEqual(await refusalOf(anyone.createOrUpdate({ title: "Chair" })), [401, "invalid_token"]);
  assert.deepEqual(await refusalOf(clientOf("alice").createOrUpdate({ title: "Chair" })), [403, "Forbidden"]);
  assert.equal((await clientOf().query()).total, 2);
});

test("users see and change only their own notes, and the error has the name of the rule", async (t) => {
  const { clientOf } = await start(t, notes);
  const [alice, bob] = [clientOf("alice"), clientOf("bob")];
  const { id, version } = await alice.createOrUpdate({ key: "first", text: "Buy milk", owner: "alice" });
  assert.deepEqual(await refusalOf(bob.getById(id)), [404, "ResourceNotFound"]);
  assert.equal((await bob.query()).total, 0);
  assert.deepEqual(await refusalOf(bob.deleteById(id)), [404, "ResourceNotFound"]);
  assert.deepEqual(await refusalOf(bob.createOrUpdate({ key: "first", text: "a", owner: "bob" })), [
    400,
    "DuplicateField",
  ]);
  for (const [call, rule, path] of /** @type {[Promise<any>, string, string | undefined][]} */ ([
    [alice.createOrUpdate({ text: "a", owner: "bob" }), "create", undefined],
    [alice.updateById(id, { version, actions: [{ action: "setOwner", owner: "bob" }] }), "fixed", "/owner"],
  ])) {
    const { code, errors, isForbidden } = await call.catch((error) => error);
    assert.deepEqual([code, errors[0].rule, errors[0].path, isForbidden], ["Forbidden", rule, path, true]);
  }
  assert.equal((await alice.getById(id)).owner, "alice");
  await alice.deleteById(id);
});

test("the members of a team share tasks, and only the owner deletes one", async (t) => {
  const { clientOf } = await start(t, team);
  const [alice, bob] = ["alice", "bob"].map((user) => clientOf(user, { teams: ["sales", "support"] }));
  const { id } = await alice.createOrUpdate({ title: "Call", team: "sales", owner: "alice" });
  const done = await bob.modify(id, () => [{ action: "setDone", done: true }]);
  assert.equal(done.version, 2);
  for (const other of [clientOf("carol", { teams: ["it"] }), clientOf("carol", { teams: [] }), clientOf("carol")])
    assert.deepEqual([(await other.query()).total, await refusalOf(other.getById(id))], [0, [404, "ResourceNotFound"]]);
  // The program of the guide prints what is in its comment.
  const program = programOf("error.errors[0].rule");
  const printed = [];
  const run = functionOf(`const run = async () => {\n${program}\n};`, ["client", "id", "console"], "run");
  await run(bob, id, { log: (...texts) => printed.push(texts.join(" ")) })();
  assert.deepEqual(printed, [program.match(/^ {2}\/\/ (.*)$/m)[1]]);
  await alice.deleteById(id);
});

test("a live list and a collection show what becomes visible, and no longer what is hidden", async (t) => {
  const bodies = [
    { id: "a", title: "A", status: "active" },
    { id: "b", title: "B" },
  ];
  const { clientOf } = await start(t, catalogue, { bodies });
  const [alice, editor] = [clientOf("alice"), clientOf()];
  const view = live(alice);
  t.after(view.subscribe(() => {}));
  /** @type {import("@tanstack/db").Collection<any, string>} */
  const collection = createCollection(resourceCollectionOptions({ client: alice }));
  await collection.preload();
  t.after(() => collection.cleanup().then(() => alice.close()));
  const shown = (ids) =>
    eventually(() => {
      assert.deepEqual(
        view
          .getSnapshot()
          .items.map(({ id }) => id)
          .sort(),
        ids,
      );
      assert.deepEqual([...collection.keys()].sort(), ids);
    });
  await shown(["a"]);
  const setStatus = (id, status) => editor.modify(id, () => [{ action: "setStatus", status }]);
  await setStatus("b", "active");
  await shown(["a", "b"]);
  await setStatus("a", "draft");
  await shown(["b"]);
  await editor.modify("a", () => [{ action: "setTitle", title: "hidden" }]);
  await editor.deleteById("b");
  await shown([]);
  // The collection shows a write at once, and no longer when the service has refused it.
  const inserted = collection.insert({ id: "c", title: "C", status: "active" });
  assert.equal(collection.has("c"), true);
  const { code, errors } = await inserted.isPersisted.promise.catch((error) => error);
  assert.deepEqual([code, errors[0].rule, collection.has("c")], ["Forbidden", "create", false]);
});

test("the Worker of the service signs tokens for those who have signed in, as in the guide", async (t) => {
  const { service } = await start(t, team);
  const program = programOf("resource-edge/worker").replace("export default", "const worker =");
  let user;
  const names = ["userToken", "setResources", "resources", "signedInUser"];
  const handler = functionOf(program, names, "worker")(
    userToken,
    () => service,
    team,
    () => user,
  );
  const ask = () =>
    handler.fetch(new Request("https://tasks.example/api/token"), { TOKEN_SECRET: service.tokenSecret });
  assert.equal((await ask()).status, 401);
  user = { name: "alice", teams: ["sales"] };
  const { token, expiresIn } = await (await ask()).json();
  assert.equal(expiresIn, 3600);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ title: "Call", team: "sales", owner: "alice" });
  const request = new Request("https://tasks.example/demo/resource", { method: "POST", headers, body });
  assert.equal((await handler.fetch(request, {})).status, 201);
});

/** Returns the settings of a block of the guide. */
const settingsOf = (block) =>
  Object.fromEntries(
    block
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/)),
  );

test("the settings of the guide's providers are valid, and their tokens are those of users", async (t) => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }];
  const { fetch } = globalThis;
  t.after(() => void (globalThis.fetch = fetch));
  const blocks = blocksIn(rightsGuide, "ini");
  assert.equal(blocks.length, 2);
  for (const block of blocks) {
    const settings = settingsOf(block);
    globalThis.fetch = async (url) => {
      assert.equal(String(url), settings.TOKEN_JWKS_URL);
      return Response.json({ keys });
    };
    const { clientOf, service, declared } = await start(t, team, { settings });
    await clientOf().createOrUpdate({ title: "Call", team: "sales", owner: "alice" });
    const now = Math.floor(Date.now() / 1000);
    const own = { iss: settings.TOKEN_ISSUER, aud: [settings.TOKEN_AUDIENCE, "account"], iat: now, exp: now + 60 };
    const others = { sub: "auth0|1", client_id: "page", jti: "1", scope: "openid profile", teams: ["sales"] };
    const parts = [
      { alg: "RS256", typ: "at+jwt", kid: "1" },
      { ...own, ...others },
    ];
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const token = `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
    const client = new ResourceClient({ ...service.clientOptions(), token, resource: declared });
    assert.deepEqual(
      [(await client.query()).total, await refusalOf(client.status())],
      [1, [403, "insufficient_scope"]],
    );
  }
});

test("the session of the guide shows that a user sees nothing of another", async () => {
  const folder = folderFor("resource-edge-rights-");
  writeFileSync(join(folder, "resources.json"), JSON.stringify(notes));
  const mock = await startMock(["--authenticate"], { cwd: folder, env: KNOWN });
  const { url, clientId, clientSecret, tokenSecret } = mock;
  const variables = { TOKEN_SECRET: tokenSecret, DEV_CLIENT_ID: clientId, DEV_CLIENT_SECRET: clientSecret };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, ".dev.vars"), lines.join(""));
  const [session] = blocksIn(rightsGuide, "sh");
  const script = session.replaceAll("npx resource-edge", `"${process.execPath}" "${MAIN}"`);
  const { code, stdout } = await run("bash", ["-ec", script], {
    cwd: folder,
    env: { ...KNOWN, RESOURCE_EDGE_URL: url },
  });
  const expected = [...session.matchAll(/# (\d)$/gm)].map(([, count]) => count);
  assert.deepEqual([code, stdout.trim().split("\n").slice(-2)], [0, expected]);
});

test("wrong rules are refused with their place", async () => {
  /** @type {[any, RegExp][]} */
  const cases = [
    [{ read: "owner = :" }, /^The resources are invalid at \/rules\/note\/read: /],
    [{ update: "nobody = :sub" }, /^The resources are invalid at \/rules\/note\/update: .*nobody/],
    [{ anonymous: "owner = :sub" }, /^The resources are invalid at \/rules\/note\/anonymous: .*without variables/],
    [{ fixed: ["author"] }, /^The resources are invalid at \/rules\/note\/fixed: Expected names of fields/],
    [{ write: "owner = :sub" }, /^The resources are invalid at \/rules\/note\/write: Expected the rules/],
  ];
  for (const [note, message] of cases)
    await assert.rejects(createService({ resources: { ...notes, rules: { note } } }), { name: "TypeError", message });
});
