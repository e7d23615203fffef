// Rules (D44) on the real runtime: reads of users and of callers without a token, from KV and from memory, and a deploy
// that changes the rules.

import assert from "node:assert/strict";
import { test } from "node:test";
import { userToken } from "../../pkg/dist/token.js";
import { eventually, folder, kvEqualsTruth, project, settings, start, startIn } from "./support.mjs";
import { connect } from "./support/socket.mjs";

const note = {
  type: "object",
  properties: { title: { type: "string" }, owner: { type: "string" }, open: { type: "boolean" } },
};
const OWN = "owner = :sub";
const of = (/** @type {object} */ rules) => ({ resources: { note }, rules: { note: rules } });
const RULES = of({ read: OWN, create: OWN, update: OWN, delete: OWN, anonymous: "open = true" });

const tokenOf = async (/** @type {string} */ user) =>
  (await userToken({ secret: settings().TOKEN_SECRET, user })).token;

/** Returns what a caller gets; without a user, it sends no token. */
async function read(worker, target, user, headers = {}) {
  const own = user === undefined ? {} : { Authorization: `Bearer ${await tokenOf(user)}` };
  return worker.send({ method: "GET", target, headers: { ...own, ...headers } });
}

/** Starts a Worker whose calls of the platform are counted. */
async function startCounting(t) {
  const worker = await startIn(t, { faulty: true });
  await worker.send({ method: "POST", target: "/__resources", body: JSON.stringify(RULES) });
  return worker;
}

/** Creates a note of alice that everybody reads, and one of bob, and waits until KV has them. */
async function fill(worker, name) {
  for (const [key, owner, open] of [
    ["a", "alice", true],
    ["b", "bob", false],
  ]) {
    await worker.call(`POST /${name}/resource`, { body: { id: key, key, title: `of ${owner}`, owner, open } });
  }
  await eventually(() => kvEqualsTruth(worker, name));
}

test("a read that the rule permits calls no object, by a user and without a token", { timeout: 60_000 }, async (t) => {
  const worker = await startCounting(t);
  const name = project();
  await fill(worker, name);
  await worker.calls();
  for (const [user, id, text] of [
    [undefined, "a", "of alice"],
    ["alice", "a", "of alice"],
    ["bob", "b", "of bob"],
  ]) {
    for (const target of [id, `key=${id}`, `${id}?fields=title`]) {
      const got = await read(worker, `/${name}/resource/${target}`, user);
      assert.deepEqual([got.status, JSON.parse(got.text).title], [200, text], target);
    }
  }
  const { reads, objects } = await worker.calls();
  // Whether KV is behind is asked after a response.
  assert.ok(objects.length <= 1, JSON.stringify(objects));
  assert.deepEqual(
    new Set(reads.map(({ entry }) => entry)),
    new Set(["a", "b"].flatMap((id) => [`r1:${name}:${id}`, `k1:${name}:${id}`])),
  );
  // The instance remembers both notes now.
  for (const [user, id] of [
    [undefined, "b"],
    ["alice", "b"],
    ["bob", "a"],
    ["alice", "none"],
  ]) {
    for (const target of [id, `key=${id}`]) {
      const [got, none] = await Promise.all(
        [target, target.replace(/\w+$/, "zz")].map((one) => read(worker, `/${name}/resource/${one}`, user)),
      );
      assert.equal(got.status, 404, `${user} ${target}`);
      assert.equal(got.headers["resource-revision"], none.headers["resource-revision"]);
      assert.equal(got.text.replaceAll(`'${id}'`, "'zz'"), none.text);
    }
  }
});

test("what a user gets with max-age is no other's", { timeout: 60_000 }, async (t) => {
  const worker = await startCounting(t);
  const name = project();
  await fill(worker, name);
  await worker.calls();
  const aged = { "Cache-Control": "max-age=60" };
  const path = `/${name}/resource?withTotal=true`;
  const all = (await worker.call(`GET ${path}`, { headers: aged })).json;
  assert.equal(all.total, 2);
  const callers = [undefined, "alice", "bob", "carol"];
  const pages = async () => {
    const got = await Promise.all(callers.map((user) => read(worker, path, user, aged)));
    return got.map(({ text }) =>
      JSON.parse(text)
        .results.map(({ id }) => id)
        .join(),
    );
  };
  for (let round = 0; round < 3; round += 1) assert.deepEqual(await pages(), ["a", "a", "b", ""]);
  // Each was called once: callers with equal requests and different rights do not share a reply.
  assert.equal((await worker.calls()).objects.length, 5);
});

test("changed rules apply to tokens, copies, and followers of before", { timeout: 60_000 }, async (t) => {
  const state = folder();
  const name = project();
  const token = await tokenOf("alice");
  const first = await start({ resources: RULES, state });
  await fill(first, name);
  const socket = await connect(first, name, { token, query: "?after=0" }).catch(() => connect(first, name, { token }));
  const [{ to }] = await socket.next();
  assert.equal((await read(first, `/${name}/resource/a`, "alice")).status, 200);
  await first.stop();
  assert.ok((await socket.closed) >= 1000, "a deploy ends the sockets");

  const strict = of({ read: "open = false and owner = :sub" });
  const second = await startIn(t, { resources: strict, state });
  const ask = (/** @type {string} */ target, method = "GET") =>
    second.send({ method, target, headers: { Authorization: `Bearer ${token}` } });
  // The copies are in KV, and are younger than a minute.
  assert.equal((await ask(`/${name}/resource/a`)).status, 404);
  assert.equal((await ask(`/${name}/resource/a`, "DELETE")).status, 404);
  assert.equal((await second.send({ method: "GET", target: `/${name}/resource/a` })).status, 401);
  const again = await connect(second, name, { token, query: `?after=${to}` });
  await again.next();
  for (const [id, open] of [
    ["c", true],
    ["d", false],
  ]) {
    await second.call(`POST /${name}/resource`, { body: { id, owner: "alice", open } });
    const [, ...lines] = await again.next();
    assert.deepEqual(
      lines.flatMap(({ id }) => id ?? []),
      open ? [] : [id],
    );
  }
  await again.close();
});
