// The built Worker, and `GET /__memory`: the bytes of WebAssembly memory, which edge and object share here. Memory only
// grows, so this is the maximum of all earlier use.

import { memories } from "./memory.mjs";
import worker, { ProjectObject } from "./entry.js";

export { ProjectObject };

export default {
  fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== "/__memory") return worker.fetch(request, env, ctx);
    return Response.json(memories.map(({ buffer }) => buffer.byteLength));
  },
};
