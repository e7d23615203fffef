// Additions to types, for JavaScript that is checked without strict mode (tsconfig.json).

import type { AddressInfo } from "node:net";

// Without strict mode, `valid` does not distinguish the results.
declare module "../../pkg/dist/validate/validate.js" {
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
