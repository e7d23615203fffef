// The modules that exist only after a build, or in workerd, as far as the JavaScript here uses them (tsconfig.json).

// Built by .ci/worker: the glue of the Worker's WebAssembly; and by .ci/dist, the Worker itself.
declare module "*/build/worker/resource_edge.js" {
  export function initSync(source: { module: WebAssembly.Module }): object;
  export function contract(): import("../../src/worker/types.js").Contract;
  export function handle(
    method: string,
    url: string,
    headers: Headers,
    request: object,
    env: object,
  ): Response | Promise<Response>;
  export function fault(method: string, url: string, headers: Headers, env: object): Response;
  export function newEpoch(): string;
  export function __wbg_reset_state(): void;
  export class ProjectCore {
    constructor(storage: object, env: object, alarm: number | undefined);
    perform(message: Uint8Array): string | [Uint8Array, unknown?] | Promise<[Uint8Array, unknown?]>;
    setEpoch(epoch: string): void;
    alarm(ticket: number): void;
  }
}
declare module "*/entry.js" {
  const handler: { fetch(request: object, env: object, ctx?: object): Response | Promise<Response> };
  export default handler;
  export class ProjectObject extends DurableObject {
    perform(message: Uint8Array): [Uint8Array, unknown?] | Promise<[Uint8Array, unknown?]>;
    restore(name: string, time: number, bookmark?: string): Promise<{ undo?: string; reason?: string }>;
    restart(): void;
    epoch(): Promise<string>;
    changeEpoch(): Promise<void>;
    alarm(): Promise<void>;
  }
}

// Written by src/worker/self-hosted/serve.mjs.
declare module "*/site-files.mjs" {
  export const files: { [path: string]: { type: string; etag: string } };
  export const headers: { [name: string]: string };
}

/** The parts of workerd that are used here. */
declare class DurableObject {
  constructor(ctx: object, env: object);
  // biome-ignore lint/suspicious/noExplicitAny: workerd's own types are those of another platform than Node's
  protected ctx: any;
  // biome-ignore lint/suspicious/noExplicitAny: it holds whatever the configuration binds
  protected env: any;
}
declare module "cloudflare:workers" {
  export { DurableObject };
  export function waitUntil(promise: Promise<unknown>): void;
  // biome-ignore lint/suspicious/noExplicitAny: it holds whatever the configuration binds
  export const env: any;
}

// The package, as a reader of an example has it installed.
declare module "*/node_modules/resource-edge/browser.js" {
  export * from "resource-edge";
}

/** Annex B of ECMAScript, which TypeScript's libraries leave out. */
interface Object {
  __defineGetter__(name: PropertyKey, get: () => unknown): void;
}

// Compiled by ajv, when the peer is built (benches/lib/peer.mjs).
declare module "validators" {
  // biome-ignore lint/suspicious/noExplicitAny: what an error has depends on the rule
  type Validator = { (body: unknown): boolean; errors: any[] };
  export const draft: Validator;
  export const update: Validator;
}

/** Node has it too, where streams are sent. */
interface RequestInit {
  duplex?: "half";
}

/** workerd's. */
declare const scheduler: { wait(milliseconds: number): Promise<void> };

declare module "workerd" {
  /** `default` is the path of the program. */
  const workerd: { default: string };
  export default workerd;
}
