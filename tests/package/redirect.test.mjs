// A redirect would send the token to another address, so no transport of the client follows redirects.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { browse, html, project, reports, workerd } from "./support.mjs";

const STATUSES = [301, 302, 303, 307, 308];

/** The requests that arrived at the redirects' target. There should be none. */
const followed = [];
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://redirects");
  const allow = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "*, Authorization",
    "Access-Control-Allow-Methods": "*",
  };
  if (request.method === "OPTIONS") return response.writeHead(204, allow).end();
  const status = Number(pathname.split("/")[1]);
  if (STATUSES.includes(status))
    return response.writeHead(status, { ...allow, Location: `${address()}/elsewhere` }).end();
  followed.push([request.method, request.headers.authorization]);
  response.writeHead(200, { ...allow, "Content-Type": "application/json" });
  response.end(
    JSON.stringify({
      id: "a",
      version: 1,
      lastModifiedAt: "2026-01-01T00:00:00.000Z",
      access_token: "given",
      expires_in: 3600,
    }),
  );
});
const address = () => `http://127.0.0.1:${server.address().port}`;

before(() => new Promise((listening) => server.listen(0, "127.0.0.1", listening)));
after(() => server.close());

/** Returns a program that calls a service that redirects every call, and returns the errors. */
const program = (from = "resource-edge") => `
import { init, ResourceClient } from "${from}";

async function run() {
  await init();
  const errors = [];
  const fail = (call) =>
    call.then(
      (value) => errors.push(["resolved", value]),
      ({ kind, status, message, retryable }) => errors.push([kind, status, message, retryable]),
    );
  for (const status of ${JSON.stringify(STATUSES)}) {
    const options = { projectKey: "demo", baseUrl: "${address()}/" + status, token: "secret" };
    const own = (url, init) => fetch(url, init);
    for (const fetch of [undefined, own]) {
      const client = new ResourceClient({ ...options, fetch });
      await fail(client.getById("a"));
      await fail(client.updateById("a", { version: 1, actions: [] }));
    }
    const credentials = { clientId: "a", clientSecret: "b" };
    await fail(new ResourceClient({ ...options, token: undefined, credentials }).getById("a"));
  }
  return errors;
}
`;

/** Checks the errors. If a browser hides the status, the error still reports a redirect. */
function check(errors, hidden = false) {
  const expected = STATUSES.flatMap((status) => {
    const shown = hidden ? 302 : status;
    const from = `The response (${shown}) of ${address()} is not from the service`;
    const message = `${from}: the client does not follow redirects.`;
    const call = ["unexpected", shown, message, false];
    return [call, call, call, call, ["unexpected", shown, `No token was given: ${message}`, false]];
  });
  assert.deepEqual(errors, expected);
  assert.deepEqual(followed, []);
}

test("a client in Node follows no redirect", async () => {
  const folder = project("redirect-node", { "main.js": `${program()}\nconsole.log(JSON.stringify(await run()));` });
  const { stdout } = await promisify(execFile)(process.execPath, ["main.js"], { cwd: folder });
  check(JSON.parse(stdout));
});

test("a client in a Worker follows no redirect", async () => {
  const main = `${program()}\nexport default { fetch: async () => Response.json(await run()) };`;
  const worker = workerd(project("redirect-worker", { "main.js": main }));
  check(await (await worker.dispatchFetch("http://worker/")).json());
});

test("a client in a page follows no redirect", async () => {
  const folder = project("redirect-page", {
    "index.html": html("/main.js"),
    "main.js":
      `${reports.replace("globalThis.report", "const report")}${program("/node_modules/resource-edge/browser.js")}\n` +
      "report(await run());",
  });
  check(await browse(folder, "/index.html", address()), true);
});
