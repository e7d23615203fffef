// Checks of the options of a client, and what Rust gets of them.

import { type OptionsMessage, RETRY } from "../generated/messages.js";
import { wrongOption } from "./errors.js";
import { toText } from "./input.js";
import type { ClientOptions } from "./options.js";
import type { DeclaredResource } from "../own/resource.js";

type Retry = typeof RETRY;

const LOCATION = ["projectKey", "region", "cloudProvider", "domain", "baseUrl"] as const;
/** The names of all options. */
const OPTIONS: { readonly [Name in keyof ClientOptions]-?: 1 } = {
  projectKey: 1,
  resource: 1,
  region: 1,
  cloudProvider: 1,
  domain: 1,
  baseUrl: 1,
  token: 1,
  credentials: 1,
  timeout: 1,
  attemptTimeout: 1,
  maxAge: 1,
  retry: 1,
  headers: 1,
  fetch: 1,
  WebSocket: 1,
  onRequest: 1,
  onResponse: 1,
  onRetry: 1,
};

/**
 * Throws if the options are no object, or an option has another name. Suggests those whose names contain it, such as
 * `baseUrl` for `url`.
 */
export function checkOptions(options: ClientOptions<any>) {
  if (typeof options !== "object" || options === null) throw wrongOption("The options of a client must be an object.");
  const known = Object.keys(OPTIONS);
  for (const wrong of Object.keys(options)) {
    if (known.includes(wrong)) continue;
    const near = known.filter((name) => name.toLowerCase().includes(wrong.toLowerCase()));
    throw wrongOption(`Unknown option '${wrong}'. Expected ${(near[0] ? near : known).join(", ")}.`);
  }
  const resource: unknown = options.resource;
  if (resource != null && !(resource as Partial<DeclaredResource<object>>).declaration)
    throw wrongOption('resource: expected the result of a call such as resource(resources, "product").');
}

/** Returns a number of seconds that a caller gave; by default 0. */
export function checkAge(maxAge: unknown = 0) {
  if (!Number.isInteger(maxAge) || (maxAge as number) < 0)
    throw wrongOption("maxAge: expected a whole number of seconds.");
  return maxAge as number;
}

/** How often and how soon to retry, as whole numbers. */
function retryNumbers(retry: ClientOptions["retry"]) {
  const given: Partial<Retry> = retry === false ? { retries: 0 } : (retry ?? {});
  const numbers = { ...RETRY };
  for (const key in RETRY) {
    const name = key as keyof Retry;
    const value = given[name] ?? RETRY[name];
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32)
      throw wrongOption(`retry.${name}: expected a whole number.`);
    numbers[name] = value;
  }
  return numbers;
}

/** Returns the options that Rust gets: the location of the service, and the retries. */
export function optionsMessage(options: ClientOptions<any>): OptionsMessage {
  const message = retryNumbers(options.retry) as OptionsMessage;
  for (const name of LOCATION) message[name] = toText(name, options[name] ?? "");
  return message;
}
