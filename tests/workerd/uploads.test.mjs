// Bodies of requests that are refused: nothing of them is read, and the caller gets the response while it still sends
// (D35).

import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import net from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { project, startForTests } from "./support.mjs";

const MIB = 1024 * 1024;

let name, token;
const worker = startForTests({}, async () => {
  name = project();
  token = await worker.token(name);
});

/**
 * Opens a connection that sends a request and never ends it. `response` is its status line; empty if the connection
 * ended before.
 */
function upload(lines, body) {
  const socket = net.connect(Number(worker.url.port), "127.0.0.1");
  /** @type {Promise<string>} */
  const response = new Promise((resolve) => {
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (text.includes("\r\n\r\n")) resolve(text.slice(0, text.indexOf("\r\n")));
    });
    socket.on("close", () => resolve(""));
  });
  // The service may end a connection whose body it does not read.
  socket.on("error", () => {});
  socket.write(`${[...lines, "Host: a.test"].join("\r\n")}\r\n\r\n`);
  if (body !== undefined) socket.write(body);
  return { socket, response };
}

const authorization = () => `Authorization: Bearer ${token}`;
const refusals = () => [
  { status: 401, line: `POST /${name}/resource HTTP/1.1`, headers: [] },
  { status: 401, line: `POST /${name}/resource HTTP/1.1`, headers: ["Authorization: Bearer a.b.c"] },
  { status: 403, line: "POST /another/resource HTTP/1.1", headers: [authorization()] },
  { status: 404, line: `POST /${name}/nowhere HTTP/1.1`, headers: [] },
  { status: 405, line: `PUT /${name}/resource/a HTTP/1.1`, headers: [authorization()] },
  { status: 400, line: `POST /${name}/resource?nope=1 HTTP/1.1`, headers: [authorization()] },
  { status: 415, line: `POST /${name}/resource HTTP/1.1`, headers: [authorization(), "Content-Type: text/plain"] },
  { status: 413, line: "POST /oauth/token HTTP/1.1", headers: ["Content-Type: application/x-www-form-urlencoded"] },
];

test("a refused upload gets its response before it is complete, with and without its length", async () => {
  for (const framing of [`Content-Length: ${MIB}`, "Transfer-Encoding: chunked", "Expect: 100-continue"]) {
    for (const { status, line, headers } of refusals()) {
      // Without a length, a form is read up to its limit.
      if (status === 413 && framing !== `Content-Length: ${MIB}`) continue;
      const length = framing.startsWith("Expect") ? [`Content-Length: ${MIB}`] : [];
      const { socket, response } = upload([line, ...headers, framing, ...length]);
      assert.match(await response, new RegExp(`^HTTP/1.1 ${status} `), `${line} ${framing}`);
      socket.destroy();
    }
  }
});

test("a hundred anonymous uploads of nearly 1 MiB do not fill the memory", async () => {
  // In the first round, workerd also grows for other reasons.
  for (let round = 0; round < 2; round += 1) {
    const before = worker.residentBytes();
    const body = Buffer.alloc(MIB - 1, " ");
    const line = `POST /${name}/resource HTTP/1.1`;
    const uploads = Array.from({ length: 100 }, () => upload([line, `Content-Length: ${MIB}`], body));
    // workerd ends a connection with much unread body after the response. If bytes arrive then, the response is lost.
    const responses = await Promise.all(uploads.map(({ response }) => response));
    for (const line of responses) assert.match(line, /^(HTTP\/1.1 401 |$)/);
    assert.ok(responses.some((line) => line !== ""));
    const grown = worker.residentBytes() - before;
    console.log(`round ${round}: workerd has ${(grown / MIB).toFixed(1)} MiB more`);
    if (round > 0) assert.ok(grown < 24 * MIB, `${grown} bytes`);
    for (const { socket } of uploads) socket.destroy();
  }
});

test("fetch gets the response to a refused upload of any allowed size, and its next requests succeed", async () => {
  // workerd ends a connection with more than 64 KiB of unread body, right after the response.
  let ended = Promise.resolve();
  subscribe("undici:client:connected", (/** @type {any} */ { connectParams, socket }) => {
    if (connectParams.port === worker.url.port) ended = new Promise((resolve) => socket.once("close", resolve));
  });
  const json = { "Content-Type": "application/json" };
  const bearer = { ...json, Authorization: `Bearer ${token}` };
  const body = JSON.stringify({ objectTypeProperty: {} });
  for (const size of [10, 60_000, 200_000, MIB]) {
    for (const { status, path = `/${name}/resource`, headers = bearer, more = 0 } of [
      { status: 401, headers: json },
      { status: 401, headers: { ...json, Authorization: "Bearer a.b.c" } },
      { status: 403, path: "/another/resource" },
      { status: 404, path: `/${name}/nowhere` },
      { status: 400, path: `/${name}/resource?nope=1` },
      { status: 415, headers: { Authorization: `Bearer ${token}` } },
      { status: 413, more: MIB },
      { status: 201 },
    ]) {
      const sent = body.padEnd(size + more);
      const response = await fetch(new URL(path, worker.url), { method: "POST", headers, body: sent });
      await response.text();
      assert.equal(response.status, status, `${size} bytes to ${path}`);
      if (size > 65_536 && status !== 201) await Promise.race([ended, wait(3_000)]);
    }
  }
});
