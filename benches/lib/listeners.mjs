// A thread that follows the changes of a project. By sockets: posts the instant at which all of them have got one more
// frame. By requests that wait, each with a condition of three KiB: posts the instant at which they have begun.
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import WebSocket from "ws";

const { url, token, count, how } = workerData;
const PING_MS = 10_000;
/** How many sockets have got each frame. */
const got = [];

/** Waits for changes, again and again. */
function wait(agent, condition, after = "now") {
  const headers = { Authorization: `Bearer ${token}` };
  const sent = request(`${url}?wait=25&after=${after}&${condition}`, { agent, headers }, async (response) => {
    let text = "";
    for await (const chunk of response) text += chunk;
    if (response.statusCode !== 200) throw new Error(text);
    wait(agent, condition, JSON.parse(text.slice(0, text.indexOf("\n"))).to);
  });
  sent.end();
}

if (how === "requests") {
  const agent = new Agent({ keepAlive: true });
  for (let number = 0; number < count; number += 1)
    wait(agent, `where=custom%3D%3Ax&var.x=${number}${"x".repeat(3_000)}`);
  // None that arrives later has its turn before these.
  setTimeout(() => parentPort?.postMessage(performance.timeOrigin + performance.now()), 5_000);
}
for (let number = 0; how === "sockets" && number < count; number += 1) {
  const socket = new WebSocket(url, ["resource-edge.changes", `bearer.${token}`]);
  let frames = 0;
  await new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("open", resolve);
    socket.on("message", (data) => {
      if (data.length === 4) return;
      got[frames] = (got[frames] ?? 0) + 1;
      if (got[frames] === count) parentPort?.postMessage(performance.timeOrigin + performance.now());
      frames += 1;
    });
  });
  setInterval(() => socket.send("ping"), PING_MS);
}
