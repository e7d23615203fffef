// What is asked for. A workload gives each connection a source of requests with the status that each must get.

const head = (method, path, token, more = "") =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n${more}`;

const withBody = (start, body) =>
  `${start}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const nothing = () => {};

/** Every connection starts at another id, so that all are hot and none is asked for in step. */
function reads(more) {
  return ({ at, connections, ids, project, token }) => {
    const requests = ids.map((id) => `${head("GET", `/${project}/resource/${id}`, token, more)}\r\n`);
    let next = Math.floor((at * ids.length) / connections);
    return {
      status: 200,
      next() {
        next = (next + 1) % requests.length;
        return requests[next];
      },
      check: (body) => (body.includes(`"id":"${ids[next]}"`) ? undefined : "not the resource that was asked for"),
      done: nothing,
    };
  };
}

function creates({ project, token, memory }) {
  const start = head("POST", `/${project}/resource`, token);
  memory.serial ??= 0;
  return {
    status: 201,
    next() {
      memory.serial += 1;
      return withBody(start, smallBody(memory.serial));
    },
    check: (body) => (body.includes('"version":1,') ? undefined : "not version 1"),
    done: nothing,
  };
}

/** The small body: a handful of values in each array. */
export function smallBody(serial) {
  const number = serial % 100_000;
  return JSON.stringify({
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
  });
}

/** Each connection has ids of its own and knows the version of each, so that no update is refused. */
function updates({ at, connections, ids, project, token, memory }) {
  memory.versions ??= new Map(ids.map((id) => [id, 1]));
  const own = ids.filter((_, index) => index % connections === at);
  const heads = own.map((id) => head("POST", `/${project}/resource/${id}`, token));
  let next = 0;
  return {
    status: 200,
    next() {
      next = (next + 1) % own.length;
      const version = memory.versions.get(own[next]);
      const actions = [{ action: "changeSomeProperty", someProperty: `change ${version}` }];
      return withBody(heads[next], JSON.stringify({ version, actions }));
    },
    check(body) {
      const version = memory.versions.get(own[next]) + 1;
      return body.includes(`"version":${version},`) ? undefined : `not version ${version}`;
    },
    done() {
      memory.versions.set(own[next], memory.versions.get(own[next]) + 1);
    },
  };
}

/** The workloads by name, in the order of the report. */
export const WORKLOADS = {
  "read by id": reads(""),
  "read by id, fresh": reads("Cache-Control: no-cache\r\n"),
  "create a small body": creates,
  "update by id": updates,
};
