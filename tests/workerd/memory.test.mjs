// WebAssembly memory of the largest calls, edge and object together. An instance of the platform has 128 MB for
// JavaScript and WebAssembly. WebAssembly memory never shrinks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { project, startIn } from "./support.mjs";

const MIB = 1024 * 1024;

/** The bytes that remain for the other fields of the record. */
const REST = 600;

function list(field, item) {
  const items = [];
  let bytes = REST + field.length;
  for (let at = 0; ; at += 1) {
    const text = item(at);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > MIB) return `"objectTypeProperty":{"${field}":[${items}]}`;
    items.push(text);
  }
}

/** Returns the members of each body by name, as JSON. */
const largest = () => ({
  "items without members": list("arrayOfObjectType", () => "{}"),
  "distinct integers": list("arrayOfIntExample", String),
  doubles: list("arrayOfFloatExample", (at) => `0.${at}5`),
  "one-digit doubles": list("arrayOfNumberNoDefaultsExample", () => "5"),
  "short texts": list("arrayOfStringExample", () => '"S123"'),
  "texts that fold to longer ones": list("arrayOfStringExample", (at) =>
    JSON.stringify(`${at} ${"\u0390".repeat(250)}`),
  ),
  "a long text": `"objectTypeProperty":{},"custom":"${"\u0390".repeat((MIB - REST) / 2)}"`,
});

/** A write of such a body. */
const write = (method, members, more = "") => ({ method, body: `{"id":"big",${more}${members}}` });

/** Returns functions that make calls to a separate Worker, and check the memory after each, which `memory` returns. */
async function measuring(t) {
  const worker = await startIn(t, { measured: true });
  const name = project();
  const token = await worker.token(name);
  let memory = 0;
  const ask = async (what, target, { method, body = undefined, headers = {} }) => {
    const all = {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "Cache-Control": "no-cache",
      ...headers,
    };
    const answer = await worker.send({ method, target: `/${name}/${target}`, headers: all, body });
    assert.ok(answer.status < 300, `${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    const memories = await worker.around("GET /__memory");
    assert.equal(memories.length, 1, "an instance trapped");
    [memory] = memories;
    t.diagnostic(`${what}: ${(memory / MIB).toFixed(1)} MiB`);
    assert.ok(memory < 64 * MIB, `${what}: ${memory} bytes`);
    return answer;
  };
  const send = (what, { method, path = "", body = undefined, headers = {} }) =>
    ask(what, `resource${path}`, { method, body, headers });
  /** Calls a tool. Returns the body of its result, as text. */
  const callTool = async (what, tool, args) => {
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`;
    const { result } = JSON.parse((await ask(what, "mcp", { method: "POST", body: message })).text);
    assert.ok(!result.isError, `${what}: ${result.content[0].text.slice(0, 300)}`);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    return result.content[0].text;
  };
  return { send, callTool, memory: () => memory };
}

for (const [name, members] of Object.entries(largest())) {
  test(`${name}: the largest body is written, read, found, and deleted in less than 64 MiB`, async (t) => {
    const { send, callTool } = await measuring(t);
    const once = (key) => ({ "Idempotency-Key": key });
    const made = await send("create", { ...write("POST", members), headers: once("made") });
    const again = await send("replay", { ...write("POST", members), headers: once("made") });
    assert.equal(again.text, made.text);
    assert.equal((await send("read", { method: "GET", path: "/big" })).text, made.text);
    const body = JSON.stringify({ version: 1, actions: [{ action: "changeSomeProperty", someProperty: "x" }] });
    await send("update", { method: "POST", path: "/big", body, headers: once("updated") });
    await send("put", write("PUT", members, '"version":2,'));
    await send("patch", write("PATCH", members, '"version":3,'));
    await send("merge", {
      method: "POST",
      path: "/description-with-urn-links",
      body: '{"id":"big","ninthProperty":"9"}',
      headers: once("merged"),
    });
    const page = await send("query", { method: "GET", path: "?limit=1" });
    assert.equal(JSON.parse(page.text).total, 1);
    await send("search", { method: "GET", path: "/searchApiPattern?filter=version:5&limit=1" });
    await callTool("tool", "createOrUpdate", `{"body":{"id":"big",${members}}}`);
    await send("delete", { method: "DELETE", path: "/big", headers: once("deleted") });
  });
}

test("the largest page is not copied to WebAssembly", async (t) => {
  const { send, callTool, memory } = await measuring(t);
  const text = "x".repeat(MIB - 2_000);
  for (let number = 0; number < 4; number += 1) {
    await send(`create ${number}`, {
      method: "POST",
      body: JSON.stringify({ id: `r${number}`, objectTypeProperty: {}, custom: text }),
    });
  }
  const page = await send("query", { method: "GET", path: "?limit=4" });
  assert.equal(JSON.parse(page.text).count, 4);
  await send("search", { method: "GET", path: "/searchApiPattern?limit=4&filter=custom:exists" });
  // The result of a tool has the page twice.
  const before = memory();
  const results = await Promise.all(["a", "b"].map((what) => callTool(`tool ${what}`, "query", '{"limit":4}')));
  assert.deepEqual(results, [page.text, page.text]);
  assert.ok(memory() < before + 16 * MIB, `${before} bytes before, ${memory()} after`);
});
