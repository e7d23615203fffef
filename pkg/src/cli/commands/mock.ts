// `resource-edge mock`: the service in memory over HTTP, for tests in any language.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

import type { Service } from "../../testing/types.js";
import { type Command, CommandError, type Input, UsageError, wholeNumber } from "../command.js";
import { reasonOf } from "../connection.js";
import { readJson } from "../files.js";
import { bodiesOf, SEED_PROJECT, seedProject } from "./load.js";
import { authority } from "../program.js";
import { RESOURCES_OPTION, resourcesFile } from "../resources.js";

/** The paths by which tests control the service. No path of the API begins so. */
const CONTROL = "/_mock/";

/** What tests can do besides calling the API. `value` is the body of the request. */
const controls: { [name: string]: (service: Service, value: any) => unknown } = {
  "POST reset": (service) => service.reset(),
  "POST settle": (service) => service.settle(),
  "POST advance": (service, { ms }) => service.advance(ms),
  "POST fail": (service, fault) => void service.fail(fault),
  "GET requests": (service) => service.requests,
};

async function control(service: Service, request: IncomingMessage, text: string): Promise<[number, unknown]> {
  const name = `${request.method} ${(request.url ?? "").slice(CONTROL.length)}`;
  const perform = Object.hasOwn(controls, name) ? controls[name] : undefined;
  if (perform === undefined) return [404, { message: `Unknown. Expected ${Object.keys(controls).join(", ")}.` }];
  try {
    return [200, (await perform(service, text === "" ? {} : JSON.parse(text))) ?? {}];
  } catch (error) {
    return [400, { message: (error as Error).message }];
  }
}

/** Responds to a request. Rejects if the caller left, or for a fault of the network. */
async function respond(service: Service, request: IncomingMessage, response: ServerResponse) {
  const { url = "", method = "GET" } = request;
  const body = await buffer(request);
  if (url.startsWith(CONTROL)) {
    const [status, value] = await control(service, request, body.toString());
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    return;
  }
  // Node has no server of sockets. Without this header, followers of changes use requests that wait.
  const { upgrade, ...headers } = request.headersDistinct as Record<string, string[]>;
  const fields = Object.entries(headers).flatMap(([name, values]) => values.map((value) => [name, value]));
  const hasBody = method !== "GET" && method !== "HEAD";
  const init = { method, headers: fields as [string, string][], ...(hasBody && { body }) };
  const answer: Response = await service.fetch(url, init as any);
  response.writeHead(answer.status, [...answer.headers].flat());
  // A stream of events arrives as it is sent.
  await pipeline(answer.body === null ? [] : Readable.fromWeb(answer.body as any), response);
}

async function start({ values, signal }: Input) {
  const { createService } = await import("../../testing/index.js");
  const { seed, lag, random, now, authenticate = false } = values;
  const resources = resourcesFile(values);
  const { project, shape } = await seedProject(values, seed && resources);
  const bodies = seed && (await bodiesOf(seed, shape, signal));
  const options = {
    authenticate,
    projectKey: project,
    ...(bodies !== undefined && { bodies }),
    ...(resources !== undefined && { resources: readJson(resources) }),
    ...(lag !== undefined && { lag: wholeNumber("lag", lag) }),
    ...(random !== undefined && { seed: wholeNumber("random", random) }),
    ...(now !== undefined && { now }),
  };
  try {
    return await createService(options);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

async function runMock(input: Input) {
  const { values, output, signal } = input;
  const port = wholeNumber("port", values.port ?? "8787", 65_535);
  const host = values.host ?? "127.0.0.1";
  const service = await start(input);
  const server = createServer((request, response) => {
    respond(service, request, response).catch((error) => {
      response.destroy();
      output.note(`${request.method} ${request.url}: ${reasonOf(error)}`);
    });
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new UsageError(`Port ${port} is in use. Choose another with --port.`);
    throw new CommandError(message);
  }
  const url = `http://${authority(host, (server.address() as AddressInfo).port)}`;
  const { tokenSecret, credentials } = service;
  const { clientId, clientSecret } = credentials;
  const tokens = values.authenticate
    ? `Tokens: client ${clientId}, secret ${clientSecret}. Those of users: TOKEN_SECRET="${tokenSecret}".`
    : "No token is needed.";
  output.note(`${tokens} Nothing is kept.`);
  output.result({ url, clientId, clientSecret, tokenSecret }, `Serving the API from memory at ${url} (Ctrl-C ends it)`);
  if (!signal.aborted) await once(signal, "abort");
  server.closeAllConnections();
  server.close();
  service.close();
}

export const mock: Command = {
  about: "serve the API from memory, for tests in any language",
  options: {
    port: { value: "PORT", about: "the port (default: 8787); 0 for any free one" },
    host: { value: "ADDRESS", about: "the address to listen on (default: 127.0.0.1)" },
    ...SEED_PROJECT,
    seed: { value: "FILE", about: "resources to create at the start and after a reset: a file as for `load`" },
    authenticate: { about: "require tokens, as in production" },
    ...RESOURCES_OPTION,
    lag: { value: "MS", about: "how long reads by ID and key may lag a write (default: 0)" },
    now: { value: "TIME", about: "stop the clock at this time" },
    random: { value: "N", about: "repeat the same random values, such as IDs" },
  },
  more: `It is the service itself; only its platform is in memory. Tests control it by these requests:

  POST /_mock/reset              start again, with --seed
  POST /_mock/fail               make the next request fail: {"status":503}, {"operation":"updateById","conflict":true}
  POST /_mock/advance            move the clock: {"ms":1000}
  POST /_mock/settle             bring all reads up to date
  GET  /_mock/requests           the requests so far

The faults are those of \`resource-edge/testing\`, except functions. It needs Node.js 22.13, or the package
@sqlite.org/sqlite-wasm.`,
  run: runMock,
};
