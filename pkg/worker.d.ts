/**
 * The Worker of the service. Without pages of its own, the main module of a project for wrangler is one line:
 * `export { default, ProjectObject } from "resource-edge/worker";`
 */
declare const worker: {
  /** Handles a request. `env` has the bindings and the settings. */
  // biome-ignore lint/suspicious/noExplicitAny: the type of a response depends on the project's libraries
  fetch(request: { readonly url: string }, env: object): any;
};
export default worker;

/** The class of the Durable Objects: the binding `PROJECTS`. Only the platform creates them. */
export class ProjectObject {
  constructor(ctx: object, env: object);
}
