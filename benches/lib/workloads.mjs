// The workloads, and what they have to reach. A workload gives each connection a source of requests, with the expected
// status and the expected contents of each response's body.
import { A_TOKEN, MINIMAL, NO_RULES, ONE_BY_ONE, PEER, RULES, TWO_FIELDS } from "./sides.mjs";

const head = (method, path, token, more = "") =>
  `${method} ${path} HTTP/1.1\r\n` +
  "Host: 127.0.0.1\r\n" +
  `${token === undefined ? "" : `Authorization: Bearer ${token}\r\n`}${more}`;

const withBody = (start, body) =>
  `${start}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const nothing = () => {};
const contains = (part) => (body) => (body.includes(part) ? undefined : `no '${part}'`);

/**
 * The number of resources in the collections. `catalogue` has products of a declared resource. `cold` has its copies in
 * KV alone.
 */
export const SIZES = { small: 1_000, large: 10_000, catalogue: 1_000, cold: 100_000 };
/** The number of different first integers and words in the seeds. */
const VALUES = 1_000;

/** The ID and the key of the resource with that number in a seeded collection. */
export const seedId = (serial) => `01980000-0000-7000-8000-${String(serial).padStart(12, "0")}`;
const seedKey = (serial) => `key-${serial}`;

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
  return JSON.stringify({
    id: seedId(serial),
    key: seedKey(serial),
    ...body,
    someProperty: `${body.someProperty} word${value}`,
  });
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
const repeat = (status, request, check = nothing) => ({
  status,
  next: () => request,
  check,
  done: nothing,
  lost: nothing,
});

/**
 * Sends one request for each number below `size`. Each connection starts at another number, so that they do not request
 * the same item at the same time, and continues there in the next round.
 */
function cycle({ at, connections, memory }, size, requestOf, check) {
  const requests = (memory.requests ??= []);
  const places = (memory.places ??= []);
  places[at] ??= Math.floor((at * size) / connections);
  return {
    status: 200,
    next() {
      const next = (places[at] = (places[at] + 1) % size);
      return (requests[next] ??= requestOf(next));
    },
    check: (body) => check(body, places[at]),
    done: nothing,
    lost: nothing,
  };
}

const byId =
  (more = "") =>
  (context) =>
    cycle(
      context,
      context.size,
      (number) => `${head("GET", `/${context.project}/resource/${seedId(number)}`, context.token, more)}\r\n`,
      (body, number) => contains(`"id":"${seedId(number)}"`)(body),
    );

const byKey = (context) =>
  cycle(
    context,
    context.size,
    (number) => `${head("GET", `/${context.project}/resource/key=${seedKey(number)}`, context.token)}\r\n`,
    (body, number) => contains(`"key":"${seedKey(number)}"`)(body),
  );

/** The header of a caller who accepts an age. */
const AGED = "Cache-Control: max-age=5\r\n";

const query = ({ project, token, aged }, path, parameters, method = "GET") =>
  `${head(method, `/${project}/resource${path}?${new URLSearchParams(parameters)}`, token, aged)}\r\n`;

/** Lets the callers of a workload accept an age. */
const aged = (source) => (context) => source({ ...context, aged: AGED });

/** Returns three values that each occur once in a thousand: three matches, or thirty. The page shows at most twenty. */
const anyOf = (context) =>
  cycle(
    context,
    VALUES,
    (value) => {
      const values = [0, 1, 2].map((step) => VALUES + ((value + step * 300) % VALUES));
      return query(context, "", { where: `arrayOfIntExample contains any (${values.join(", ")})` });
    },
    contains(`"total":${(3 * context.size) / VALUES},`),
  );

const exists = (context) => ({
  ...cycle(
    context,
    VALUES,
    (value) => query(context, "", { where: `arrayOfIntExample contains any (${VALUES + value})` }, "HEAD"),
    () => undefined,
  ),
  bodiless: true,
});

const sorted = (context) =>
  repeat(
    200,
    query(context, "/sorted-query-parameters", { sort: "someProperty desc" }),
    contains(`"count":20,"total":${context.size},`),
  );

const search = (context) =>
  cycle(
    context,
    VALUES,
    (value) => query(context, "/searchApiPattern", { "text.en": `word${value}` }),
    contains(`"total":${context.size / VALUES},`),
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

/** The writes of a batch. */
const BATCH = 100;

/** Creates small resources in batches. */
const batch = ({ project, token }) => {
  const write = `{"operation":"createOrUpdate","body":${smallBody(1)}}`;
  const body = `{"writes":[${Array(BATCH).fill(write).join(",")}]}`;
  return { ...repeat(200, withBody(head("POST", `/${project}/batch`, token), body)), weight: BATCH };
};

/** Updates resources. Each connection has separate IDs and the version of each, so that no update gets 409. */
function update({ at, connections, size, project, token, memory }) {
  const versions = (memory.versions ??= new Map(Array.from({ length: size }, (_, number) => [seedId(number), 1])));
  const own = [...versions.keys()].filter((_, index) => index % connections === at);
  const heads = own.map((id) => head("POST", `/${project}/resource/${id}`, token));
  let next = 0;
  return {
    status: 200,
    next() {
      do next = (next + 1) % own.length;
      while (!versions.has(own[next]));
      const version = versions.get(own[next]);
      const actions = [{ action: "changeSomeProperty", someProperty: `change ${version}` }];
      return withBody(heads[next], JSON.stringify({ version, actions }));
    },
    check: (body) => contains(`"version":${versions.get(own[next]) + 1},`)(body),
    done: () => versions.set(own[next], versions.get(own[next]) + 1),
    // Whether the update happened is unknown, and so is the version.
    lost: () => versions.delete(own[next]),
  };
}

const largeBodies = Array.from({ length: 8 }, (_, serial) => largeBody(serial));

/** @typedef {{ cpu?: number, throughput?: number }} Bounds at most this ratio of CPU, at least this of throughput */

/**
 * The workloads by name, in the order of the table.
 *
 * - `project`: the seeded collection, or `new` for a separate project in each round.
 * - `side`: the side that is compared, ours if absent.
 * - `beside`: the sides that it is compared with, and what it has to reach there.
 * - `writes`: a round lasts this many times as long, and ends when KV has all of its writes.
 * - `connections`: fewer than the run has.
 * - `isAnswered`: a round of writes counts until the last response, for what a caller waits for.
 * - `worded`: the sides word their responses differently.
 *
 * @type {{ [name: string]: { project?: string, side?: string, beside: { [side: string]: Bounds }, writes?: number,
 *   isAnswered?: boolean, connections?: number, worded?: boolean, source: (context: any) => object } }}
 */
export const WORKLOADS = {
  "read without a token (401)": {
    project: "large",
    beside: { [PEER]: { cpu: 1 } },
    source: ({ project }) =>
      repeat(401, `${head("GET", `/${project}/resource/${seedId(0)}`)}\r\n`, contains("invalid_token")),
  },
  "invalid body, 10 issues": {
    project: "large",
    beside: { [PEER]: { cpu: 1 } },
    worded: true,
    source: ({ project, token }) =>
      repeat(400, withBody(head("POST", `/${project}/resource`, token), INVALID), (body) =>
        JSON.parse(body).errors.length === ISSUES ? undefined : `not ${ISSUES} issues`,
      ),
  },
  "read by ID, hot": { project: "small", beside: { [PEER]: { cpu: 0.65 } }, source: byId() },
  "read by key, hot": { project: "small", beside: { [PEER]: { cpu: 0.6 } }, source: byKey },
  "read by ID, cold": { project: "cold", beside: { [PEER]: { cpu: 1 } }, source: byId() },
  "read by ID, fresh": {
    project: "large",
    beside: { [PEER]: { cpu: 1 } },
    source: byId("Cache-Control: no-cache\r\n"),
  },
  ...queries("HEAD with a condition", ["large"], exists),
  ...queries("any-of query", ["small", "large"], anyOf),
  ...queries("sorted page", ["small", "large"], sorted),
  "text search, 10,000 resources": { project: "large", beside: { [PEER]: {} }, source: search },
  "create, small body": {
    project: "new",
    beside: { [PEER]: { cpu: 0.5 }, [TWO_FIELDS]: {}, [MINIMAL]: { cpu: 1.43 } },
    writes: 1,
    source: create(smallBody),
  },
  "update by ID": {
    project: "large",
    beside: { [PEER]: { cpu: 0.85, throughput: 1.1 }, [MINIMAL]: {} },
    writes: 1,
    source: update,
  },
  "create, 10,000 items": {
    project: "new",
    beside: { [PEER]: { cpu: 0.8 }, [TWO_FIELDS]: {}, [MINIMAL]: {} },
    writes: 2,
    source: create((serial) => largeBodies[serial % largeBodies.length]),
  },
  "100 small creations in a batch": {
    project: "new",
    beside: { [ONE_BY_ONE]: { throughput: 5 } },
    writes: 1,
    isAnswered: true,
    connections: 1,
    worded: true,
    source: (context) => (context.side === ONE_BY_ONE ? create(smallBody) : batch)(context),
  },
  "read by ID, a deployment with rules": {
    project: "catalogue",
    side: RULES,
    beside: { [NO_RULES]: { cpu: 1.02 } },
    source: byId(),
  },
  "read by ID without a token, by a rule": {
    project: "catalogue",
    side: RULES,
    beside: { [A_TOKEN]: { cpu: 1.15 } },
    source: (context) => byId()(context.side === A_TOKEN ? context : { ...context, token: undefined }),
  },
  "empty Worker (floor)": {
    side: "empty",
    beside: {},
    source: () => repeat(200, `${head("GET", "/")}\r\n`, contains("{}")),
  },
};

/** Returns the workloads of a query, with and without an age that the caller accepts. */
function queries(name, projects, source) {
  const over = (project) => (projects.length > 1 ? `, ${SIZES[project].toLocaleString("en-US")} resources` : "");
  const both = [
    { more: "", cpu: 1, source },
    { more: ", max-age", cpu: 0.6, source: aged(source) },
  ];
  return Object.fromEntries(
    projects.flatMap((project) =>
      both.map(({ more, cpu, source }) => [
        `${name}${over(project)}${more}`,
        { project, beside: { [PEER]: { cpu } }, source },
      ]),
    ),
  );
}
