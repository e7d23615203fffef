// A module around the built Worker that records the calls of its bindings, for features that the local platform ignores
// or lacks. `GET /__recorded` returns the calls since the last request.

import worker, { ProjectObject } from "./entry.js";

export { ProjectObject };

let calls = [];

const namespace = (projects, jurisdiction) => ({
  jurisdiction: (name) => namespace(projects, name),
  getByName(name, options) {
    calls.push({ object: name, jurisdiction, options });
    return projects.getByName(name);
  },
});

const copies = (kv) => ({
  getWithMetadata(entry, options) {
    calls.push({ entry, options });
    return kv.getWithMetadata(entry, options);
  },
});

export default {
  fetch(request, env, ctx) {
    if (new URL(request.url).pathname === "/__recorded") {
      const recorded = calls;
      calls = [];
      return Response.json(recorded);
    }
    return worker.fetch(request, { ...env, PROJECTS: namespace(env.PROJECTS), RESOURCES: copies(env.RESOURCES) }, ctx);
  },
};
