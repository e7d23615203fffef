// Bearer tokens: HS256 with TOKEN_SECRET, verified by jose and cached, so that a caller's next request costs a look-up.
import { jwtVerify } from "jose";
import { failure } from "./errors.mjs";

const ISSUER = "resource-edge";
const SKEW = 60;
const REMEMBERED = 1000;
const RULES = { algorithms: ["HS256"], typ: "at+jwt", issuer: ISSUER, audience: ISSUER, clockTolerance: SKEW };

let key;
/** Claims by the value of the Authorization header. */
const verified = new Map();

const importKey = (secret) =>
  crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);

/** Returns the claims of the token in the header, or a promise of them. 401 if the token is not trusted. */
export function authenticate(authorization, secret) {
  if (authorization === null) throw unauthorized("Bearer");
  const known = verified.get(authorization);
  return known !== undefined && !isExpired(known) ? known : verify(authorization, secret);
}

async function verify(authorization, secret) {
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  if (token === undefined) throw unauthorized('Bearer error="invalid_token"');
  key ??= importKey(secret);
  const claims = await claimsOf(token, await key);
  if (verified.size >= REMEMBERED) verified.delete(verified.keys().next().value);
  verified.set(authorization, claims);
  return claims;
}

async function claimsOf(token, secret) {
  let claims;
  try {
    claims = (await jwtVerify(token, secret, RULES)).payload;
  } catch {
    throw unauthorized('Bearer error="invalid_token", error_description="The token is not trusted."');
  }
  const texts = [claims.sub, claims.client_id, claims.jti, claims.scope ?? ""];
  const times = [claims.exp, claims.iat, claims.nbf ?? 0];
  const early = Math.max(claims.iat, claims.nbf ?? 0) > Date.now() / 1000 + SKEW;
  if (!texts.every((one) => typeof one === "string") || !times.every(Number.isFinite) || early || isExpired(claims)) {
    throw unauthorized('Bearer error="invalid_token", error_description="The token is not valid now."');
  }
  const { exp, sub, client_id } = claims;
  return { exp, caller: JSON.stringify([ISSUER, client_id, sub]), scopes: new Set((claims.scope ?? "").split(" ")) };
}

const isExpired = ({ exp }) => Date.now() / 1000 >= exp + SKEW;

const unauthorized = (challenge) =>
  failure(401, "invalid_token", "invalid_token", {}, { "WWW-Authenticate": challenge });

/** Rejects a caller without one of the scopes for the project with 403. */
export function authorize({ scopes }, project, names) {
  for (const name of names) if (scopes.has(`${name}:${project}`)) return;
  throw failure(
    403,
    "insufficient_scope",
    `Insufficient scope. One of the following scopes is missing: ${names.join(", ")}.`,
    {},
    {
      "WWW-Authenticate":
        `Bearer error="insufficient_scope", ` + `scope="${names.map((name) => `${name}:${project}`).join(" ")}"`,
    },
  );
}
