// Fills the collections that reads, queries, and updates use.
import { Sender } from "./sender.mjs";
import { seedBody } from "./workloads.mjs";

const KV_TRIES = 120;

async function fill(instance, project, count, token) {
  const sender = new Sender(instance, project, token, 1);
  const seeds = [];
  // One after the other, so that the order of creation is the same for all sides.
  for (let serial = 0; serial < count; serial += 1) {
    const { id, key } = await sender.send(201, "POST", "", seedBody(serial));
    seeds.push({ id, key });
  }
  sender.close();
  return seeds;
}

/** Waits until KV has the resources and their keys. */
async function waitUntilReplicated(instance, project, count) {
  for (let tries = 0; tries < KV_TRIES; tries += 1) {
    const found = await Promise.all([instance.entries(`r1:${project}:`), instance.entries(`k1:${project}:`)]);
    if (found.every((names) => names.length === count)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${instance.name}: KV does not have all resources after a minute`);
}

/** Creates the resources of each collection and returns their IDs and keys by its name. */
export async function seed(instance, sizes, tokenOf) {
  const seeds = {};
  for (const [project, count] of Object.entries(sizes))
    seeds[project] = await fill(instance, project, count, tokenOf(project));
  for (const [project, count] of Object.entries(sizes)) await waitUntilReplicated(instance, project, count);
  return seeds;
}
