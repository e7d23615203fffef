// The npm package's client with a `fetch` of the tests: the requests that it sends, and its results for responses.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ResourceError } from "../../pkg/dist/node.js";
import { clientWith, resource } from "./answers.mjs";

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
  assert.deepEqual([...query.keys()].sort(), [
    "integerParameter",
    "limit",
    "objectParameter",
    "var.d",
    "var.n",
    "var.n",
    "withTotal",
  ]);
  assert.deepEqual([query.get("objectParameter"), query.getAll("var.n")], ['{"arrayOfIntExample":[1]}', ["1", "2"]]);
  await client.query(null, null);
  assert.equal(new URL(sent[1].url).search, "");
});

test("a body is validated as it is sent, even if toJSON or a getter returns another value", async () => {
  const { client, sent } = clientWith(resource());
  const hidden = (object, value) => Object.defineProperty(object, "toJSON", { value: () => value });
  const turns = [1, 1, 1, "x"];
  for (const body of [
    hidden({ objectTypeProperty: {} }, { wrong: 1 }),
    { objectTypeProperty: { arrayOfIntExample: hidden([1], ["x"]) } },
    {
      objectTypeProperty: {
        get arrayOfIntExample() {
          return [turns.length > 1 ? turns.shift() : "x"];
        },
      },
    },
  ]) {
    // The sent body is valid, no matter how often the getter is read.
    const error = await client.createOrUpdate(body).catch((error) => error);
    if (error instanceof ResourceError) assert.equal(error.kind, "invalid");
  }
  for (const { body } of sent) assert.ok(!/wrong|"x"/.test(body), body);
});

test("the session observes a complex update even if a proxy drops the ETag", async () => {
  const answer = () => Response.json({}, { headers: { "Resource-Revision": "1767225605000" } });
  const { client, sent } = clientWith([answer, resource("a", 5)]);
  await client.updateWithUrnLinks({ id: "a", key: "k" });
  await client.getById("a");
  await client.getByKey("k");
  assert.deepEqual(
    sent.slice(1).map(({ headers }) => headers["Resource-Min-Revision"]),
    ["1767225605000", "1767225605000"],
  );
});

const unchanged = () => new Response(null, { status: 304, headers: { "Resource-Revision": "1767225605000" } });

test("a conditional read of an unchanged resource resolves to undefined", async () => {
  const { client, sent } = clientWith(unchanged);
  assert.equal(await client.getById("a", {}, { ifNoneMatch: '"a.1"' }), undefined);
  assert.equal(await client.getByKey("k", {}, { headers: { "If-None-Match": '"a.1"' } }), undefined);
  assert.deepEqual(
    sent.map(({ headers }) => headers["If-None-Match"]),
    ['"a.1"', '"a.1"'],
  );
  // The client has observed its revision.
  await client.getById("a", {}, { ifNoneMatch: '"a.1"' });
  assert.equal(sent[2].headers["Resource-Min-Revision"], "1767225605000");
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
});

test("modify reads by key and writes by id", async () => {
  const { client, sent } = clientWith([resource("a", 3), resource("a", 4)]);
  const changed = await client.modify({ key: "k-a" }, ({ version }) => {
    assert.equal(version, 3);
    return [{ action: "doSomeThing" }];
  });
  assert.equal(changed.version, 4);
  assert.deepEqual(
    sent.map(({ method, url }) => `${method} ${url}`),
    ["GET http://h/demo/resource/key=k-a", "POST http://h/demo/resource/a"],
  );
  assert.equal(JSON.parse(sent[1].body).version, 3);
});

describe("pages", () => {
  const answer = (url) => {
    const query = new URL(url).searchParams;
    const after = Number(
      query
        .getAll("where")
        .join()
        .match(/"(\d+)"/)?.[1] ?? 0,
    );
    const results = Array.from({ length: Math.min(Number(query.get("limit")), 5 - after) }, (_, at) =>
      resource(String(after + at + 1)),
    );
    return { results, ...(query.get("withTotal") === "true" ? { total: 5 } : {}) };
  };

  test("count the resources seen, and report the total of the first page on request", async () => {
    const { client, sent } = clientWith(answer);
    const pages = [];
    for await (const { total, seen, results } of client.pages({ limit: 2, withTotal: true }))
      pages.push([results.length, seen, total]);
    assert.deepEqual(pages, [
      [2, 2, 5],
      [2, 4, 5],
      [1, 5, 5],
    ]);
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).searchParams.get("withTotal")),
      ["true", "false", "false"],
    );
    for await (const { total, seen } of client.pages({ limit: 5 })) assert.deepEqual([seen, total], [5, undefined]);
  });

  test("report the progress of all", async () => {
    const { client } = clientWith(answer);
    const progress = [];
    let count = 0;
    for await (const one of client.all(
      { limit: 2, withTotal: true },
      { onPage: ({ seen, total }) => progress.push(`${seen} of ${total}`) },
    ))
      count += one.version;
    assert.deepEqual([count, progress], [5, ["2 of 5", "4 of 5", "5 of 5"]]);
  });
});
