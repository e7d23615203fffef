// The settings and the tokens of both sides.
import { createHash, createHmac } from "node:crypto";

const SECRET = "a-secret-for-benchmarks-on-loopback-only";

/** The variables of a Worker with the built-in issuer that logs errors only. */
export const VARIABLES = {
  LOG: "errors",
  // All followers are one caller, which has nine tenths of the places.
  LISTENERS: "1200",
  TOKEN_SECRET: SECRET,
  API_CLIENTS: JSON.stringify([
    {
      id: "bench",
      secretHash: createHash("sha256").update("bench").digest("hex"),
      scopes: ["manage_test:*", "view_test:*"],
    },
  ]),
};

/** Returns an access token with the scopes, valid for an hour. */
export function tokenFor(scopes, client = "bench") {
  const now = Math.floor(Date.now() / 1000);
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = [
    part({ typ: "at+jwt", alg: "HS256" }),
    part({
      iss: "resource-edge",
      aud: "resource-edge",
      sub: client,
      client_id: client,
      iat: now,
      exp: now + 3600,
      jti: "bench",
      scope: scopes.join(" "),
    }),
  ].join(".");
  return `${signed}.${createHmac("sha256", SECRET).update(signed).digest("base64url")}`;
}
