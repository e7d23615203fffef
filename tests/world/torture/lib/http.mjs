// The requests of callers and followers, each with an end.

import http from "node:http";
import https from "node:https";

/** Returns the module that sends requests to the address. */
const moduleOf = (origin) => (origin.startsWith("https:") ? https : http);

/** Returns an agent that keeps that many connections to the address. */
export const agentFor = (origin, maxSockets) => new (moduleOf(origin).Agent)({ keepAlive: true, maxSockets });

/**
 * Returns the response. Throws if the connection is cut, or if the response has not ended in time. Without an agent,
 * each request opens a separate connection.
 * @param {string} origin
 * @param {{ path: string, method?: string, headers?: Record<string, any>, body?: string, agent?: any }} request
 * @param {number} ms
 */
export function send(origin, { path, method = "GET", headers = {}, body, agent }, ms) {
  const { hostname, port } = new URL(origin);
  const more = {
    ...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) }),
    ...(agent === undefined ? { Connection: "close" } : {}),
  };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, agent, headers: { ...headers, ...more } };
    const sent = moduleOf(origin).request(options, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("close", () => reject(new Error("the response was cut")));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        if (response.complete) resolve({ status: response.statusCode, headers: response.headers, text });
      });
    });
    const timer = setTimeout(() => sent.destroy(new Error("late")), ms);
    sent.on("close", () => clearTimeout(timer));
    sent.on("error", reject);
    sent.end(body);
  });
}
