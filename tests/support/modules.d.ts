// The modules that exist only after a build, or in workerd, as far as the JavaScript here uses them (tsconfig.json).

// Built by .ci/dist.
declare module "*/entry.js" {
  const handler: { fetch(request: object, env: object, ctx?: object): Response | Promise<Response> };
  export default handler;
  export function setResources(text: string): typeof handler;
  export class ProjectObject extends DurableObject {
    perform(message: Uint8Array): [Uint8Array, unknown?] | Promise<[Uint8Array, unknown?]>;
    restore(name: string, time: number, bookmark?: string): Promise<{ undo?: string; reason?: string }>;
    restart(): void;
    epoch(): Promise<string>;
    changeEpoch(epoch: string): Promise<string>;
    putAll(entries: string, limits: { atOnce: number; beginMs: number; ms: number }): Promise<string[]>;
    alarm(): Promise<void>;
    webSocketMessage(socket: WebSocket, text: string): void;
  }
}

// The package, as a reader of an example has it installed.
declare module "*/node_modules/resource-edge/browser.js" {
  export * from "resource-edge";
}
declare module "*/node_modules/resource-edge/live.js" {
  export * from "resource-edge/live";
}

// Compiled by ajv, when the peer is built (benches/lib/peer.mjs).
declare module "validators" {
  // biome-ignore lint/suspicious/noExplicitAny: what an error has depends on the rule
  type Validator = { (body: unknown): boolean; errors: any[] };
  export const draft: Validator;
  export const update: Validator;
}
/** The fields that the peer indexes; null if all. */
declare const INDEXED: string[] | null;

/** Node has it too, where streams are sent. */
interface RequestInit {
  duplex?: "half";
}

/** workerd's. */
declare const scheduler: { wait(milliseconds: number): Promise<void> };
