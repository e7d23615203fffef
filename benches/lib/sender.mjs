// Sends requests to one collection over kept connections, and reads the resources that the responses have.
import { Agent, request } from "node:http";

export class Sender {
  /** @param connections the most connections at once */
  constructor({ port }, project, token, connections = Infinity) {
    this.path = `/${project}/resource`;
    this.token = token;
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.to = { host: "127.0.0.1", port, agent: this.agent };
  }

  /** Returns the resource of the response. Rejects if its status is another than `status`. */
  send(status, method, path, body) {
    const headers = {
      Authorization: `Bearer ${this.token}`,
      ...(body && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request({ ...this.to, method, path: this.path + path, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () =>
          response.statusCode === status
            ? resolve(JSON.parse(text))
            : reject(
                new Error(`${method} ${this.path}${path}: expected ${status}, got ${response.statusCode}: ${text}`),
              ),
        );
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  close() {
    this.agent.destroy();
  }
}
