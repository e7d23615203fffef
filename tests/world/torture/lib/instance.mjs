// The built Worker in a workerd process that may be killed at any moment. Its objects remain on disk. Its KV is a
// server of this process (kv.mjs), so that a put in flight outlives the Worker that sent it.

import { createHash, createHmac } from "node:crypto";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { bundle } from "../../../../src/worker/self-hosted/workerd.mjs";
import { PLATFORM } from "../../../support/platform.mjs";
import { WorkerdProcess } from "../../../support/process.mjs";

const BUNDLE = fileURLToPath(new URL("../../../../build/dist/entry.js", import.meta.url));
const SECRET = "a-secret-for-the-torture-on-loopback-only";
// The service requires a client. Tokens are signed here.
const CLIENTS = JSON.stringify([
  { id: "torture", secretHash: createHash("sha256").update(SECRET).digest("hex"), scopes: ["manage_test:*"] },
]);

/** Returns an access token for the scope. It is valid for years, because the Worker's clock is fast. */
export function tokenFor(scope, start) {
  const issued = Math.floor(start / 1000) - 60;
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    iss: "resource-edge",
    aud: "resource-edge",
    sub: "torture",
    client_id: "torture",
    jti: "torture",
    scope,
  };
  const signed = `${part({ typ: "at+jwt", alg: "HS256" })}.${part({ ...claims, iat: issued, exp: issued + 1e9 })}`;
  return `${signed}.${createHmac("sha256", SECRET).update(signed).digest("base64url")}`;
}

/** Returns a module of this folder. */
const beside = (name) => ({ [name]: fileURLToPath(new URL(name, import.meta.url)) });

export class Instance extends WorkerdProcess {
  /** Its objects are in a folder of `folder`. `broken` names a promise that the Worker breaks (broken.mjs). */
  constructor({ folder = tmpdir(), kvPort, start, speed, broken = "" }) {
    const worker = {
      modules: { ...beside("worker.mjs"), ...beside("broken.mjs"), ...bundle(BUNDLE) },
      bindings: {
        [PLATFORM.kv]: { kvNamespace: "kv" },
        LOG: { text: "errors" },
        TOKEN_SECRET: { text: SECRET },
        API_CLIENTS: { text: CLIENTS },
        SPEED: { json: String(speed) },
        START: { json: String(start) },
        BROKEN: { text: broken },
      },
      objects: PLATFORM.objects,
    };
    super(folder, { worker, kv: `external = (address = "127.0.0.1:${kvPort}", http = ())` }, { http: "worker" });
  }
}
