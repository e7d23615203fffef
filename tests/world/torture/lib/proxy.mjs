// A TCP proxy in front of workerd, at an address that remains the same when workerd restarts. It cuts connections after
// it forwarded the request, or in the middle of the response. It also keeps connections open without forwarding the
// response.

import net from "node:net";

/** The fates of a request's connection with their weights. */
const PLANS = { pass: 92, cutAfterRequest: 3, cutInResponse: 3, stall: 1, delay: 1 };

export class TortureProxy {
  /** The number of executions of each plan. */
  counts = {};
  /** Whether connections are cut. */
  faulty = true;

  /** `port` returns the port of workerd, or `undefined` if it does not run. */
  constructor(random, port) {
    this.sockets = new Set();
    this.server = net.createServer((client) => this.#connect(client, random, port()));
  }

  async listen() {
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    return this;
  }

  #connect(client, random, port) {
    if (port === undefined) return client.destroy();
    const service = net.connect(port, "127.0.0.1");
    const cut = () => {
      client.destroy();
      service.destroy();
    };
    let plan = "pass";
    for (const socket of [client, service]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", cut);
      socket.on("close", () => {
        this.sockets.delete(socket);
        cut();
      });
    }
    client.on("data", (bytes) => {
      plan = this.faulty ? random.weighted(PLANS) : "pass";
      this.counts[plan] = (this.counts[plan] ?? 0) + 1;
      service.write(bytes, () => {
        // The service may or may not have read it.
        if (plan === "cutAfterRequest") setTimeout(cut, random.between(0, 6));
      });
    });
    service.on("data", (/** @type {Buffer} */ bytes) => {
      if (client.destroyed) return;
      if (plan === "pass") client.write(bytes);
      else if (plan === "cutInResponse") client.write(bytes.subarray(0, Math.floor(bytes.length * random.next())), cut);
      else if (plan === "delay") setTimeout(() => client.destroyed || client.write(bytes), 80);
    });
  }

  close() {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
