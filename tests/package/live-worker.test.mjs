// `watch` and `live` in a Worker, bundled by wrangler, which follows the built Worker by its address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { eventually, project as unused, startForTests } from "../workerd/support.mjs";
import { project, workerd } from "./support.mjs";

const worker = startForTests();
const draft = (id, custom = "red") => ({ id, custom, objectTypeProperty: {} });

/** A Worker that streams what it follows, a line for each change or snapshot, until its caller leaves. */
const MAIN = `
  import { ResourceClient } from "resource-edge";
  import { live, watch } from "resource-edge/live";

  const opened = [];
  globalThis.WebSocket = class extends WebSocket {
    constructor(url, protocols) {
      super(url, protocols);
      opened.push(this);
    }
  };
  const query = { where: "custom = :c", var: { c: "red" } };

  export default {
    async fetch(request, { OPTIONS }, context) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === "/sockets") return Response.json(opened.length);
      const { readable, writable } = new TransformStream();
      const writer = writable.getWriter();
      const say = (line) => writer.write(new TextEncoder().encode(JSON.stringify(line) + "\\n"));
      const client = new ResourceClient(OPTIONS);
      const transport = searchParams.get("transport") ?? undefined;
      if (pathname === "/live") {
        const view = live(client, query, { transport });
        view.subscribe(({ status, items }) => say([status, ...items.map(({ id }) => id)]));
        request.signal.addEventListener("abort", () => view.close());
      } else {
        context.waitUntil(follow().finally(() => writer.close().catch(() => {})));
      }
      async function follow() {
        for await (const { type, id } of watch(client, { ...query, transport, signal: request.signal }))
          await say(id ? [type, id] : [type]);
      }
      return new Response(readable);
    },
  };`;

/** Reads lines of a response. `until` resolves with those up to one that satisfies the condition. */
function linesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  return {
    async until(isLast) {
      const found = [];
      for (;;) {
        const end = rest.indexOf("\n");
        if (end >= 0) {
          const line = JSON.parse(rest.slice(0, end));
          rest = rest.slice(end + 1);
          found.push(line);
          if (isLast(line)) return found;
          continue;
        }
        const { done, value } = await reader.read();
        if (done) throw new Error(`it ended after ${JSON.stringify(found)}`);
        rest += value;
      }
    },
    leave: () => reader.cancel(),
  };
}

for (const transport of ["socket", "wait"]) {
  test(`a Worker watches another service (${transport})`, { timeout: 120_000 }, async () => {
    const { name, ask, write, sockets } = await follower(`watch-${transport}`);
    await write("a");
    const followed = linesOf((await ask(`/watch?transport=${transport}`)).body);
    const ready = () => followed.until(([type]) => type === "ready");
    assert.deepEqual(await ready(), [["set", "a"], ["ready"]]);
    await eventually(async () => assert.equal(await sockets(), transport === "socket" ? 1 : 0));
    await write("b");
    assert.deepEqual(await ready(), [["set", "b"], ["ready"]]);
    await write("a", "blue");
    assert.deepEqual(await ready(), [["leave", "a"], ["ready"]]);
    assert.equal((await worker.call(`DELETE /${name}/resource/b`)).status, 200);
    assert.deepEqual(await ready(), [["delete", "b"], ["ready"]]);
    await followed.leave();
  });

  test(`a Worker shows a list that stays current (${transport})`, { timeout: 120_000 }, async () => {
    const { ask, write, sockets } = await follower(`live-${transport}`);
    await write("a");
    const shown = linesOf((await ask(`/live?transport=${transport}`)).body);
    const shows = (...wanted) => shown.until((line) => line.join() === wanted.join());
    await shows("live", "a");
    await write("b");
    await shows("live", "a", "b");
    await write("a", "blue");
    await shows("live", "b");
    assert.equal(await sockets(), transport === "socket" ? 1 : 0);
    await shown.leave();
  });
}

/** Starts a Worker whose client follows a new project of the service. */
async function follower(folder) {
  const name = unused();
  const OPTIONS = { projectKey: name, baseUrl: worker.url.origin, token: await worker.token(name) };
  const own = workerd(project(folder, { "main.js": MAIN }), { bindings: { OPTIONS } });
  // Compressed lines would wait for more of them.
  const headers = { "Accept-Encoding": "identity" };
  const ask = (path) => own.dispatchFetch(`http://worker${path}`, { headers });
  return {
    name,
    ask,
    sockets: async () => (await ask("/sockets")).json(),
    async write(id, custom) {
      const { status } = await worker.call(`POST /${name}/resource`, { body: draft(id, custom) });
      assert.ok(status < 300);
    },
  };
}
