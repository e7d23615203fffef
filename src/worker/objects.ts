// The Durable Objects by name. `v1/{project}` has a project's data, `h1/{project}` its epoch, which a restore of the
// data does not reach. `p1/{project}/{n}` are helpers, which have no data: each puts to KV with separate connections.
// `r1` looks for room on a full disk.

import type { Environment, Packed, Reply } from "./types.js";

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

/** Returns a text whose characters are bytes. */
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** Returns the bytes that are the characters of a text. */
export function bytesOf(text: string) {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export const toBase64 = (bytes: Uint8Array) => btoa(textOf(bytes));
export const fromBase64 = (text: string | null) => bytesOf(atob(text ?? ""));

/** The longest message that is sent as text. A much longer one would be too many arguments of a function. */
const MESSAGE_BYTES = 4_096;
/** The longest head of a text: its length is one character. */
const HEAD_BYTES = 255;

/**
 * Returns a copy of a message, which is a view of WebAssembly memory: that moves. The platform sends a short text with
 * less work than bytes, and one text with less than a list.
 */
export const packMessage = (message: Uint8Array): Packed =>
  message.length > MESSAGE_BYTES ? message.slice() : textOf(message);

/** Returns a reply as a text, if it can be one: the length of its head, whether it has a body, the head, the body. */
export function packReply([head, body]: Reply): Reply | string {
  if (head.length > HEAD_BYTES) return [head, body];
  return `${String.fromCharCode(head.length, body === undefined ? 0 : 1)}${textOf(head)}${body ?? ""}`;
}

export function unpackReply(reply: Reply | string): Reply {
  if (typeof reply !== "string") return reply;
  const end = 2 + reply.charCodeAt(0);
  return [bytesOf(reply.slice(2, end)), reply.charCodeAt(1) === 0 ? undefined : reply.slice(end)];
}
