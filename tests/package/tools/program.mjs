// The program that runs in every tool: validation and the client, against a strict service. It always sends its result
// to that service.

/** The expected result of the program. */
export const expected = {
  good: [],
  bad: ["/objectTypeProperty/arrayOfIntExample/1", "/extra"],
  text: ["/objectTypeProperty"],
  standard: [["objectTypeProperty"]],
  created: ["one", 1],
  read: "ä",
  missing: [true, "api", 404],
};

/** The expected result without the client, for engines without `fetch`. */
export const expectedOffline = {
  good: expected.good,
  bad: expected.bad,
  text: expected.text,
  standard: expected.standard,
};

const BODY = `
const check = (body) => {
  const result = validate("resourceDraft", body);
  return result.valid ? [] : result.issues.map(({ pointer }) => pointer);
};

const checkAll = () => ({
  good: check({ key: "ä", objectTypeProperty: { arrayOfIntExample: [1, 2] } }),
  bad: check({ objectTypeProperty: { arrayOfIntExample: [1, 2.5] }, extra: true }),
  text: check('{"key":"ä","objectTypeProperty":"wrong"}'),
  standard: resourceDraft["~standard"].validate({}).issues.map(({ path }) => path),
});

async function run() {
  await init(SOURCE);
  const client = new ResourceClient({ baseUrl: SERVICE, projectKey: "demo", token: "secret", retry: false });
  const created = await client.createOrUpdate({ key: "ä", objectTypeProperty: { arrayOfIntExample: [1, 2] } });
  const read = await client.getById("one");
  const missing = await client
    .getById("none")
    .catch((error) => [error instanceof ResourceError, error.kind, error.status]);
  return { ...checkAll(), created: [created.id, created.version], read: read.key, missing };
}

/** Sends what a program returns, or its error. */
async function report(program = run) {
  let result;
  try {
    result = await program();
  } catch (error) {
    result = { error: String(error?.stack ?? error) };
  }
  await fetch(SERVICE + "/report", { method: "POST", body: JSON.stringify(result) });
  return result;
}
`;

const NAMES = "init, ResourceClient, ResourceError, resourceDraft, validate";

/**
 * The program as a module, with `from` as the package's name. `source` is an expression for `init`; `imports` precede
 * it.
 */
export const esm =
  (from = "resource-edge", { imports = "", source = "" } = {}) =>
  (service) =>
    `import { ${NAMES} } from "${from}";\n` +
    `${imports}\n` +
    `const SERVICE = "${service}";\n` +
    `${BODY.replace("SOURCE", source)}\n` +
    "export { checkAll, report, run };\n";

/** Returns the program in CommonJS. */
export const cjs = () => (service) =>
  `const { ${NAMES} } = require("resource-edge");\n` +
  `const SERVICE = "${service}";\n` +
  `${BODY.replace("SOURCE", "")}\n` +
  "module.exports = { checkAll, report, run };\n";

/** The expected output of a test with `resource-edge/testing`. */
export const expectedTesting = {
  made: ["ä", 1],
  refused: [400, "/objectTypeProperty"],
  modified: 3,
  total: 2,
  live: 2,
  unavailable: 503,
};

/** That test, for the test runner that provides `test`. It prints its result, because not every engine has `fetch`. */
export const testing = (load, test = "") => `${load}
${test}
test("the service in memory", async () => {
  const service = await createService();
  const client = new ResourceClient(service.clientOptions());
  const body = { key: "ä", objectTypeProperty: { arrayOfIntExample: [1, 2] } };
  const { id, key, version } = await client.createOrUpdate(body);
  const headers = { Authorization: "Bearer " + (await service.token()), "Content-Type": "application/json" };
  const refused = await service.fetch("/demo/resource", { method: "POST", headers, body: "{}" });
  const [{ path }] = (await refused.json()).errors;
  service.fail({ operation: "updateById", conflict: true });
  const modified = await client.modify(id, () => [{ action: "doSomeThing" }]);
  service.fail({ operation: "createOrUpdate", lostResponse: true, delay: 5 });
  await client.createOrUpdate({ key: "second", objectTypeProperty: {} });
  const { total } = await client.query({ where: "arrayOfIntExample is empty or arrayOfIntExample contains any (2)" });
  const view = live(new ResourceClient(service.clientOptions()), { where: 'key != "ä"' });
  let shown = 0;
  view.subscribe(({ items }) => (shown = items.length));
  const until = async (check) => {
    while (!check()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await until(() => service.requests.some(({ operation, status }) => operation === "changes" && status === 101));
  await client.createOrUpdate({ key: "third", objectTypeProperty: {} });
  await until(() => shown === 2);
  view.close();
  service.fail({ status: 503 });
  const impatient = new ResourceClient({ ...service.clientOptions(), retry: false });
  const { status } = await impatient.exists().catch((error) => error);
  service.close();
  const report = {
    made: [key, version],
    refused: [refused.status, path],
    modified: modified.version,
    total,
    live: shown,
    unavailable: status,
  };
  console.log("REPORT " + JSON.stringify(report) + "\\n");
});
`;

/** How a module and a CommonJS file load what the test uses. */
export const testingImports =
  'import { ResourceClient } from "resource-edge";\nimport { live } from "resource-edge/live";\n' +
  'import { createService } from "resource-edge/testing";';
export const testingRequires =
  'const { ResourceClient } = require("resource-edge");\nconst { live } = require("resource-edge/live");\n' +
  'const { createService } = require("resource-edge/testing");';
