// A service that responds to exactly the requests of the program, and records every other request.

import { createServer } from "node:http";
import { listen } from "../../support/server.mjs";

const RESOURCE = {
  id: "one",
  version: 1,
  key: "ä",
  createdAt: "2026-01-01T00:00:00.000Z",
  lastModifiedAt: "2026-01-01T00:00:00.000Z",
  objectTypeProperty: { arrayOfIntExample: [1, 2] },
};
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "*, Authorization",
  "Access-Control-Allow-Methods": "*",
  "Access-Control-Expose-Headers": "*",
};

/** Starts the service. `next()` returns the program's next report. */
export async function serve() {
  const reports = [];
  const waiting = [];
  const wrong = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const send = (status, value) =>
      response.writeHead(status, { ...CORS, "Content-Type": "application/json" }).end(JSON.stringify(value));
    const { headers } = request;
    const asked = `${request.method} ${request.url}`;
    if (request.method === "OPTIONS") return response.writeHead(204, CORS).end();
    if (asked === "POST /report") {
      const report = JSON.parse(body);
      if (wrong.length > 0) report.error ??= wrong.splice(0).join("; ");
      if (waiting.length > 0) waiting.shift()(report);
      else reports.push(report);
      return send(200, {});
    }
    if (headers.authorization === "Bearer secret") {
      if (asked === "GET /demo/resource/one") return send(200, RESOURCE);
      if (asked === "GET /demo/resource/none") {
        return send(404, {
          statusCode: 404,
          message: "None.",
          errors: [{ code: "ResourceNotFound", message: "None." }],
        });
      }
      const draft = JSON.stringify({ key: RESOURCE.key, objectTypeProperty: RESOURCE.objectTypeProperty });
      const write = headers["content-type"] === "application/json" && headers["idempotency-key"] !== undefined;
      if (asked === "POST /demo/resource" && write && body === draft) return send(201, RESOURCE);
    }
    wrong.push(`unexpected request: ${asked} ${JSON.stringify(headers)} ${body}`);
    send(400, { statusCode: 400, message: "Unexpected.", errors: [] });
  });
  return {
    ...(await listen(server)),
    next: () =>
      reports.length > 0 ? Promise.resolve(reports.shift()) : new Promise((resolve) => waiting.push(resolve)),
    reset() {
      reports.length = waiting.length = wrong.length = 0;
    },
  };
}
