// The access token of a client.

import { CallTime } from "./call-time.js";
import { copyError, ResourceError } from "./errors.js";
import { describe } from "./input.js";
import type { ServiceResponse } from "./response.js";
import { abort, type Waiting } from "./signals.js";

/**
 * Returns a token and its lifetime in seconds; or the response with which the token endpoint refused a token, and how
 * long to wait before the next request, in milliseconds. `rejected` is true if the service rejected the last token.
 * `ended` aborts when no call waits for the token any longer.
 */
export type TokenSource = (
  rejected: boolean,
  ended: Waiting,
) => Promise<{
  token?: unknown;
  expiresIn?: number;
  refusal?: ServiceResponse;
  pause?: number;
}>;

// A token is renewed a minute before it expires, or after nine tenths of its lifetime if that is earlier.
const MARGIN = 60_000;
// New calls do not join a token request that is older. In a Worker it may have ended with the request that started it,
// and would never settle.
const PATIENCE = 5000;
// A pause counts as over this much earlier, in milliseconds: a timer may ring early, and the call that it wakes must
// not use up another attempt.
const EARLY = 10;

/**
 * The access token of a client: one token request for all calls that wait, and renewal before the token expires. After
 * a transient failure, there is no token request until the pause is over. The calls decide whether to wait.
 */
export class Tokens {
  #source;
  #token;
  /** When to renew it, and when it expires. */
  #due = Infinity;
  #end = Infinity;
  #request: TokenRequest | undefined;
  #rejected = false;
  #refusal: { response: ServiceResponse; began: number; pause: number } | undefined;

  constructor(source: TokenSource | undefined, token?: string) {
    this.#source = source;
    this.#token = token;
  }

  get renewable() {
    return this.#source !== undefined;
  }

  /** The whole seconds for which the token is valid; `undefined` if that is unknown. */
  get expiresIn() {
    return this.#end < Infinity ? Math.max(0, Math.floor((this.#end - Date.now()) / 1000)) : undefined;
  }

  /**
   * Returns the token, or the response with which the token endpoint refused one; or a promise of either. Once the
   * signal of the call aborts, the call does not wait any longer.
   */
  get(signal: AbortSignal): string | undefined | ServiceResponse | Promise<string | ServiceResponse> {
    const token = this.#token;
    const now = Date.now();
    if (token !== undefined && now < this.#due) return token;
    const isValid = token !== undefined && now < this.#end;
    let request = this.#request;
    if (request === undefined || Math.abs(now - request.began) > PATIENCE) {
      const refusal = this.#refusedAt(now);
      if (refusal !== undefined) return isValid ? token : refusal;
      request = this.#start(now);
    }
    const given = request.wait(signal);
    if (!isValid) return given;
    // The old token is still valid, so the call does not fail if the renewal fails.
    return given.then(
      (given) => (typeof given === "string" ? given : token),
      (error) => {
        if (signal.aborted) throw error;
        return token;
      },
    );
  }

  /**
   * Drops a token that the service rejected, so that the next call requests another, if there can be another. If the
   * reason is unknown, drops it only if its lifetime is. `refresh` is what the token function learns of it.
   */
  reject(token: string | undefined, refresh = true, isKnown = true) {
    if (!this.renewable || this.#token !== token || (!isKnown && this.#end < Infinity)) return;
    this.#token = undefined;
    this.#rejected = refresh;
  }

  /**
   * Returns the endpoint's last response if the pause after it is not over. A clock that was set back ends the pause.
   */
  #refusedAt(now: number) {
    if (this.#refusal === undefined) return undefined;
    const { response, began, pause } = this.#refusal;
    const left = began + pause - now;
    return left > EARLY && left <= pause ? response.withRetryAfter(left) : undefined;
  }

  #start(now: number) {
    const renew = (ended: Waiting) => this.#renew(ended).finally(drop);
    const drop = () => {
      if (this.#request === request) this.#request = undefined;
    };
    const request = new TokenRequest(now, renew, drop);
    this.#request = request;
    return request;
  }

  async #renew(ended: Waiting) {
    const now = Date.now();
    const given = (await this.#source?.(this.#rejected, ended)) ?? {};
    const { refusal, pause = 0, expiresIn = NaN } = given;
    if (refusal !== undefined) {
      this.#refusal = { response: refusal, began: Date.now(), pause };
      return refusal.withRetryAfter(pause);
    }
    const token = checkToken(given.token);
    this.#token = token;
    const life = expiresIn * 1000;
    this.#end = life >= 0 ? now + life : Infinity;
    this.#due = this.#end - Math.min(MARGIN, life / 10 || 0);
    this.#rejected = false;
    this.#refusal = undefined;
    return token;
  }
}

/** A request for a token. It ends with the last call that waits for it. */
class TokenRequest {
  began;
  #ended = { aborted: false };
  #waiting = 0;
  #result;
  #drop;

  constructor(began: number, renew: (ended: Waiting) => Promise<string | ServiceResponse>, drop: () => void) {
    this.began = began;
    this.#drop = drop;
    this.#result = renew(this.#ended);
  }

  async wait(signal: AbortSignal) {
    this.#waiting++;
    try {
      return await new CallTime(Infinity).run(() => this.#result, [signal]);
    } catch (error) {
      // Each call has its own error.
      throw copyError(error);
    } finally {
      if (--this.#waiting === 0) {
        this.#drop();
        abort(this.#ended, undefined);
      }
    }
  }
}

/** Checks a token and returns it. The error contains no part of the token. */
export function checkToken(token: unknown) {
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  const found =
    typeof token !== "string" ? describe(token) : token === "" ? "an empty text" : "a text with another character";
  const expected = "printable ASCII without spaces, or a function that returns it, { token }, or { access_token }";
  throw ResourceError.of("unexpected", `The token is ${found}. Expected ${expected}.`);
}
