// The changes of a project as a stream of server-sent events, on the real runtime (D36).

import assert from "node:assert/strict";
import { test } from "node:test";
import { EventSource } from "eventsource";
import { eventually, project, startForTests, startIn } from "./support.mjs";

const worker = startForTests({ staged: true });

/** Requests a stream. Returns its response, and a function that returns its text so far, up to a number of blocks. */
async function stream(worker, name, query = "", headers = {}) {
  const Authorization = `Bearer ${await worker.token(name, "view_test")}`;
  const controller = new AbortController();
  const response = await fetch(new URL(`/${name}/changes${query}`, worker.url), {
    headers: { Accept: "text/event-stream", Authorization, ...headers },
    signal: controller.signal,
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  const blocks = async (count) => {
    while (text.split("\n\n").length <= count) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    return text.split("\n\n").slice(0, -1);
  };
  return { response, blocks, leave: () => controller.abort() };
}

/** Returns the ID and the data of an event. */
function parsed(block) {
  const [id, ...data] = block.split("\n");
  assert.ok(id.startsWith("id: ") && data.every((line) => line.startsWith("data: ")), block);
  return { id: id.slice(4), data: data.map((line) => line.slice(6)) };
}

test("a stream has the pages after a position, and then each change", async () => {
  const name = project();
  for (const id of ["a", "b", "c"]) await worker.create(name, id);
  const { response, blocks, leave } = await stream(worker, name, "?limit=2");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("x-accel-buffering"), "no");
  const events = (await blocks(2)).map(parsed);
  const first = (await worker.call(`GET /${name}/changes?limit=2`)).text.trimEnd().split("\n");
  assert.deepEqual(events[0].data, first);
  for (const { id, data } of events) assert.equal(JSON.parse(data[0]).to, id);
  assert.deepEqual([JSON.parse(events[1].data[1]).id, events[1].data.length], ["c", 2]);
  const { json } = await worker.create(name, "d");
  const [, , third] = (await blocks(3)).map(parsed);
  assert.deepEqual([JSON.parse(third.data[0]).from, JSON.parse(third.data[1])], [events[1].id, json]);
  leave();
  await eventually(async () => {
    await worker.create(name, "a");
    assert.equal((await worker.call(`GET /${name}/status`)).json.listeners, 0);
  });
});

test("a stream ends after a minute", async () => {
  const name = project();
  const { response, blocks } = await stream(worker, name);
  assert.equal(response.status, 200);
  await blocks(1);
  await worker.send({ method: "POST", target: "/__clock?ms=60000" });
  await worker.create(name, "a");
  // The stream ends: the change is for the next one.
  assert.equal((await blocks(2)).length, 1);
});

test("an EventSource gets changes, and continues after its last event", { timeout: 60_000 }, async (t) => {
  const crashing = await startIn(t);
  const name = project();
  await crashing.create(name, "a");
  const Authorization = `Bearer ${await crashing.token(name, "view_test")}`;
  const ids = /** @type {(string | undefined)[]} */ ([]);
  const source = new EventSource(new URL(`/${name}/changes?after=now`, crashing.url), {
    fetch: (_url, init) => {
      const headers = { ...init.headers, Authorization };
      ids.push(headers["Last-Event-ID"]);
      return fetch(new URL(`/${name}/changes?after=now`, crashing.url), { ...init, headers });
    },
  });
  t.after(() => source.close());
  const got = [];
  source.onmessage = ({ data, lastEventId }) => got.push({ lines: data.split("\n").map(JSON.parse), lastEventId });
  await eventually(() => assert.equal(got.length, 1));
  const { json } = await crashing.create(name, "b");
  await eventually(() => assert.deepEqual(got.at(-1).lines.slice(1), [json]));
  const { lastEventId } = got.at(-1);
  await crashing.crash();
  const written = (await crashing.create(name, "c")).json;
  await eventually(() => assert.deepEqual(got.at(-1).lines.slice(1), [written]));
  assert.deepEqual([ids[0], ids.at(-1)], [undefined, lastEventId]);
});
