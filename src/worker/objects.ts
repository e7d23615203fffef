// The Durable Objects by name. A project has two: `v1/{project}` has its data, and `h1/{project}` its epoch, which a
// restore of the data does not reach.

import type { Environment } from "./types.js";

/**
 * Returns the object of that name, in the place and the jurisdiction of the settings. A namespace that is restricted to
 * a jurisdiction has separate objects.
 */
export function objectOf({ PROJECTS, JURISDICTION, LOCATION_HINT }: Environment, name: string) {
  const namespace = JURISDICTION === undefined ? PROJECTS : PROJECTS.jurisdiction(JURISDICTION);
  return namespace.getByName(name, LOCATION_HINT === undefined ? undefined : { locationHint: LOCATION_HINT });
}

/** Returns the object that has the epoch of a project's positions. */
export const epochObjectOf = (env: Environment, project: string) => objectOf(env, `h1/${project}`);
