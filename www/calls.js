// Which of the client's methods an exchange came from, and with what: each call bears a correlation id of its own,
// under which the service's log has it too.

import { ResourceClient } from "./pkg/browser.js";
import { operations } from "./pkg/operations.js";
import { randomHex } from "./random.js";

const KEPT = 500;
// Stands for a body, which the exchange itself has: it may be large, and is kept once.
const BODY = Symbol("body");
const HEADER = "X-Correlation-ID";
// What a call is, and not what surrounds it (a signal, a timeout, a key for this one time).
const TOLD = ["fresh", "respondAsync", "headers"];
const calls = new Map();

/** The package's client; its calls can be told from their exchanges. */
export class NotedClient extends ResourceClient {}

for (const method of Object.keys(operations)) {
  const call = ResourceClient.prototype[method];
  // The options come last.
  const last = call.length - 1;
  NotedClient.prototype[method] = function noted(...args) {
    const options = args[last] ?? {};
    const name = options.headers?.[HEADER] ?? `console-${randomHex(12)}`;
    calls.set(name, { method, args: remembered(operations[method], args, last) });
    if (calls.size > KEPT) calls.delete(calls.keys().next().value);
    const all = [...args];
    all[last] = { ...options, headers: { ...options.headers, [HEADER]: name } };
    return call.apply(this, all);
  };
}

/** A call's arguments as they are kept, the options last. */
function remembered({ body }, args, last) {
  const kept = Array.from({ length: last }, (_, at) => args[at]);
  const at = body === undefined ? -1 : kept.findIndex((arg) => typeof arg === "object" && arg !== null);
  if (at >= 0) kept[at] = BODY;
  const told = Object.entries(args[last] ?? {}).filter(
    ([option, value]) => TOLD.includes(option) && value !== undefined,
  );
  return [...kept, told.length === 0 ? undefined : Object.fromEntries(told)];
}

/**
 * The call that an exchange came from; undefined for what no client sent, such as signing in, and where its body is
 * gone.
 */
export function callOf({ requestHeaders, requestBody }) {
  const [, name] =
    Object.entries(requestHeaders).find(([header]) => header.toLowerCase() === HEADER.toLowerCase()) ?? [];
  const call = calls.get(name);
  if (call === undefined) return undefined;
  try {
    return { ...call, args: call.args.map((arg) => (arg === BODY ? JSON.parse(requestBody) : arg)) };
  } catch {
    // Cut, since it was long.
    return undefined;
  }
}

/** Forgets every call. */
export const forgetCalls = () => calls.clear();
