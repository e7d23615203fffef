// The deployed bundle with platform faults. A request selects a fault by header, and each fault occurs once. The bundle
// contains no code for tests.

import worker, { ProjectObject as Deployed } from "./entry.js";

const faults = { random: false, format: false, slowGet: 0, slowPerform: 0, failPuts: 0 };
const puts = [];

const getRandomValues = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (bytes) => {
  if (!faults.random) return getRandomValues(bytes);
  faults.random = false;
  // Rust does not catch it: it passes through the instance like a trap.
  throw new Error("no randomness");
};

function sabotaged(env) {
  const real = env.RESOURCES;
  const RESOURCES = {
    async getWithMetadata(...args) {
      const wait = faults.slowGet;
      faults.slowGet = 0;
      if (wait > 0) await scheduler.wait(wait);
      return real.getWithMetadata(...args);
    },
    put(key, value, options) {
      puts.push({ key, at: Date.now(), revision: options.metadata.revision, failed: faults.failPuts > 0 });
      if (faults.failPuts > 0) {
        faults.failPuts -= 1;
        return Promise.reject(new Error("KV PUT failed: 429 Too Many Requests"));
      }
      return real.put(key, value, options);
    },
  };
  const PROJECTS = {
    getByName: (name) => ({
      async perform(message) {
        const pause = faults.slowPerform;
        faults.slowPerform = 0;
        const reply = await env.PROJECTS.getByName(name).perform(message);
        if (pause > 0) await scheduler.wait(pause);
        return reply;
      },
    }),
  };
  return { ...env, RESOURCES, PROJECTS };
}

export class ProjectObject extends Deployed {
  constructor(ctx, env) {
    super(ctx, sabotaged(env));
  }

  perform(message) {
    if (!faults.format) return super.perform(message);
    faults.format = false;
    return super.perform(Uint8Array.of(250, ...message.subarray(1)));
  }
}

export default {
  fetch(request, env, ctx) {
    if (new URL(request.url).pathname === "/puts") return Response.json(puts);
    Object.assign(faults, JSON.parse(request.headers.get("X-Sabotage") ?? "{}"));
    return worker.fetch(request, sabotaged(env), ctx);
  },
};
