// Files that the build writes beside the compiled ones, and that modules import.

// .ci/client: the JavaScript and the bytes of the package's WebAssembly.
declare module "*/wasm/resource_edge.js" {
  export function initSync(module: BufferSource | WebAssembly.Module): {
    readonly memory: WebAssembly.Memory;
    reserve(length: number): number;
  };
  export function invalid(shape: number, kind: number, length: number, object: boolean): string | undefined;
  export function invalid_part(shape: number, kind: number, path: number, length: number): string | undefined;
  export function too_large(): string;
  export function add_shape(length: number): void;
  export class ClientCore {
    constructor(length: number);
    observe(length: number): void;
    free(): void;
  }
  export class ClientCall {
    constructor(length: number);
    readonly pause: number;
    readonly unknown: boolean;
    render(core: ClientCore, headers: { set(name: string, value: string): void }): string;
    next(core: ClientCore, length: number): number;
    free(): void;
  }
}
declare module "*/wasm/inline.js" {
  export default function bytes(): Uint8Array<ArrayBuffer>;
}

// .ci/syntax.
declare module "*/syntax/resource_edge.js" {
  export function initSync(source: { module: BufferSource | WebAssembly.Module }): {
    readonly memory: WebAssembly.Memory;
  };
  export function reserve(length: number): number;
  export function check(shape: number, language: number, length: number): string | undefined;
  export function add_shape(length: number): void;
  export function read_schema(length: number): string;
  export function check_resources(bytes: number): string | undefined;
}
declare module "*/syntax/inline.js" {
  export default function bytes(): Uint8Array<ArrayBuffer>;
}

// .ci/testing, from src/worker.
declare module "*/files.js" {
  export const module: string;
  export const openApi: string;
}
declare module "*/worker.js" {
  export function startWorker(globals: object): {
    default: { fetch(request: object, env: object): Response | Promise<Response> };
    setResources(text: string): unknown;
    ProjectObject: new (
      ctx: object,
      env: object,
    ) => {
      perform(message: Uint8Array): [Uint8Array, unknown?] | Promise<[Uint8Array, unknown?]>;
      fetch(request: object): Promise<Response>;
      webSocketMessage(socket: object, text: string): void;
      webSocketClose(socket: object, code: number, reason: string): void;
      restore(name: string, time: number, bookmark?: string): Promise<{ undo?: string; reason?: string }>;
      epoch(): Promise<string>;
      changeEpoch(epoch: string): Promise<string>;
      putAll(entries: string, limits: unknown): Promise<string[]>;
      alarm(): Promise<void>;
    };
  };
}

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}
