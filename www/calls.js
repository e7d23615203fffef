// Which of the client's methods an exchange came from, and with what: each call bears a correlation id of its own, under
// which the service's log has it too.

import { ResourceClient } from "./pkg/browser.js";
import { operations } from "./pkg/operations.js";

const KEPT = 500;
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
    const name = options.headers?.[HEADER] ?? `console-${identifier()}`;
    const told = Object.fromEntries(Object.entries(options).filter(([option]) => TOLD.includes(option)));
    calls.set(name, { method, args: [...args.slice(0, last), ...Array(Math.max(last - args.length, 0)), Object.keys(told).length === 0 ? undefined : told] });
    if (calls.size > KEPT) calls.delete(calls.keys().next().value);
    const all = [...args];
    all[last] = { ...options, headers: { ...options.headers, [HEADER]: name } };
    return call.apply(this, all);
  };
}

/** The call that an exchange came from; undefined for what no client sent, such as signing in. */
export function callOf({ requestHeaders }) {
  return calls.get(Object.entries(requestHeaders).find(([name]) => name.toLowerCase() === HEADER.toLowerCase())?.[1]);
}

/** Forgets every call. */
export const forgetCalls = () => calls.clear();

function identifier() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
