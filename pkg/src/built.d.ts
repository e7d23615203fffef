// Files that the build writes beside the compiled ones, and that modules import.

// .ci/client: the JavaScript and the bytes of the package's WebAssembly.
declare module "*/wasm/resource_edge.js" {
  export function initSync(module: BufferSource | WebAssembly.Module): {
    readonly memory: WebAssembly.Memory;
    reserve(length: number): number;
    result(): number;
    add_shape(length: number): void;
    invalid(shape: number, kind: number, length: number, object: boolean): number;
    invalid_part(shape: number, kind: number, path: number, length: number): number;
    too_large(): number;
    create_client(length: number): number;
    drop_client(client: number): void;
    observe(client: number, length: number): void;
    begin_call(length: number): number;
    end_call(call: number): number;
    render(client: number, call: number, headers: { set(name: string, value: string): void }): number;
    decide(client: number, call: number, length: number): number;
  };
}
declare module "*/wasm/inline.js" {
  export default function bytes(): Uint8Array<ArrayBuffer>;
}

// .ci/syntax.
declare module "*/syntax/resource_edge.js" {
  export function initSync(source: { module: BufferSource | WebAssembly.Module }): {
    readonly memory: WebAssembly.Memory;
    reserve(length: number): number;
    result(): number;
    add_shape(length: number): void;
    check(shape: number, language: number, length: number): number;
    read_schema(length: number): number;
    check_resources(length: number): number;
  };
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
