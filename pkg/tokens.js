// The access token of a client.

import { ResourceError } from "./errors.js";

/**
 * Returns a token and its lifetime in seconds. `rejected` is true if the service rejected the last one.
 * @typedef {(rejected: boolean) => Promise<{ token?: unknown, expiresIn?: number }>} Source
 */

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
  /** @type {Promise<string> | undefined} */
  #fetching;
  #began = 0;
  #rejected = false;

  /**
   * @param {Source | undefined} source
   * @param {string} [token]
   */
  constructor(source, token) {
    this.#source = source;
    this.#token = token;
  }

  get renewable() {
    return this.#source !== undefined;
  }

  /** Returns the token, or the promise of one. */
  get() {
    const token = this.#token;
    const now = Date.now();
    if (token !== undefined && now < this.#due) return token;
    if (this.#fetching === undefined || Math.abs(now - this.#began) > PATIENCE) this.#fetch(now);
    if (token === undefined || now >= this.#end) return this.#fetching;
    // The old token is still valid, so the call does not fail if the renewal fails.
    return this.#fetching?.catch((error) => {
      if (this.#token !== token) throw error;
      return token;
    });
  }

  /** @param {number} now */
  #fetch(now) {
    this.#began = now;
    const fetching = this.#renew().finally(() => {
      if (this.#fetching === fetching) this.#fetching = undefined;
    });
    this.#fetching = fetching;
  }

  /**
   * Drops a token that the service rejected, so that the next call requests another.
   * @param {string | undefined} token
   */
  reject(token) {
    if (this.#token !== token) return;
    this.#token = undefined;
    this.#rejected = true;
  }

  async #renew() {
    const now = Date.now();
    const { token: given, expiresIn = NaN } = (await this.#source?.(this.#rejected)) ?? {};
    const token = checkToken(given);
    this.#token = token;
    const life = expiresIn * 1000;
    this.#end = life >= 0 ? now + life : Infinity;
    this.#due = this.#end - Math.min(MARGIN, life / 10 || 0);
    this.#rejected = false;
    return token;
  }
}

/**
 * Checks a token and returns it. The error contains no part of the token.
 * @param {unknown} token
 */
export function checkToken(token) {
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new ResourceError("unexpected", "The token is not printable ASCII without spaces.");
}
