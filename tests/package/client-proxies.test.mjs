// Responses of servers before the service, such as Cloudflare's 520 to 530: what each call, a follower, and a command
// make of them.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";

import { watch } from "../../pkg/dist/live.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { listen } from "../support/server.mjs";
import { clientWith, DRAFT, failure, resource } from "./clients.mjs";
import { folderFor, KNOWN, runCommand } from "./npm-project.mjs";

/** What a server may say instead of the service. */
const FORMS = {
  html: (status) => new Response("<html>error</html>", { status, headers: { "Content-Type": "text/html" } }),
  text: (status) => new Response("error code: 1016", { status }),
  nothing: (status) => new Response(null, { status }),
  "an object": (status) => Response.json({ message: "no healthy upstream" }, { status }),
  "a list of errors": (status) => Response.json({ errors: [{ code: "502", status: "502" }] }, { status }),
  "a status": (status) => Response.json({ statusCode: status, message: "error" }, { status }),
  "an error of another status": (status) => Response.json({ statusCode: 400, errors: [{ code: "x" }] }, { status }),
};
/** The statuses that say that another attempt fails, too. */
const isFinal = (status) => status === 501 || (status >= 505 && status <= 511);
const ANSWERS = Array.from({ length: 100 }, (_, at) => 500 + at).flatMap((status) =>
  Object.entries(FORMS).map(([form, answer]) => ({ status, form, answer: () => answer(status) })),
);
const ONCE = { retries: 1, baseDelay: 0 };

const page = { results: [resource()] };
const CALLS = {
  getById: [(c) => c.getById("a"), resource()],
  query: [(c) => c.query(), page],
  exists: [(c) => c.exists(), () => new Response(null)],
  status: [(c) => c.status(), { resources: 1 }],
  updateById: [(c) => c.updateById("a", { version: 1, actions: [] }), resource()],
  "createOrUpdate with a key": [(c) => c.createOrUpdate(DRAFT, { idempotencyKey: "k" }), resource()],
};

describe("another server's error", () => {
  for (const [name, [call, result]] of /** @type {[string, any][]} */ (Object.entries(CALLS))) {
    const outcome = /update/i.test(name) ? "unknown" : undefined;
    test(`is retried unless it would repeat, and is unexpected: ${name}`, async () => {
      for (const { status, form, answer } of ANSWERS) {
        const what = `${status}, ${form}`;
        if (!isFinal(status)) await call(clientWith([answer, result], { retry: ONCE }).client);
        const { client, sent } = clientWith(answer, { retry: ONCE });
        const error = await failure(call(client));
        const found = [error.kind, error.status, error.retryable, error.outcome, sent.length];
        const expected = ["unexpected", status, !isFinal(status), outcome, isFinal(status) ? 1 : 2];
        assert.deepEqual(found, expected, what);
        assert.match(error.message, /^The response \(\d+\) of http:\/\/h is not from the service[:.]/, what);
        const keys = new Set(sent.map(({ headers }) => headers["Idempotency-Key"]));
        assert.equal(keys.size, 1, what);
      }
    });
  }

  test("to a request for a token is the same, and the write was not performed", async () => {
    const options = { token: undefined, credentials: { clientId: "a", clientSecret: "s" }, retry: ONCE };
    for (const { status, form, answer } of ANSWERS) {
      const what = `${status}, ${form}`;
      const token = () => Response.json({ access_token: "t" });
      if (!isFinal(status))
        assert.equal((await clientWith([answer, token, resource()], options).client.deleteById("a")).id, "a", what);
      const error = await failure(clientWith(answer, options).client.deleteById("a"));
      const found = [error.kind, error.status, error.retryable, error.outcome];
      assert.deepEqual(found, ["unexpected", status, !isFinal(status), "refused"], what);
      assert.match(error.message, /^No token was given: The response/);
    }
  });

  test("does not end a follower, unless it would repeat at the start", async () => {
    for (const { status, form, answer } of ANSWERS) {
      const first = () => new Response('{"from":"h.0","to":"h.0"}\n');
      const { client } = clientWith([answer, first], { retry: ONCE });
      const next = watch(client, { transport: "wait" }).next();
      if (isFinal(status)) assert.equal((await failure(next)).status, status);
      else assert.deepEqual((await next).value, { type: "ready", position: "h.0" }, `${status}, ${form}`);
      client.close();
    }
  });

  test("of 4xx does not say what became of an earlier attempt", async () => {
    const own = (status) => () => Response.json({ statusCode: status, errors: [{ code: "x" }] }, { status });
    const html = (status) => () => FORMS.html(status);
    for (const [answers, kind, outcome] of /** @type {[any[], string, string][]} */ ([
      [[html(403)], "unexpected", "refused"],
      [[html(521), html(400)], "unexpected", "unknown"],
      [[html(521), html(409)], "unexpected", "unknown"],
      [[html(521), own(409)], "api", "refused"],
      [[html(408), html(408)], "unexpected", "unknown"],
      [[html(425), own(400)], "api", "refused"],
    ])) {
      const { client, sent } = clientWith(answers, { retry: ONCE });
      const error = await failure(client.deleteById("a"));
      assert.deepEqual([error.kind, error.outcome, sent.length], [kind, outcome, answers.length]);
    }
  });

  test("404 does not say that nothing matches", async () => {
    for (const answer of [FORMS.html, FORMS.text]) {
      const error = await failure(clientWith(answer(404)).client.exists());
      assert.deepEqual([error.kind, error.isNotFound], ["unexpected", true]);
    }
    assert.equal(await clientWith(new Response(null, { status: 404 })).client.exists(), false);
  });
});

test("each error of the service is of the kind `api`, in each of its forms", async (t) => {
  const service = await createService();
  t.after(() => service.close());
  const client = clientWith((url, init) => service.fetch(url, init), {
    token: await service.token(),
    retry: false,
  }).client;
  const calls = {
    400: (options) => client.query({ where: "nope = 1" }, options),
    404: (options) => client.getById("nobody", {}, options),
    403: (options) =>
      clientWith((url, init) => service.fetch(url, init), { projectKey: "other" }).client.query({}, options),
  };
  for (const [status, call] of Object.entries(calls))
    for (const Accept of ["application/json", "application/problem+json"]) {
      const error = await failure(call({ headers: { Accept } }));
      const expected = status === "403" ? 401 : Number(status);
      assert.deepEqual([error.kind, error.status], ["api", expected], Accept);
    }
  assert.deepEqual(await failure(client.exists({ where: "nope = 1" })).then(({ kind, status }) => [kind, status]), [
    "api",
    400,
  ]);
});

describe("a command", () => {
  const folder = folderFor("resource-edge-proxy-");
  const env = {
    ...KNOWN,
    RESOURCE_EDGE_CLIENT_ID: "testing",
    RESOURCE_EDGE_CLIENT_SECRET: "testing-secret",
  };
  const cli = (args, url) => runCommand(args, { cwd: folder, env: { ...env, RESOURCE_EDGE_URL: url } });

  /** Starts a proxy: it responds to each request with the status, or only to the first of a kind. */
  async function proxy(t, status, isFor) {
    const service = await createService();
    const seen = new Set();
    const server = createServer(async (request, response) => {
      const { method, url = "", headers } = request;
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const kind = `${method} ${url.split("?")[0]}`;
      if (isFor === "all" || !seen.has(kind)) {
        seen.add(kind);
        response.writeHead(status, { "Content-Type": "text/html", "Retry-After": "0" }).end("<html>down</html>");
        return;
      }
      const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
      const answer = await service.fetch(url, { method, headers: /** @type {any} */ (headers), body });
      response
        .writeHead(answer.status, Object.fromEntries(answer.headers))
        .end(Buffer.from(await answer.arrayBuffer()));
    });
    const { url, close } = await listen(server);
    t.after(() => {
      close();
      service.close();
    });
    return url;
  }

  test("repeats what a server before the service did not forward", async (t) => {
    for (const status of [500, 530]) {
      const url = await proxy(t, status, "first");
      for (const args of [
        ["status"],
        ["query"],
        ["watch", "--once"],
        ["export", "--out", `${status}.ndjson`],
        ["import", `${status}.ndjson`],
        ["clear", "--yes"],
      ]) {
        const { code, stderr } = await cli(args, url);
        assert.equal(code, 0, `${status} ${args[0]}: ${stderr}`);
      }
    }
  });

  test("ends with 3 if such a server never reaches the service", async (t) => {
    const url = await proxy(t, 521, "all");
    for (const args of [["status"], ["query"], ["token"], ["export"]]) {
      const { code, stderr } = await cli(args, url);
      assert.equal(code, 3, `${args[0]}: ${stderr}`);
      assert.match(stderr, /The response \(521\) of \S+ is not from the service\./);
    }
  });
});
