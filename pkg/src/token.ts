// Tokens of users, which your own server signs. The rules in resources.json say what they allow.

import { encoder } from "./core/encoders.js";
import { ISSUER, limits } from "./generated/limits.js";

/** The value of a claim. A rule compares lists by `in` and `contains any`. */
export type Claim = string | number | boolean | readonly (string | number | boolean)[];

/** What a user's token says. */
export interface UserTokenOptions {
  /** The setting `TOKEN_SECRET` of the service. Only servers may have it. */
  readonly secret: string;
  /** Who the user is: `:sub` in rules. */
  readonly user: string;
  /** The other variables of rules, by their names: `{ role: "editor" }` is `:role`. */
  readonly claims?: { readonly [name: string]: Claim } | undefined;
  /** How long the token is valid, in seconds. Default: 3600. */
  readonly expiresIn?: number | undefined;
  /** The present time in milliseconds since 1970. Default: that of the machine. */
  readonly now?: number | undefined;
}

/** The claims of every token, and the one that a server's token has. */
const RESERVED = ["iss", "aud", "sub", "client_id", "iat", "exp", "nbf", "jti", "scope"];

/**
 * Signs a token of a user with the service's secret. It has no scope, so the rules limit what it may do. For servers,
 * never for pages: a page gets the result as the response of your route, `Response.json(await userToken(…))`.
 */
export async function userToken(options: UserTokenOptions): Promise<{ token: string; expiresIn: number }> {
  const { secret, user, claims = {}, expiresIn = 3600, now = Date.now() } = options;
  if (typeof secret !== "string" || secret === "") throw new TypeError("secret: expected the setting TOKEN_SECRET.");
  checkUser(user);
  for (const [name, value] of Object.entries(claims)) checkClaim(name, value);
  if (!(expiresIn > 0 && expiresIn < Infinity)) throw new TypeError("expiresIn: expected seconds, more than 0.");
  const issued = Math.floor(now / 1000);
  const jti = base64url(crypto.getRandomValues(new Uint8Array(16)));
  const own = { iss: ISSUER, aud: ISSUER, sub: user, client_id: "users", iat: issued, exp: issued + expiresIn, jti };
  const parts = [
    { typ: "at+jwt", alg: "HS256" },
    { ...claims, ...own },
  ];
  const signed = parts.map((part) => base64url(encoder.encode(JSON.stringify(part)))).join(".");
  const token = `${signed}.${base64url(await sign(secret, signed))}`;
  if (token.length > limits.tokenBytes)
    throw new TypeError(`claims: the token would have ${token.length} bytes. Expected at most ${limits.tokenBytes}.`);
  return { token, expiresIn };
}

function checkUser(user: unknown) {
  const most = limits.tokenNameBytes;
  const isName = typeof user === "string" && /^\P{Cc}+$/u.test(user) && encoder.encode(user).length <= most;
  if (!isName) throw new TypeError(`user: expected 1 to ${most} bytes of text without control characters.`);
}

function checkClaim(name: string, value: unknown) {
  if (RESERVED.includes(name))
    throw new TypeError(`claims.${name}: the function sets it, or a user's token has none. Expected another name.`);
  const isSimple = (one: unknown) => typeof one === "string" || typeof one === "boolean" || Number.isFinite(one);
  if (!(Array.isArray(value) ? value.every(isSimple) : isSimple(value)))
    throw new TypeError(`claims.${name}: expected a text, a number, true, false, or a list of them.`);
}

async function sign(secret: string, text: string) {
  // jsdom's `crypto` lacks it. Not an import, because bundlers resolve every import that they find.
  const subtle = crypto.subtle ?? globalThis.process?.getBuiltinModule?.("node:crypto").webcrypto.subtle;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", key, encoder.encode(text)));
}

/** Returns bytes in the alphabet of tokens, without padding. */
function base64url(bytes: Uint8Array) {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
