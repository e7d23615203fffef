// Attacks that need bytes on a socket: paths, header lines, and lengths that no client library would send, and uploads
// that stall. src/guide/operate/security.md lists every attack with its tests.

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { test } from "node:test";
import { project, startForTests } from "./support.mjs";

const MARK = "of the other project alone";
let mine, other, token;
const worker = startForTests({ site: true }, async () => {
  [mine, other] = [project(), project()];
  token = await worker.token(mine);
  const body = { id: "there", key: "there", custom: MARK, objectTypeProperty: {} };
  assert.equal((await worker.call(`POST /${other}/resource`, { body })).status, 201);
});

function connect() {
  const socket = net.connect(Number(worker.url.port), worker.url.hostname);
  socket.on("error", () => {});
  return socket;
}

/**
 * Sends the bytes. Returns everything that arrives until the other side closes or is quiet for `quiet` milliseconds.
 */
async function raw(bytes, { quiet = 150, end = false } = {}) {
  const socket = connect();
  let text = "";
  let timer;
  const done = new Promise((resolve) => {
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(timer);
      timer = setTimeout(resolve, quiet);
    });
    socket.on("close", resolve);
    setTimeout(resolve, 5_000).unref();
  });
  socket.write(Buffer.from(bytes, "latin1"));
  if (end) socket.end();
  await done;
  clearTimeout(timer);
  socket.destroy();
  return text;
}
const statusOf = (text) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
const head = (line, ...headers) =>
  [line, "Host: a.test", `Authorization: Bearer ${token}`, ...headers, "", ""].join("\r\n");
const total = async () => (await worker.call(`GET /${mine}/resource?limit=0`)).json.total;

test("no spelling of a path gives a token access to another project", async () => {
  const at = `/${other}/resource/there`;
  const control = await worker.call(`GET ${at}`);
  assert.ok(control.text.includes(MARK));
  const paths = [
    at,
    `/${at}`,
    `//${at}`,
    `/.${at}`,
    `/x/..${at}`,
    `/${mine}/..${at}`,
    `/${mine}/resource/../..${at}`,
    `/${mine}/resource/%2e%2e/%2e%2e${at}`,
    `/${mine}/resource/..%2f..%2f${other}/resource/there`,
    `/${mine}/resource/..%5c..%5c${other}%5cresource%5cthere`,
    `/${mine}\\..\\${other}\\resource\\there`,
    `\\${other}\\resource\\there`,
    `/${mine};/..${at}`,
    `/${mine}/..;${at}`,
    `/%2e%2e${at}`,
    `/${other}/./resource/there`,
    `/${other}//resource/there`,
    `/${other}%2fresource/there`,
    `/${other}/resource%2fthere`,
    `/${other}/resource/there/`,
    `/${other}/resource/there%00`,
    `/${other}%00/resource/there`,
    `/${other}/resource/there%20`,
    `/${other}%20/resource/there`,
    `/${other}./resource/there`,
    `/${other}/resource/there?x=/${mine}/resource`,
    `/${other}/resource/there#/${mine}/resource`,
    `/%c0%ae%c0%ae${at}`,
    `/${mine}/resource/%c0%ae%c0%ae%c0%af${other}`,
    `/${mine}/resource/%ff`,
    `/${mine}/resource/key=..%2f..%2f${other}%2fresource%2fthere`,
    `/${mine}/resource/key=../../..${at}`,
    `http://a.test${at}`,
    `http://${mine}${at}`,
    `http://evil.example${at}`,
    `*`,
    `${other}/resource/there`,
    `/${encodeURIComponent(`${mine}/resource/../../${other}`)}/resource/there`,
  ];
  const answers = new Map();
  const check = async (path) => {
    const text = await raw(head(`GET ${path} HTTP/1.1`, "Connection: close"));
    answers.set(path, statusOf(text));
    assert.ok(!text.includes(MARK), `${path}: ${text}`);
    // A target that is neither a path nor a URL does not reach the Worker: the local runtime rejects it with 500.
    const expected = /^(\/|http:)/.test(path) ? [400, 403, 404] : [400, 404, 500];
    assert.ok(expected.includes(statusOf(text)), `${path}: ${text.slice(0, 300)}`);
  };
  await Promise.all(paths.map(check));
  // Targets that a URL resolves to the other project's path were rejected for their scope.
  for (const path of [at, `/${mine}/..${at}`, `/${mine}/resource/../..${at}`])
    assert.equal(answers.get(path), 403, path);
});

test("no header of a request becomes a header of the response", async () => {
  const id = "X-Correlation-ID: abcdefgh";
  const lines = [
    `${id}\nX-Evil: 1`,
    `${id}\rX-Evil: 1`,
    `${id}\r\n X-Evil: 1`,
    `${id}%0d%0aX-Evil: 1`,
    `${id}\\r\\nX-Evil: 1`,
    `${id}\xe5\x98\x8d\xe5\x98\x8aX-Evil: 1`,
    `${id}\u0000X-Evil: 1`,
    "Origin: https://a.example\nX-Evil: 1",
    "Access-Control-Request-Headers: x\n X-Evil: 1",
  ];
  const check = async (method, line) => {
    const text = await raw(head(`${method} /${mine}/resource HTTP/1.1`, line, "Connection: close"));
    assert.doesNotMatch(text, /^x-evil:/im, JSON.stringify(line));
    assert.ok([200, 204, 400].includes(statusOf(text)), `${JSON.stringify(line)}: ${text.slice(0, 200)}`);
  };
  await Promise.all(lines.flatMap((line) => ["GET", "OPTIONS"].map((method) => check(method, line))));
  assert.ok(
    worker.log.every((line) => !/^X-Evil/i.test(line)),
    "a line of the log is the caller's",
  );
});

test("a request with a false length stores nothing and smuggles no request", async () => {
  const before = await total();
  const body = JSON.stringify({ objectTypeProperty: {} });
  const post = `POST /${mine}/resource HTTP/1.1`;
  const json = "Content-Type: application/json";
  const hidden = head(`DELETE /${other}/resource/there HTTP/1.1`).replace(/Authorization.*\r\n/, "");
  for (const [what, bytes, end] of /** @type {[string, string, boolean][]} */ ([
    ["longer than the body", head(post, json, `Content-Length: ${body.length + 9}`) + body, true],
    ["shorter than the body", head(post, json, "Content-Length: 5", "Connection: close") + body, false],
    ["negative", head(post, json, "Content-Length: -1") + body, false],
    ["hexadecimal", head(post, json, "Content-Length: 0x1a") + body, false],
    ["two of them", head(post, json, `Content-Length: ${body.length}`, "Content-Length: 5") + body, false],
    [
      "a length and chunks",
      head(post, json, "Content-Length: 5", "Transfer-Encoding: chunked") + `0\r\n\r\n${hidden}`,
      false,
    ],
    ["chunks that are none", head(post, json, "Transfer-Encoding: chunked") + `zz\r\n${body}\r\n0\r\n\r\n`, false],
    [
      "a last chunk that is missing",
      head(post, json, "Transfer-Encoding: chunked") + `${body.length.toString(16)}\r\n${body}\r\n`,
      true,
    ],
    ["a coding that nobody knows", head(post, json, "Transfer-Encoding: gzip, chunked") + `0\r\n\r\n${hidden}`, false],
  ])) {
    const text = await raw(bytes, { end });
    assert.doesNotMatch(text, /^HTTP\/1\.1 20/m, `${what}: ${text.slice(0, 300)}`);
  }
  assert.equal(await total(), before);
  assert.equal((await worker.fresh(`GET /${other}/resource/there`)).status, 200);
});

test("a body of a gigabyte is 413 before it is sent, and a body in many small chunks is accepted", async () => {
  const post = `POST /${mine}/resource HTTP/1.1`;
  const json = "Content-Type: application/json";
  const refused = await raw(head(post, json, "Content-Length: 1073741824"));
  assert.equal(statusOf(refused), 413);
  const body = JSON.stringify({ custom: "chunks", objectTypeProperty: {} });
  const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join("");
  assert.equal(statusOf(await raw(`${head(post, json, "Transfer-Encoding: chunked")}${chunks}0\r\n\r\n`)), 201);
});

test("stalled uploads delay no other request, and an incomplete upload is not stored", {
  timeout: 30_000,
}, async () => {
  const before = await total();
  const body = JSON.stringify({ objectTypeProperty: {} });
  const slow = Array.from({ length: 100 }, (_, at) => {
    const socket = connect();
    const length = at % 2 === 0 ? `Content-Length: ${body.length + 1}` : "Transfer-Encoding: chunked";
    socket.write(head(`POST /${mine}/resource HTTP/1.1`, "Content-Type: application/json", length));
    socket.write(at % 2 === 0 ? body : `${body.length.toString(16)}\r\n${body}\r\n`);
    return socket;
  });
  await Promise.all(slow.map((socket) => (socket.connecting ? once(socket, "connect") : undefined)));
  // A request that waited for an upload would wait for the end of the test.
  for (let count = 0; count < 20; count += 1) {
    assert.equal((await worker.call(`GET /${mine}/resource?limit=0`)).status, 200);
    assert.equal(
      (await worker.call(`POST /${mine}/resource`, { body: { key: `beside-${count}`, objectTypeProperty: {} } }))
        .status,
      201,
    );
  }
  for (const socket of slow) socket.destroy();
  assert.equal((await worker.send({ method: "GET", target: "/health" })).status, 200);
  assert.equal(await total(), before + 20);
});
