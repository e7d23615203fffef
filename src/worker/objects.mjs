// The Durable Objects by name. A project has two: `v1/{project}` has its data, and `h1/{project}` its epoch, which a
// restore of the data does not reach.

/** @typedef {import("./types.js").Environment} Environment */

/**
 * Returns the object of that name, in the place and the jurisdiction of the settings. A namespace that is restricted to
 * a jurisdiction has separate objects.
 * @param {Environment} env
 * @param {string} name
 */
export function objectOf({ PROJECTS, JURISDICTION, LOCATION_HINT }, name) {
  const namespace = JURISDICTION === undefined ? PROJECTS : PROJECTS.jurisdiction(JURISDICTION);
  return namespace.getByName(name, LOCATION_HINT === undefined ? undefined : { locationHint: LOCATION_HINT });
}

/**
 * Returns the object that has the epoch of a project's positions.
 * @param {Environment} env
 * @param {string} project
 */
export const epochObjectOf = (env, project) => objectOf(env, `h1/${project}`);
