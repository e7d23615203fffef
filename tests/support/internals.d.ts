// Exports between modules of the package that are not declared for its users (tsconfig.json).

import type { AddressInfo } from "node:net";
import type { Schema, Validation } from "../../pkg/validate.js";

declare module "../../pkg/generated/operations.js" {
  export const families: readonly string[];
  export const objects: readonly string[];
  interface OperationInfo {
    readonly index: number;
  }
}

declare module "../../pkg/validate.js" {
  export function standard<Value>(check: (value: unknown) => Validation<Value>): Schema<Value>;
  export function invalidObject(number: number, text: string | undefined): Invalid | undefined;
  export function invalidText(number: number, text: string): Invalid | undefined;
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
