// A thread that opens sockets to the changes of a project. Posts the instant at which all of them have got one more
// frame.
import { parentPort, workerData } from "node:worker_threads";
import WebSocket from "ws";

const { url, token, count } = workerData;
const PING_MS = 10_000;
/** How many sockets have got each frame. */
const got = [];

for (let number = 0; number < count; number += 1) {
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
