// The errors of the npm package's client: errors of the service, of its caller, and of responses of other servers.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ResourceError } from "../../pkg/dist/node.js";
import { clientWith, DRAFT, failure, resource } from "./clients.mjs";

describe("a successful response that does not come from the service", () => {
  const wrong = [null, 5, [resource()], { id: "a" }, { id: 5, version: 1 }, { results: {} }, { results: [null] }];
  const calls = {
    query: (client) => client.query(),
    querySorted: (client) => client.querySorted(),
    search: (client) => client.search(),
    getById: (client) => client.getById("a"),
    getByKey: (client) => client.getByKey("k"),
    createOrUpdate: (client) => client.createOrUpdate(DRAFT),
    updateById: (client) => client.updateById("a", { version: 1, actions: [] }),
    deleteById: (client) => client.deleteById("a"),
  };
  test("is unexpected", async () => {
    for (const [name, call] of Object.entries(calls)) {
      for (const body of wrong) {
        const error = await failure(call(clientWith(() => Response.json(body)).client));
        assert.deepEqual([error.kind, error.status], ["unexpected", 200], `${name} ${JSON.stringify(body)}`);
      }
    }
  });

  test("is no result of a complex update if it is an array, and is not observed", async () => {
    const { client, sent } = clientWith([[1], resource("a", 5)]);
    assert.equal((await failure(client.updateWithUrnLinks({}))).kind, "unexpected");
    const other = clientWith([[resource("a", 5)], resource("a", 1)]);
    await failure(other.client.getById("a"));
    await other.client.getById("a");
    assert.equal(other.sent[1].headers["Resource-Min-Revision"], undefined);
    assert.equal(sent.length, 1);
  });
});

describe("an error", () => {
  const refused = (status, body) => () =>
    Response.json(
      { statusCode: status, errors: [], ...body },
      { status, headers: { "X-Correlation-ID": "of-the-log" } },
    );

  test("has a flag for each status", async () => {
    const flags = { isValidation: 400, isUnauthorized: 401, isForbidden: 403, isNotFound: 404, isConflict: 409 };
    for (const [flag, status] of Object.entries({ ...flags, isPreconditionFailed: 412, isRateLimited: 429 })) {
      const { client } = clientWith(refused(status, {}), { retry: false });
      const error = await failure(client.getById("a"));
      const shown = Object.keys(Object.getOwnPropertyDescriptors(ResourceError.prototype)).filter(
        (name) => name.startsWith("is") && error[name] === true,
      );
      assert.deepEqual(shown, [flag]);
    }
  });

  test("has its message and kind in its JSON form, and not its stack", async () => {
    const { client } = clientWith(
      refused(409, {
        message: "Object a has a different version.",
        errors: [{ code: "ConcurrentModification", currentVersion: 3 }],
      }),
    );
    const error = await failure(client.updateById("a", { version: 1, actions: [] }));
    const { name, message, kind, code, currentVersion, correlationId, stack } = JSON.parse(JSON.stringify(error));
    assert.deepEqual([name, message, kind], ["ResourceError", "Object a has a different version.", "api"]);
    assert.deepEqual(
      [code, currentVersion, correlationId, stack],
      ["ConcurrentModification", 3, "of-the-log", undefined],
    );
  });

  test("of a problem (RFC 9457) has the detail or the title as its message", async () => {
    for (const [problem, message] of [
      [{ type: "about:blank", title: "InvalidField", status: 400, detail: "Unknown field 'x'." }, "Unknown field 'x'."],
      [{ title: "Too hot" }, "Too hot"],
    ]) {
      const { client } = clientWith(refused(400, problem));
      assert.equal((await failure(client.getById("a"))).message, message);
    }
  });
});

test("a missing resource is undefined on request, and any other 404 is an error", async () => {
  const body = { message: "m", errors: [{ code: "ResourceNotFound" }] };
  const missing = () => Response.json(body, { status: 404, headers: { "Resource-Revision": "5" } });
  const { client } = clientWith(missing);
  assert.equal(await client.getById("a", {}, { orUndefined: true }), undefined);
  assert.equal(await client.getByKey("k", {}, { orUndefined: true }), undefined);
  assert.ok((await failure(client.getById("a"))).isNotFound);
  // A wrong address: of another server, and of a path that the service does not have.
  for (const wrong of [() => new Response("<html>", { status: 404 }), () => Response.json(body, { status: 404 })]) {
    const { client: elsewhere } = clientWith(wrong);
    assert.ok((await failure(elsewhere.getById("a", {}, { orUndefined: true }))).isNotFound);
  }
});
