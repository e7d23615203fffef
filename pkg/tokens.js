// The access token of a client.

import { ResourceError } from "./errors.js";

// A token is renewed a minute before it expires, or after nine tenths of its lifetime if that is earlier.
const MARGIN = 60_000;
// New calls do not wait longer than this for a token request. In a Worker it may have ended with the request that
// started it, and would never settle.
const PATIENCE = 5000;

/** The access token of a client: one token request for all calls that wait, and renewal before the token expires. */
export class Tokens {
  #source;
  #token;
  /** When to renew it, and when it expires. */
  #due = Infinity;
  #end = Infinity;
  #fetching;
  #began = 0;
  #refused = false;

  constructor(source, token) {
    this.#source = source;
    this.#token = token;
  }

  get renewable() {
    return this.#source !== undefined;
  }

  /** The token, or the promise of one. */
  get() {
    const token = this.#token;
    const now = Date.now();
    if (token !== undefined && now < this.#due) return token;
    if (this.#fetching === undefined || Math.abs(now - this.#began) > PATIENCE) this.#fetch(now);
    if (token === undefined || now >= this.#end) return this.#fetching;
    // The old token is still valid, so the call does not fail if the renewal fails.
    return this.#fetching.catch((error) => {
      if (this.#token !== token) throw error;
      return token;
    });
  }

  #fetch(now) {
    this.#began = now;
    const fetching = this.#renew().finally(() => {
      if (this.#fetching === fetching) this.#fetching = undefined;
    });
    this.#fetching = fetching;
  }

  /** Drops a token that the service rejected, so that the next call requests another. */
  refuse(token) {
    if (this.#token !== token) return;
    this.#token = undefined;
    this.#refused = true;
  }

  async #renew() {
    const now = Date.now();
    const { token, expiresIn } = await this.#source(this.#refused);
    this.#token = checkToken(token);
    const life = expiresIn * 1000;
    this.#end = life >= 0 ? now + life : Infinity;
    this.#due = this.#end - Math.min(MARGIN, life / 10 || 0);
    this.#refused = false;
    return token;
  }
}

/** Checks a token and returns it. The error contains no part of the token. */
export function checkToken(token) {
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new ResourceError("unexpected", "The token is not printable ASCII without spaces.");
}
