// The token of a client.

import { ResourceError } from "./errors.js";

// A token is renewed a minute before its end, or after nine tenths of its life where that is less.
const MARGIN = 60_000;
// A fetch of a token that takes longer is no longer waited for by calls that come: in a Worker it may have ended with the
// request that began it, and would never settle.
const PATIENCE = 5000;

/** The token of a client: one fetch for all calls that wait, renewed before its end. */
export class Tokens {
  #source;
  #token;
  /** When it is renewed, and when it holds no longer. */
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
    // It still holds: that another cannot be had yet is no reason to fail.
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

  /** The service refused the token: the next call fetches another, unless one did already. */
  refuse(token) {
    if (this.#token !== token) return;
    this.#token = undefined;
    this.#refused = true;
  }

  async #renew() {
    const now = Date.now();
    const { token, expiresIn } = await this.#source(this.#refused);
    this.#token = checked(token);
    const life = expiresIn * 1000;
    this.#end = life >= 0 ? now + life : Infinity;
    this.#due = this.#end - Math.min(MARGIN, life / 10 || 0);
    this.#refused = false;
    return token;
  }
}

/** The same, where it is a token; no word of it gets into the error. */
export function checked(token) {
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new ResourceError("unexpected", "The token is not printable ASCII without spaces.");
}
