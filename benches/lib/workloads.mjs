// The workloads. A workload gives each connection a source of requests, with the expected status and the expected
// contents of each response's body.

const head = (method, path, token, more = "") =>
  `${method} ${path} HTTP/1.1\r\n` +
  "Host: 127.0.0.1\r\n" +
  `${token === undefined ? "" : `Authorization: Bearer ${token}\r\n`}${more}`;

const withBody = (start, body) =>
  `${start}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const nothing = () => {};
const contains = (part) => (body) => (body.includes(part) ? undefined : `no '${part}'`);

/** The number of resources in the collections of the queries. */
export const SIZES = { small: 1_000, large: 10_000 };
/** The number of different first integers and words in the seeds. */
const VALUES = 1_000;

/** Returns the small body: a few values in each array. */
export function smallBody(serial) {
  return JSON.stringify(small(serial));
}

function small(serial) {
  const number = serial % 100_000;
  return {
    objectTypeProperty: {
      arrayOfIntExample: [number, 6, 7],
      arrayOfUniqueIntExample: [number, number + 1],
      arrayOfTwonumbersExample: [13, 52],
      arrayOfFloatExample: [number + 0.5],
      arrayOfNumberNoDefaultsExample: [1.25],
      arrayOfStringExample: [`item ${number}`, "blue"],
      arrayOfObjectType: [{ integerExample: number, integerExampleInt32: 2 }],
    },
    someProperty: `resource ${number}`,
  };
}

/**
 * Returns the resource with that number in a seeded collection. Its first integer and its last word occur once in a
 * thousand.
 */
export function seedBody(serial) {
  const body = small(serial);
  const value = serial % VALUES;
  body.objectTypeProperty.arrayOfIntExample[0] = VALUES + value;
  return JSON.stringify({ key: `key-${serial}`, ...body, someProperty: `${body.someProperty} word${value}` });
}

/** Returns about 10,000 items in the seven arrays together. */
function largeBody(serial) {
  const items = (count, item) => Array.from({ length: count }, (_, at) => item(at + serial));
  return JSON.stringify({
    objectTypeProperty: {
      arrayOfIntExample: items(2_000, (at) => at),
      arrayOfUniqueIntExample: items(2_000, (at) => at * 3),
      arrayOfTwonumbersExample: [13, 52],
      arrayOfFloatExample: items(1_500, (at) => at + 0.5),
      arrayOfNumberNoDefaultsExample: items(1_500, (at) => at / 8),
      arrayOfStringExample: items(1_500, (at) => `item ${at}`),
      arrayOfObjectType: items(1_500, (at) => ({ integerExample: at, integerExampleInt32: -at })),
    },
    someProperty: `resource ${serial}`,
  });
}

const INVALID = JSON.stringify({
  version: "1",
  unknownProperty: 1,
  custom: 5,
  objectTypeProperty: {
    arrayOfIntExample: [1, "2", 2.5],
    arrayOfUniqueIntExample: [4, 4],
    arrayOfTwonumbersExample: [1],
    arrayOfFloatExample: "0.5",
    arrayOfStringExample: ["blue", 7],
    arrayOfObjectType: [{ integerExample: 1, other: 2 }],
  },
  someProperty: "resource",
});
const ISSUES = 10;

/** Sends the same request again and again. */
const repeat = (status, request, check = () => undefined) => ({
  status,
  next: () => request,
  check,
  done: nothing,
  lost: nothing,
});

/**
 * Sends one request for each item. Each connection starts at another item, so that they do not request the same item at
 * the same time.
 */
function cycle({ at, connections, memory }, items, requestOf, check) {
  const requests = (memory.requests ??= items.map(requestOf));
  let next = Math.floor((at * items.length) / connections);
  return {
    status: 200,
    next() {
      next = (next + 1) % requests.length;
      return requests[next];
    },
    check: (body) => check(body, items[next]),
    done: nothing,
    lost: nothing,
  };
}

const byId = (more) => (context) =>
  cycle(
    context,
    context.seeds,
    ({ id }) => `${head("GET", `/${context.project}/resource/${id}`, context.token, more)}\r\n`,
    (body, { id }) => contains(`"id":"${id}"`)(body),
  );

const byKey = (context) =>
  cycle(
    context,
    context.seeds,
    ({ key }) => `${head("GET", `/${context.project}/resource/key=${key}`, context.token)}\r\n`,
    (body, { key }) => contains(`"key":"${key}"`)(body),
  );

const numbers = Array.from({ length: VALUES }, (_, value) => value);
const query = (context, path, parameters, method = "GET") =>
  `${head(method, `/${context.project}/resource${path}?${new URLSearchParams(parameters)}`, context.token)}\r\n`;

/** Returns three values that each occur once in a thousand: three matches, or thirty. The page shows at most twenty. */
const anyOf = (context) =>
  cycle(
    context,
    numbers,
    (value) => {
      const values = [0, 1, 2].map((step) => VALUES + ((value + step * 300) % VALUES));
      return query(context, "", { where: `arrayOfIntExample contains any (${values.join(", ")})` });
    },
    contains(`"total":${(3 * context.seeds.length) / VALUES},`),
  );

const exists = (context) => ({
  ...cycle(
    context,
    numbers,
    (value) => query(context, "", { where: `arrayOfIntExample contains any (${VALUES + value})` }, "HEAD"),
    () => undefined,
  ),
  bodiless: true,
});

const sorted = (context) =>
  repeat(
    200,
    query(context, "/sorted-query-parameters", { sort: "someProperty desc" }),
    contains(`"count":20,"total":${context.seeds.length},`),
  );

const search = (context) =>
  cycle(
    context,
    numbers,
    (value) => query(context, "/searchApiPattern", { "text.en": `word${value}` }),
    contains(`"total":${context.seeds.length / VALUES},`),
  );

const create =
  (bodyOf) =>
  ({ project, token, memory }) => {
    const start = head("POST", `/${project}/resource`, token);
    memory.serial ??= 0;
    return {
      status: 201,
      next() {
        memory.serial += 1;
        return withBody(start, bodyOf(memory.serial));
      },
      check: contains('"version":1,'),
      done: nothing,
      lost: nothing,
    };
  };

/** Updates resources. Each connection has separate IDs and the version of each, so that no update gets 409. */
function update({ at, connections, seeds, project, token, memory }) {
  memory.versions ??= new Map(seeds.map(({ id }) => [id, 1]));
  const own = seeds.filter(({ id }, index) => index % connections === at && memory.versions.has(id));
  const heads = own.map(({ id }) => head("POST", `/${project}/resource/${id}`, token));
  let next = 0;
  return {
    status: 200,
    next() {
      do next = (next + 1) % own.length;
      while (!memory.versions.has(own[next].id));
      const version = memory.versions.get(own[next].id);
      const actions = [{ action: "changeSomeProperty", someProperty: `change ${version}` }];
      return withBody(heads[next], JSON.stringify({ version, actions }));
    },
    check: (body) => contains(`"version":${memory.versions.get(own[next].id) + 1},`)(body),
    done: () => memory.versions.set(own[next].id, memory.versions.get(own[next].id) + 1),
    // Whether the update happened is unknown, and so is the version.
    lost: () => memory.versions.delete(own[next].id),
  };
}

const largeBodies = Array.from({ length: 8 }, (_, serial) => largeBody(serial));

/**
 * The workloads by name, in the order of the report.
 *
 * - `project`: the seeded collection, or `new` for a separate project in each round.
 * - `defers`: work follows the response, so a round ends later.
 * - `count`: the round ends after this number of requests instead of after a time.
 * - `rounds`: the maximum number of rounds, because each takes long.
 * - `worded`: the sides word their responses differently.
 * - `tolerant`: another status is counted instead of ending the run.
 * - `minimal`: the minimal Worker performs it too.
 */
export const WORKLOADS = {
  "read without a token (401)": {
    project: "large",
    source: ({ project, seeds }) =>
      repeat(401, `${head("GET", `/${project}/resource/${seeds[0].id}`)}\r\n`, contains("invalid_token")),
  },
  "invalid body, 10 issues": {
    project: "large",
    worded: true,
    source: ({ project, token }) =>
      repeat(400, withBody(head("POST", `/${project}/resource`, token), INVALID), (body) =>
        JSON.parse(body).errors.length === ISSUES ? undefined : `not ${ISSUES} issues`,
      ),
  },
  "read by ID": { project: "large", source: byId("") },
  "read by key": { project: "large", source: byKey },
  "read by ID, fresh": { project: "large", source: byId("Cache-Control: no-cache\r\n") },
  "HEAD with a condition": { project: "large", source: exists },
  "any-of query, 1,000 resources": { project: "small", source: anyOf },
  "any-of query, 10,000 resources": { project: "large", source: anyOf },
  "sorted page, 1,000 resources": { project: "small", source: sorted },
  "sorted page, 10,000 resources": { project: "large", source: sorted },
  "text search, 10,000 resources": { project: "large", source: search },
  "create, small body": { project: "new", defers: true, minimal: true, source: create(smallBody) },
  "update by ID": { project: "large", defers: true, minimal: true, source: update },
  "create, 10,000 items": {
    project: "new",
    defers: true,
    count: 128,
    rounds: 3,
    minimal: true,
    source: create((serial) => largeBodies[serial % largeBodies.length]),
  },
  "saturation: 10,000 creations": {
    project: "new",
    defers: true,
    count: 10_000,
    rounds: 3,
    tolerant: true,
    minimal: true,
    source: create(smallBody),
  },
};

/** The request to the empty Worker. */
export const FLOOR = "empty Worker (floor)";
WORKLOADS[FLOOR] = { floor: true, source: () => repeat(200, `${head("GET", "/")}\r\n`, contains("{}")) };
