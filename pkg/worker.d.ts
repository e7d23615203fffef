/**
 * The Worker of the service. Without other pages, the main module of a project for wrangler is one line:
 * `export { default, ProjectObject } from "resource-edge/worker";`
 */
declare const worker: {
  /** Handles a request. `env` has the bindings and the settings. */
  // biome-ignore lint/suspicious/noExplicitAny: the type of a response depends on the project's libraries
  fetch(request: { readonly url: string }, env: object): any;
};
export default worker;

/**
 * Lets the service serve your resources, and returns the Worker:
 * `export default setResources(JSON.stringify(resources))` with `import resources from "../resources.json"`. Throws a
 * `TypeError` with the place if something is wrong, so that wrangler does not deploy it.
 */
export function setResources(text: string): typeof worker;

/** The class of the Durable Objects: the binding `PROJECTS`. Only the platform creates them. */
export class ProjectObject {
  constructor(ctx: object, env: object);
}
