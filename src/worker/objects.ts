// The Durable Objects by name. `v1/{project}` has a project's data, `h1/{project}` its epoch, which a restore of the
// data does not reach. `p1/{project}/{n}` are helpers, which have no data: each puts to KV with separate connections.
// `r1` looks for room on a full disk.

import type { Environment, PackedReply, Reply } from "./types.js";

/**
 * Returns the object of that name, in the place and the jurisdiction of the settings. A namespace that is restricted to
 * a jurisdiction has separate objects.
 */
export function objectOf({ PROJECTS, JURISDICTION, LOCATION_HINT }: Environment, name: string) {
  const namespace = JURISDICTION === undefined ? PROJECTS : PROJECTS.jurisdiction(JURISDICTION);
  return namespace.getByName(name, LOCATION_HINT === undefined ? undefined : { locationHint: LOCATION_HINT });
}

/** Returns a helper of a project. */
export const helperOf = (env: Environment, project: string, helper: number) => objectOf(env, `p1/${project}/${helper}`);

/** Returns the object that has the epoch of a project's positions. */
export const epochObjectOf = (env: Environment, project: string) => objectOf(env, `h1/${project}`);

/** The header with a message to an object, and with the head of its reply, if it accepts a socket. */
export const MESSAGE = "X-Message";

/** The most characters of a reply that is a text: a longer one would take its memory twice. */
const PACKED = 32_768;

/**
 * Returns a reply as one text, which the platform passes in less time than an array: the length of the head, its bytes,
 * and the body. Another reply stays as it is.
 */
export function pack(reply: Reply): PackedReply {
  const [head, body] = reply;
  const text = body ?? "";
  if (typeof text !== "string" || body === "" || head.length + text.length > PACKED) return reply;
  return String.fromCharCode(head.length, ...head) + text;
}

export function unpack(reply: PackedReply): Reply {
  if (typeof reply !== "string") return reply;
  const head = new Uint8Array(reply.charCodeAt(0));
  for (let at = 0; at < head.length; at += 1) head[at] = reply.charCodeAt(1 + at);
  return [head, reply.slice(1 + head.length) || undefined];
}

export const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
export const fromBase64 = (text: string | null) => Uint8Array.from(atob(text ?? ""), (byte) => byte.charCodeAt(0));
