// After a quiet period, KV equals the source of truth.

import { setTimeout as pause } from "node:timers/promises";
import { send } from "./http.mjs";

/**
 * The maximum time of replication after the last fault, in the service's milliseconds: a pause between two attempts,
 * and a put that is repeated a minute after a put with an unknown outcome. Also the time that this machine needs for
 * it.
 */
const SERVICE_MS = 200_000;
const MACHINE_MS = 10_000;

async function get(origin, path, token) {
  const { status, text } = await send(origin, { path, headers: { Authorization: `Bearer ${token}` } }, MACHINE_MS);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return JSON.parse(text);
}

/** Returns every entry that KV should have, from the source of truth. */
async function truthOf(origin, project, token) {
  const truth = new Map();
  for (let last = ""; ; ) {
    const where = encodeURIComponent(`id > ${JSON.stringify(last)}`);
    const path = `/${project}/resource/sorted-query-parameters?sort=id&limit=500&withTotal=false&where=${where}`;
    const { results } = await get(origin, path, token);
    for (const record of results) {
      const revision = Date.parse(record.lastModifiedAt);
      truth.set(`r1:${project}:${record.id}`, { value: JSON.stringify(record), revision });
      if (record.key !== undefined) truth.set(`k1:${project}:${record.key}`, { value: record.id });
    }
    if (results.length < 500) return truth;
    last = results.at(-1).id;
  }
}

/** Returns the KV entries that differ from the source of truth. */
export function differences(truth, kv, project) {
  const names = new Set([...truth.keys(), ...kv.names(`r1:${project}:`), ...kv.names(`k1:${project}:`)]);
  const differing = [];
  for (const name of names) {
    const { value, metadata, deleted, orphan } = kv.current(name);
    const said = metadata === null ? {} : JSON.parse(metadata);
    const told = deleted || said.deleted ? undefined : value;
    const expected = truth.get(name);
    const revision = expected?.revision === undefined || told === undefined || said.revision === expected.revision;
    if (told !== expected?.value || !revision)
      differing.push({ entry: name, kv: told ?? null, truth: expected?.value ?? null, late: orphan === true });
  }
  return { compared: names.size, differing };
}

/**
 * Waits until KV equals the source of truth. After a timeout, returns the differences as an entry of the
 * history.
 */
export async function quiet({ project, kv, origin, token, speed }) {
  while (kv.pending > 0) await pause(20);
  const truth = await truthOf(origin, project, token);
  const end = Date.now() + SERVICE_MS / speed + MACHINE_MS;
  for (;;) {
    const { compared, differing } = differences(truth, kv, project);
    if ((differing.length === 0 && kv.pending === 0) || Date.now() > end)
      return { type: "kv", project, compared, differing };
    await pause(100);
  }
}
