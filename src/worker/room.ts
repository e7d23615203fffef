// Whether the disk has room, which it always has on Cloudflare. On workerd, a change for which there is no room ends
// its object and closes its sockets, even if the change is rolled back. So after the first such failure, nothing
// changes a database until a helper object, which has neither data nor sockets, finds room. The edge and all objects of
// workerd are in one isolate, so they share what is here.

import { objectOf } from "./objects.js";
import { reason } from "./reason.js";
import type { Environment, ObjectStorage } from "./types.js";

/** What SQLite reports, and `ApiError::no_room` reads. */
const FULL = "database or disk is full";

/** How much room a helper looks for, in bytes. */
export const ROOM = 1024 * 1024;

let full = false;
let rehearses = false;
/** The objects in whose rehearsals SQLite wrote, because its cache was too small. So they ended. */
const ended = new Set<string>();

export const isFull = () => full;
/** Whether changes are rolled back. */
export const isRehearsal = () => rehearses;

/** Whether the storage is on a disk of this machine, which may be full; `undefined` if the platform has not said it. */
let isLocal: boolean | undefined;
/**
 * Returns whether the storage is on a disk of this machine: only the platform's own storage has a past. Asks until the
 * platform has said it: most failures say nothing.
 */
export async function askIfLocal(storage: ObjectStorage) {
  if (isLocal !== undefined) return isLocal;
  try {
    isLocal = !(await storage.getBookmarkForTime(Date.now()));
  } catch (error) {
    if (String(error).includes("does not implement point-in-time recovery")) isLocal = true;
  }
  return isLocal;
}

/**
 * Returns why a call of an object failed. Notes if the disk is full: then an object that has ended does not start.
 * workerd gives no reason if the disk was full when it stored the changes of a call, so a helper looks for room.
 */
export async function failureOf(env: Environment, error: unknown) {
  const text = reason(error);
  full ||= text.includes(FULL);
  if (!text.startsWith("internal error")) return text;
  if (isLocal && !full) await findRoom(env);
  return full ? `${FULL}: ${text}` : text;
}

/** Throws if the disk is full. Call it before a change. */
export function claimRoom() {
  if (full && !rehearses) throw new Error(`${FULL}: nothing is written until there is room`);
}

/** Begins a rehearsal of an object, which `others` are in progress of. Throws if an earlier one ended the object. */
export function beginRehearsal(name: string, others: number) {
  if (others === 0 && ended.has(name))
    throw new Error(`${FULL}: there is no room for the index of the newest resources`);
  ended.add(name);
}

export const endRehearsal = (name: string) => ended.delete(name);

/** Runs a function whose changes are rolled back. */
export function rehearse<T>(run: () => T) {
  rehearses = true;
  try {
    return run();
  } finally {
    rehearses = false;
  }
}

/** How long a look may take. Meanwhile, other calls wait for its result instead of looking themselves. */
const PATIENCE_MS = 2_000;
let looksUntil = 0;
/** After how long a read looks again: it may need room, and perhaps nobody writes. */
const PAUSE_MS = 1_000;
let looked = 0;

/** Returns whether the last look for room is a while ago. */
export const isLookDue = () => Math.abs(Date.now() - looked) > PAUSE_MS;

/** Looks for room, and returns whether there is some. */
export async function findRoom(env: Environment) {
  if (Date.now() < looksUntil) {
    while (Date.now() < looksUntil) await new Promise((resolve) => setTimeout(resolve, 10));
    return !full;
  }
  looked = Date.now();
  looksUntil = looked + PATIENCE_MS;
  const look = objectOf(env, "r1").findRoom();
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS));
  full = !(await Promise.race([look.then(() => true).catch(() => false), late]));
  if (!full) ended.clear();
  looksUntil = 0;
  return !full;
}
