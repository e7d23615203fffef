// The tools for agents, as the official TypeScript client calls them: by the stateless revision of the protocol, and by
// the one before it, which begins with a handshake.

import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";

import { blocksIn } from "../support/blocks.mjs";
import { ROOT, bash, folder, startForTests, startIn } from "./support.mjs";

const worker = startForTests({ changes: { CORS_ORIGINS: "https://a.test" } });

/**
 * Calls a tool. Returns its result, which it has twice, and whether that is an error.
 * @returns {Promise<{ body: any, isError: boolean | undefined }>}
 */
async function callTool(client, name, args) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  return { body: structuredContent, isError };
}

const OPERATIONS = { changes: { AGENT_TOOLS: "operations" } };

/** Returns a client that is connected with a token of the project. */
async function connect(t, mode, permission = "manage_test", headers = {}, service = worker) {
  const project = `agents-${Math.random().toString(36).slice(2)}`;
  const token = await service.token(project, permission);
  const transport = new StreamableHTTPClientTransport(new URL(`/${project}/mcp`, service.address), {
    requestInit: { headers: { Authorization: `Bearer ${token}`, ...headers } },
  });
  const client = new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  t.after(() => client.close());
  return client;
}

for (const [mode, revision] of [
  ["legacy", "2025-11-25"],
  ["auto", "2026-07-28"],
]) {
  describe(`a client in the mode ${mode}`, () => {
    test("connects, and calls tools", async (t) => {
      const client = await connect(t, mode);
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.equal(client.getServerVersion()?.name, "resource-edge");
      assert.match(client.getInstructions() ?? "", /version/);
      const call = (name, args) => callTool(client, name, args);
      const draft = { key: "first", custom: '😀 "red"', objectTypeProperty: { arrayOfIntExample: [7] } };
      const { body: created } = await call("createOrUpdate", { body: draft });
      assert.deepEqual([created.version, created.custom], [1, draft.custom]);
      assert.deepEqual((await call("get", { key: "first" })).body, created);
      const where = ["custom = :c", "arrayOfIntExample contains any (7)"];
      const { body: page } = await call("query", { where, var: { "var.c": draft.custom } });
      assert.deepEqual(page.results, [created]);
      // Operations that are not listed.
      assert.deepEqual((await call("exists", { integerParameter: 8 })).body, { exists: false });
      const actions = { version: 1, actions: [{ action: "doSomeThing" }] };
      assert.equal((await call("updateById", { id: created.id, body: actions })).body.version, 2);
      const update = { id: created.id, version: 2, set: { custom: "blue" } };
      assert.equal((await call("update", update)).body.custom, "blue");
      const { body: error, isError } = await call("update", update);
      assert.deepEqual([isError, error.statusCode, error.errors[0].currentVersion], [true, 409, 3]);
      const deletion = { tool: "delete", id: created.id, version: 3 };
      const again = { tool: "createOrUpdate", body: JSON.stringify(draft) };
      const { body: refused } = await call("batch", { writes: [deletion, { ...again, body: "{}" }] });
      assert.equal(refused.errors[0].path, "/writes/1/objectTypeProperty");
      const { results } = (await call("batch", { writes: [deletion, again] })).body;
      assert.deepEqual(
        results.map(({ status, resource }) => [status, resource.key]),
        [
          [200, "first"],
          [201, "first"],
        ],
      );
      const { id } = results[1].resource;
      assert.equal((await call("delete", { id, version: 1 })).body.id, id);
      await assert.rejects(client.callTool({ name: "nothing" }), /Unknown tool 'nothing'/);
    });

    test("sees the tools that its token may call", async (t) => {
      const all = (await (await connect(t, mode)).listTools()).tools;
      assert.equal(all.length, 7);
      const client = await connect(t, mode, "view_test");
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools,
        all.filter(({ annotations }) => annotations.readOnlyHint),
      );
      const { isError, body } = await callTool(client, "delete", { id: "a", version: 1 });
      assert.deepEqual([isError, body.errors[0].code], [true, "insufficient_scope"]);
    });
  });
}

test("a client without a token, or of a foreign page, cannot connect", async (t) => {
  await assert.rejects(connect(t, "auto", "manage_test", { Authorization: "Bearer a" }));
  await assert.rejects(connect(t, "legacy", "manage_test", { Origin: "https://b.test" }), /403|origin/);
  await connect(t, "legacy", "manage_test", { Origin: "https://a.test" });
});

/** Returns the blocks of the guide in a language. */
const blocks = (language) => blocksIn(readFileSync(join(ROOT, "src/guide/use/agents.md"), "utf8"), language);

test("the configurations of the guide have the address and the header that a client needs", async () => {
  const [claude, code] = blocks("json").map((text) => JSON.parse(text));
  const [command] = blocks("sh");
  assert.match(command, /--transport http demo http:\/\/127\.0\.0\.1:8787\/demo\/mcp .* "Authorization: Bearer /s);
  const script = blocks("sh").find((text) => text.startsWith("#!"));
  const local = script.replace("https://example.com", worker.address).replace("my-client", "tests");
  const printed = JSON.parse(await bash(local, { CLIENT_SECRET: "tests-secret" }));
  const asked = JSON.stringify(code.servers.demo.headers).replace("${input:token}", await worker.token("demo"));
  for (const [{ url }, headers] of [
    [claude.mcpServers.demo, printed],
    [code.servers.demo, JSON.parse(asked)],
  ]) {
    const transport = new StreamableHTTPClientTransport(new URL(new URL(url).pathname, worker.address), {
      requestInit: { headers },
    });
    const client = new Client({ name: "tests", version: "1" });
    await client.connect(transport);
    assert.equal((await client.callTool({ name: "query" })).isError, false);
    await client.close();
  }
});

test("the program of the guide calls a tool", async () => {
  const [program] = blocks("js");
  const cwd = folder();
  symlinkSync(join(ROOT, "node_modules"), join(cwd, "node_modules"));
  writeFileSync(join(cwd, "main.mjs"), program.replace("http://127.0.0.1:8787", worker.address));
  const printed = await bash(`"${process.execPath}" main.mjs`, { TOKEN: await worker.token("demo") }, cwd);
  assert.equal(printed, "0\n");
});

test("the schema of each operation as a tool accepts the examples of the OpenAPI document", async (t) => {
  const { tools } = await (await connect(t, "auto", "manage_test", {}, await startIn(t, OPERATIONS))).listTools();
  assert.equal(tools.length, 13);
  const { paths, components } = JSON.parse(readFileSync(join(ROOT, "tests/repository/openapi/openapi.json"), "utf8"));
  const operations = Object.values(paths).flatMap(Object.values);
  const ajv = new Ajv2020();
  // A tool has its own forms of what OpenAPI has as an object with any names.
  const own = { where: "version > 1", text: "blue", var: [{ name: "custom", value: "red" }] };
  for (const { name, inputSchema } of tools) {
    const isValid = ajv.compile(inputSchema);
    const args = Object.fromEntries(
      Object.keys(inputSchema.properties).map((argument) => {
        const { example, content } = components.parameters[argument] ?? {};
        return [argument, own[argument] ?? example ?? content?.["application/json"].example];
      }),
    );
    const { requestBody } = operations.find(({ operationId }) => operationId === name);
    if (requestBody !== undefined) args.body = requestBody.content["application/json"].example;
    assert.ok(isValid(args), `${name}: ${JSON.stringify(isValid.errors)}`);
  }
});
