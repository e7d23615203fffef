// A listener's socket, as a page opens it.

import WebSocket from "ws";
import { parseLines } from "../../support/lines.mjs";

/** The protocol that the server chooses. */
export const PROTOCOL = "resource-edge.changes";

/**
 * Opens a socket to the changes of a project. If it is refused, throws the status, the headers, and the JSON of the
 * response.
 * @param {{ url: URL, token: (project: string, permission: string) => Promise<string> }} worker
 * @param {string} name
 * @param {{ query?: string, token?: string, protocols?: string[], headers?: Record<string, string> }} [options]
 */
export async function connect(worker, name, { query = "", token, protocols, headers } = {}) {
  const bearer = token ?? (await worker.token(name, "view_test"));
  const url = new URL(`/${name}/changes${query}`, worker.url);
  url.protocol = "ws:";
  const socket = new WebSocket(url, protocols ?? [PROTOCOL, `bearer.${bearer}`], { headers });
  const listener = new Listener(socket);
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
    socket.once("unexpected-response", async (_, response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      const { statusCode: status, headers } = response;
      reject(Object.assign(new Error(`${status} ${text}`), { status, headers, json: JSON.parse(text) }));
    });
  });
  return listener;
}

/** Returns the refusal of a socket. */
export async function refused(worker, name, options = {}) {
  try {
    await connect(worker, name, options);
  } catch (error) {
    if (error.status !== undefined) return error;
    throw error;
  }
  throw new Error("the socket was accepted");
}

class Listener {
  /** The texts that nobody has read. */
  texts = [];
  #wake = () => {};

  constructor(socket) {
    this.socket = socket;
    /** The code of the close. */
    this.closed = new Promise((resolve) =>
      socket.once("close", (code) => {
        resolve(code);
        this.#wake();
      }),
    );
    socket.on("message", (data) => {
      this.texts.push(String(data));
      this.#wake();
    });
  }

  /** Returns the next text. Throws if there is none in time. */
  async text() {
    if (this.texts.length === 0) {
      await new Promise((resolve, reject) => {
        const late = () => reject(new Error("no text arrived"));
        const timer = setTimeout(late, 10_000);
        this.#wake = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
    }
    if (this.texts.length === 0) throw new Error("the socket is closed");
    return this.texts.shift();
  }

  /** Returns the lines of the next frame. */
  async next() {
    return parseLines(await this.text());
  }

  close() {
    this.socket.close();
    return this.closed;
  }
}
