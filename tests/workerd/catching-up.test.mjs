// A follower that was away for many writes and deletions, against the built Worker.

import assert from "node:assert/strict";
import { test } from "node:test";

import { watch } from "../../pkg/dist/live.js";
import { clientOf } from "../package/clients.mjs";
import { project, startIn, stateLine } from "./support.mjs";

/** How many resources the follower has before. It misses seven changes for every four of them. */
const RESOURCES = Number(process.env.RESOURCES ?? 4_000);
/** The lines of an import. */
const LINES = 500;

/** Imports changes, a millisecond after each other. Each is the ID and the version of a resource, or of a deletion. */
async function importChanges(worker, name, begin, changes) {
  for (let done = 0; done < changes.length; done += LINES) {
    const lines = changes.slice(done, done + LINES).map(([id, version, isDeleted], number) => {
      const at = begin + done + number;
      if (!isDeleted) return stateLine(id, version, at);
      return JSON.stringify({ deletedAt: new Date(at).toISOString(), id, version });
    });
    const { json, text } = await worker.import(name, `${lines.join("\n")}\n`);
    assert.deepEqual([json?.imported, json?.isDone], [lines.length, true], text);
  }
}

/** Follows a project from a position to the present one, and changes the copy. Returns the position. */
async function catchUp(client, copy, after) {
  for await (const change of watch(client, { after, transport: "wait" })) {
    if (change.type === "set") copy.set(change.id, JSON.stringify(change.resource));
    else if (change.type === "ready") return change.position;
    else if (change.type !== "reset") copy.delete(change.id);
  }
  throw new Error("the follower ended");
}

test("a follower that was away for many writes and deletions catches up", { timeout: 600_000 }, async (t) => {
  const worker = await startIn(t, { faulty: true });
  const name = project();
  const client = await clientOf(worker, name);
  t.after(() => client.close());
  const begin = Date.now() - 600_000;
  const numbers = Array.from({ length: RESOURCES }, (_, number) => number);
  const created = numbers.map((number) => [`r${number}`, 1]);
  await importChanges(worker, name, begin, created);
  const copy = new Map();
  const position = await catchUp(client, copy);
  assert.equal(copy.size, RESOURCES);
  // Every other resource is updated and the rest are deleted, others are created, and every other of those is deleted.
  const missed = [];
  for (const number of numbers) {
    if (number % 2 === 0) missed.push([`r${number}`, 2], [`r${number + 1}`, 1, true]);
    else missed.push([`n${number}`, 1]);
    if (number % 4 === 3) missed.push([`n${number}`, 1, true]);
  }
  t.diagnostic(`the follower missed ${missed.length} changes`);
  await importChanges(worker, name, begin + RESOURCES, missed);
  const exported = (await worker.pages(name)).join("").trimEnd().split("\n");
  const records = exported.filter((line) => line.startsWith('{"id":"')).sort();
  const sorted = (/** @type {Map<string, string>} */ map) => [...map.values()].sort();
  // The test would notice a feed without deletions.
  await worker.control({ lostDeletions: true });
  const broken = new Map(copy);
  await catchUp(client, broken, position);
  assert.notDeepEqual(sorted(broken), records);
  await worker.control({ lostDeletions: false });
  await catchUp(client, copy, position);
  assert.deepEqual(sorted(copy), records);
});
