// Shared by the tests of views: a service in memory with two clients, and what views show.

import assert from "node:assert/strict";

import { ResourceClient } from "../../pkg/dist/node.js";
import { createService } from "../../pkg/dist/testing/index.js";
import { eventually } from "../support/waiting.mjs";

export const draft = (id, custom = "red") => ({ id, custom, objectTypeProperty: {} });
export const RED = { where: 'custom = "red"' };

/** Starts a service, with a client whose views are tested and a client of somebody else. */
export async function start(t, options = {}) {
  const service = await createService(options);
  const client = new ResourceClient({ ...service.clientOptions(), retry: { baseDelay: 1, retries: 1 } });
  const other = new ResourceClient(service.clientOptions());
  t.after(() => {
    client.close();
    service.close();
  });
  const requests = (operation) => service.requests.filter((request) => request.operation === operation);
  const sockets = () => requests("changes").filter(({ status }) => status === 101).length;
  return { service, client, other, requests, sockets };
}

/** Subscribes to a view until the test ends. Returns its snapshots as short texts. */
export function shown(t, view) {
  const texts = [];
  const unsubscribe = view.subscribe(({ status, items }) =>
    texts.push(`${status} ${items.map(({ id, version }) => `${id}${version}`).join()}`),
  );
  t.after(() => {
    unsubscribe();
    view.close();
  });
  return texts;
}

/** Subscribes to views until the test ends, and waits until they are live. */
export async function open(t, ...views) {
  for (const view of views) shown(t, view);
  for (const view of views) await isLive(view);
}

export const isLive = (view) => eventually(() => assert.equal(view.getSnapshot().status, "live"));
export const ids = (view) => view.getSnapshot().items.map(({ id }) => id);
