// The npm package's client with a `fetch` of the tests: the requests that it sends, and its results for responses.

import assert from "node:assert/strict";
import { test } from "node:test";

import { watch } from "../../pkg/dist/live.js";
import { predicate, variable, where } from "../../pkg/dist/predicate.js";
import { clientWith, failure, project, resource, serviceForTests } from "./clients.mjs";

const { client: clientOf } = serviceForTests();

test("parameters of every type are sent", async () => {
  const { client, sent } = clientWith({ results: [] });
  await client.query({
    limit: 5,
    integerParameter: 2 ** 53 - 1,
    withTotal: false,
    objectParameter: { arrayOfIntExample: [1] },
    // @ts-expect-error: bigints are sent all the same.
    var: { d: new Date(0), n: [1, 2n] },
  });
  const query = new URL(sent[0].url).searchParams;
  const names = "integerParameter limit objectParameter var.d var.n var.n withTotal";
  assert.equal([...query.keys()].sort().join(" "), names);
  assert.deepEqual([query.get("objectParameter"), query.getAll("var.n")], ['{"arrayOfIntExample":[1]}', ["1", "2"]]);
  await client.query(null, null);
  assert.equal(new URL(sent[1].url).search, "");
});

test("an empty list matches nothing, and its opposite everything, however it is written", async () => {
  const client = await clientOf(project());
  const { id } = await client.createOrUpdate({ key: "a", objectTypeProperty: { arrayOfIntExample: [1] } });
  for (const [condition, isMatch] of /** @type {[string, boolean][]} */ ([
    [predicate`key in ${[]}`, false],
    [predicate`key not in ${[]}`, true],
    [where(({ key }) => key.in([])), false],
    [where(({ key }) => key.notIn(new Set())), true],
    [where(({ arrayOfIntExample }) => arrayOfIntExample.containsAll([])), true],
    [where(({ arrayOfIntExample }) => arrayOfIntExample.containsAny([])), false],
  ])) {
    assert.equal((await client.query({ where: condition })).total, isMatch ? 1 : 0, condition);
    assert.equal(await client.exists({ where: [condition] }), isMatch, condition);
    const followed = [];
    for await (const change of watch(client, { where: condition })) {
      if (change.type === "ready") break;
      if (change.type === "set") followed.push(change.id);
    }
    assert.deepEqual(followed, isMatch ? [id] : [], condition);
  }
  // No parameter can pass an empty list.
  const unset = where(({ key }) => key.in(variable("keys")));
  const { message } = await failure(client.query({ where: unset, var: { keys: [] } }));
  assert.match(message, /Missing parameter value for keys\. Pass it as var\.keys; an empty list is written \(\)/);
});

test("the session observes a complex update even if a proxy drops or replaces the ETag", async () => {
  for (const tag of ["", '"another-form"', '"%zz.1"']) {
    const headers = { "Resource-Revision": "1767225605000", ...(tag && { ETag: tag }) };
    const { client, sent } = clientWith([() => Response.json({}, { headers }), resource("a", 5)]);
    await client.updateWithUrnLinks({ id: "a", key: "k" });
    await client.getById("a");
    await client.getByKey("k");
    const minimums = sent.slice(1).map(({ headers }) => headers["Resource-Min-Revision"]);
    assert.deepEqual(minimums, ["1767225605000", "1767225605000"], tag);
  }
});

test("a conditional read of an unchanged resource resolves to undefined", async () => {
  const unchanged = () => new Response(null, { status: 304, headers: { "Resource-Revision": "1767225605000" } });
  const { client, sent } = clientWith(unchanged);
  assert.equal(await client.getById("a", {}, { ifNoneMatch: '"a.1"' }), undefined);
  assert.equal(await client.getByKey("k", {}, { headers: { "If-None-Match": '"a.1"' } }), undefined);
  const tags = sent.map(({ headers }) => headers["If-None-Match"]);
  assert.deepEqual(tags, ['"a.1"', '"a.1"']);
  // The client has observed its revision.
  await client.getById("a", {}, { ifNoneMatch: '"a.1"' });
  assert.equal(sent[2].headers["Resource-Min-Revision"], "1767225605000");
  // Nobody asked whether it is unchanged: a 304 is no result.
  const error = await failure(client.getById("a"));
  assert.deepEqual([error.kind, error.status], ["unexpected", 304]);
});

test("headers may have every form that fetch accepts", async () => {
  const wanted = { "x-a": "1", "x-b": "2, 3" };
  /** @type {[string, string][]} */
  const pairs = [
    ["X-A", "1"],
    ["X-B", "2"],
    ["x-b", "3"],
  ];
  for (const headers of [
    { "X-A": "1", "X-B": "2, 3", "X-C": undefined },
    pairs,
    new Headers(pairs),
    new Map([
      ["X-A", "1"],
      ["X-B", "2, 3"],
    ]),
  ]) {
    const { client, sent } = clientWith(resource());
    await client.getById("a", {}, { headers });
    const { client: second, sent: other } = clientWith(resource(), { headers });
    await second.getById("a");
    for (const [{ headers }] of [sent, other]) {
      delete headers.Authorization;
      assert.deepEqual(Object.fromEntries(new Headers(headers)), wanted);
    }
  }
  const { client, sent } = clientWith(resource(), { headers: [["x-a", "of the client"]] });
  await client.getById("a", {}, { headers: new Headers({ "X-A": "of the call" }) });
  assert.equal(new Headers(sent[0].headers).get("x-a"), "of the call");
  await client.getById("a", {}, { headers: { "if-none-match": '"header"' }, ifNoneMatch: '"option"' });
  assert.equal(new Headers(sent[1].headers).get("if-none-match"), '"option"');
});

test("a caller's fetch gets a plain object of headers, and a new one for each attempt", async () => {
  const seen = [];
  const respond = (_url, { headers }) => {
    seen.push(structuredClone(headers));
    headers["X-Trace"] = "1";
    return seen.length > 1 ? resource() : new Response("busy", { status: 503 });
  };
  await clientWith(respond, { headers: { set: "a" } }).client.getById("a");
  assert.deepEqual(seen, Array(2).fill({ set: "a", Authorization: "Bearer secret" }));
});
