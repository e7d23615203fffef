// Exports between modules of the package that are not declared for its users (tsconfig.json).

import type { AddressInfo } from "node:net";
import type { Exports } from "../../pkg/core.js";
import type { Issue, Schema, Validation } from "../../pkg/validate.js";

declare module "../../pkg/generated/operations.js" {
  export const families: readonly string[];
  export const objects: readonly string[];
  interface OperationInfo {
    readonly index: number;
  }
}

declare module "../../pkg/issues.js" {
  export function moreAt(address: number): number;
  export function issuesAt(address: number): Issue[];
}

declare module "../../pkg/validate.js" {
  export function standard<Value>(check: (value: unknown) => Validation<Value>): Schema<Value>;
  export function readInvalid(address: number): Invalid;
  export function explainObject(wasm: Exports, number: number, text: string): number;
  interface Valid<Body> {
    readonly issues?: undefined;
    readonly more?: undefined;
  }
  interface Invalid {
    readonly value?: undefined;
  }
}

// Servers here listen on ports.
declare module "node:net" {
  interface Server {
    address(): AddressInfo;
    listen(port: number, host: string, listening: (value: unknown) => void): this;
  }
}
