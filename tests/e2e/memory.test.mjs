// WebAssembly memory of the largest calls, edge and object together. An instance of the platform has 128 MB for
// JavaScript and WebAssembly. WebAssembly memory never shrinks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { largest, write } from "./bodies.mjs";
import { project, start } from "./support.mjs";

const MIB = 1024 * 1024;
const MAX = 64 * MIB;

/** Runs calls on a separate Worker. Returns the bytes of memory after each. */
export async function measured(run) {
  const worker = await start({ measured: true });
  const name = project();
  const found = [];
  const token = await worker.token(name);
  const send = async (what, { method, path = "", body, headers }) => {
    const all = {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "Cache-Control": "no-cache",
      ...headers,
    };
    const answer = await worker.send({ method, target: `/${name}/resource${path}`, headers: all, body });
    assert.ok(answer.status < 300, `${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    const memories = JSON.parse((await worker.send({ method: "GET", target: "/__memory" })).text);
    assert.equal(memories.length, 1, "an instance trapped");
    found.push([what, memories[0]]);
    return answer;
  };
  try {
    await run(send);
  } finally {
    await worker.stop();
  }
  return found;
}

/** Prints and checks the measured memory. */
function within(name, found) {
  console.log(`${name}: ${found.map(([what, bytes]) => `${what} ${(bytes / MIB).toFixed(1)}`).join(", ")} MiB`);
  const [, max] = found.at(-1);
  assert.ok(max < MAX, `${name}: ${max} bytes`);
}

for (const [name, members] of Object.entries(largest())) {
  test(`${name}: the largest body is written, read, found, and deleted in every way, in less than 64 MiB`, async () => {
    const found = await measured(async (send) => {
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
      await send("delete", { method: "DELETE", path: "/big", headers: once("deleted") });
    });
    within(name, found);
  });
}

test("the largest page is not copied to WebAssembly", async () => {
  const found = await measured(async (send) => {
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
  });
  within("pages", found.slice(-3));
});
