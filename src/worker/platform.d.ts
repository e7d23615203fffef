// The modules that exist only after a build, or in workerd, as far as the Worker uses them.

// Built by .ci/worker: the JavaScript of the Worker's WebAssembly.
declare module "*/build/worker/resource_edge.js" {
  export function initSync(source: { module: WebAssembly.Module }): object;
  export function contract(): import("./types.js").Contract;
  export function handle(
    method: string,
    url: string,
    headers: Headers,
    request: object,
    env: object,
  ): Response | Promise<Response>;
  export function setResources(text: string): string | undefined;
  export function fault(method: string, url: string, headers: Headers, env: object): Response;
  export const nextPage: import("./types.js").NextPage;
  export function newEpoch(): string;
  export function __wbg_reset_state(): void;
  export class ProjectCore {
    constructor(storage: object, env: object, alarm: number | undefined);
    perform(message: Uint8Array, listeners: number, hasTurn: boolean): import("./types.js").Performed;
    frame(message: Uint8Array, from: number): import("./types.js").Framed;
    begin(): number;
    newest(): number;
    full(): { reply: import("./types.js").Reply };
    setEpoch(project: string, epoch: string | undefined): void;
    isWrite(message: Uint8Array): boolean;
    hasToIndex(message: Uint8Array): boolean;
    rolledBack(): void;
    alarm(ticket: number): void;
  }
}
// Written by src/worker/self-hosted/serve.ts.
declare module "*/site-files.mjs" {
  export const files: { [path: string]: { type: string; etag: string } };
  export const headers: { [name: string]: string };
}

/** The parts of workerd that are used here. */
declare class DurableObject {
  constructor(ctx: object, env: object);
  protected ctx: any;
  protected env: any;
}
declare const WebSocketPair: new () => { 0: object; 1: import("./types.js").Socket };
declare const WebSocketRequestResponsePair: new (request: string, response: string) => object;
declare module "cloudflare:workers" {
  export { DurableObject };
  export function waitUntil(promise: Promise<unknown>): void;
  export const env: any;
}

declare module "workerd" {
  /** `default` is the path of the program. */
  const workerd: { default: string };
  export default workerd;
}
