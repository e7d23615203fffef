// Fills the collections that reads, queries, and updates use.
import { Sender } from "./sender.mjs";
import { seedBody, seedId } from "./workloads.mjs";

const KV_TRIES = 120;

const product = (serial) =>
  JSON.stringify({ id: seedId(serial), title: `product ${serial}`, price: serial, status: "active", tags: ["a", "b"] });

/** Waits until KV has the resources. */
async function waitUntilReplicated(instance, project, count) {
  for (let tries = 0; tries < KV_TRIES; tries += 1) {
    if ((await instance.list(`r1:${project}:`)).length === count) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${instance.name}: KV does not have all resources after a minute`);
}

/** Creates the resources of a collection; of the cold one the first, which KV copies for each other ID. */
export async function seed(instance, project, token, size) {
  const count = project === "cold" ? 1 : size;
  const sender = new Sender(instance, project, token, 1);
  const bodyOf = project === "catalogue" ? product : seedBody;
  // One after the other, so that the order of creation is the same for all sides.
  for (let serial = 0; serial < count; serial += 1) await sender.send(201, "POST", "", bodyOf(serial));
  sender.close();
  await waitUntilReplicated(instance, project, count);
  if (project === "cold") await instance.copyForAll(`r1:${project}:`, seedId(0));
}
