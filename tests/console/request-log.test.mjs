// The recorded exchanges, and how much of them is kept.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { after, beforeEach, test } from "node:test";

import { clearRequestLog, exchanges, KEPT_CHARS, recording } from "../../build/console/state/request-log.js";
import { listen } from "../support/server.mjs";

const TRY_MS = 10_000;
const LIMIT = 256 * 1024;
// The path has the number of characters of the response.
const server = createServer((request, response) => response.end("ä".repeat(Number(request.url.split(/[/?]/)[2]))));
const { url: origin, close } = await listen(server);
after(close);
globalThis.location = /** @type {Location} */ ({ href: origin });
beforeEach(clearRequestLog);

test("a long body is cut, with a note about the rest", async () => {
  await recording(TRY_MS)(`${origin}/chars/${LIMIT + 5}`, { method: "GET" });
  await recording(TRY_MS)(`${origin}/chars/${LIMIT}`, { method: "GET" });
  const cut = exchanges.map(({ responseBody }) => responseBody === `${"ä".repeat(LIMIT)}\n… (5 characters more)`);
  assert.deepEqual(cut, [true, false]);
  assert.equal(exchanges[1].responseBody, "ä".repeat(LIMIT));
});

test("the bodies of all requests together have a limit, and the newest are kept", async () => {
  const send = recording(TRY_MS);
  const count = KEPT_CHARS / LIMIT + 3;
  for (let at = 0; at < count; at++) await send(`${origin}/chars/${LIMIT}?${at}`, { method: "GET" });
  const kept = exchanges.reduce((sum, { responseBody }) => sum + responseBody.length, 0);
  assert.ok(kept <= KEPT_CHARS && kept > KEPT_CHARS - 2 * LIMIT, String(kept));
  assert.equal(exchanges.at(-1).url, `${origin}/chars/${LIMIT}?${count - 1}`);
});

test("the removed part of a body uses no memory", () => {
  // Each response is twenty times as long as the part that is kept.
  const [answers, length] = [16, 20 * LIMIT];
  const source = JSON.stringify(new URL("../../build/console/state/request-log.js", import.meta.url).href);
  const script = `
    import { createServer } from "node:http";
    import { exchanges, recording } from ${source};
    const server = createServer((request, response) => response.end("a".repeat(${length})));
    server.listen(0, "127.0.0.1", async () => {
      const origin = "http://127.0.0.1:" + server.address().port;
      globalThis.location = /** @type {Location} */ ({ href: origin });
      const used = () => (gc(), process.memoryUsage().heapUsed + process.memoryUsage().external);
      const before = used();
      for (let at = 0; at < ${answers}; at++) await recording(10_000)(origin + "/x", { method: "GET" });
      // Node frees the memory of responses after a while.
      let grown = used() - before;
      for (let times = 0; times < 100 && grown >= ${(answers * length) / 2}; times++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        grown = used() - before;
      }
      console.log(JSON.stringify({ kept: exchanges.length, used: grown }));
      process.exit();
    });`;
  const { kept, used } = JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], { encoding: "utf8" }),
  );
  assert.equal(kept, answers);
  // The removed parts would be nineteen twentieths. Node also uses some memory.
  assert.ok(used < (answers * length) / 2, `${used} bytes for ${answers} cut answers`);
});
