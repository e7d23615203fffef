// Races of writers, each in a new project: no update is lost (D17). A race throws what it finds wrong.

import assert from "node:assert/strict";

const CALLERS = 64;

const all = (run) => Promise.all(Array.from({ length: CALLERS }, (_, caller) => run(caller)));
/** Returns how many responses had each status. */
function statuses(answers) {
  const counts = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The races by what the callers send at once. `worker` sends it. */
export const RACES = {
  async "updates that name one version"(worker, name) {
    await worker.create(name, "a");
    for (let version = 1; version <= 10; version += 1) {
      const answers = await all((caller) =>
        worker.call(`POST /${name}/resource/a`, {
          body: {
            version,
            actions: [{ action: "changeSomeProperty", someProperty: `round ${version} caller ${caller}` }],
          },
        }),
      );
      assert.deepEqual(statuses(answers), { 200: 1, 409: CALLERS - 1 }, `round ${version}`);
      const winner = answers.find(({ status }) => status === 200);
      assert.equal(winner.json.version, version + 1);
      for (const { json } of answers.filter(({ status }) => status === 409)) {
        assert.equal(json.errors[0].code, "ConcurrentModification");
        assert.equal(json.errors[0].currentVersion, version + 1);
      }
      const read = await worker.fresh(`GET /${name}/resource/a`);
      assert.deepEqual(read.json, winner.json, `round ${version}: the winner's write is what is read`);
    }
  },
  async "creations with one key"(worker, name) {
    const answers = await all((caller) =>
      worker.call(`POST /${name}/resource`, { body: { key: "k", custom: `caller ${caller}`, objectTypeProperty: {} } }),
    );
    assert.deepEqual(statuses(answers), { 200: CALLERS - 1, 201: 1 });
    assert.equal(new Set(answers.map(({ json }) => json.id)).size, 1, "one resource");
    const versions = answers.map(({ json }) => json.version).sort((a, b) => a - b);
    assert.deepEqual(
      versions,
      Array.from({ length: CALLERS }, (_, index) => index + 1),
      "each version once",
    );
    const revisions = new Set(answers.map(({ headers }) => headers["resource-revision"]));
    assert.equal(revisions.size, CALLERS, "each revision once");
    const page = (await worker.call(`GET /${name}/resource`)).json;
    assert.equal(page.total, 1);
    assert.equal(page.results[0].version, CALLERS);
  },
  async "requests with one Idempotency-Key"(worker, name) {
    const headers = { "Idempotency-Key": "one" };
    const answers = await all(() =>
      worker.call(`POST /${name}/resource`, { body: { objectTypeProperty: {} }, headers }),
    );
    assert.deepEqual(statuses(answers), { 201: CALLERS });
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(answers.filter(({ headers }) => headers["idempotency-replayed"] === undefined).length, 1);
    assert.equal((await worker.call(`GET /${name}/resource`)).json.total, 1);
  },
  async "batches with crossing keys"(worker, name) {
    const write = (caller, key, id) => ({
      operation: "createOrUpdate",
      body: { id, key: `k${key % 5}`, custom: `caller ${caller}`, objectTypeProperty: {} },
    });
    const answers = await all((caller) => {
      const writes = [write(caller, caller), write(caller, caller + 1 + (caller % 4))];
      // The last write of some wants a key that the first one has just given to another resource.
      if (caller % 4 === 0) writes.push(write(caller, caller, `own-${caller}`));
      return worker.call(`POST /${name}/batch`, { body: { writes } });
    });
    assert.deepEqual(statuses(answers), { 200: (CALLERS * 3) / 4, 400: CALLERS / 4 });
    const refused = answers.filter(({ status }) => status === 400);
    assert.ok(refused.every(({ json }) => json.errors[0].code === "DuplicateField" && json.errors[0].index === 2));
    // In the order of their revisions, each has what those before it have left.
    const present = new Map();
    let newest = 0;
    const performed = answers.filter(({ status }) => status === 200);
    const revision = ({ headers }) => Number(headers["resource-revision"]);
    for (const { json } of performed.sort((one, other) => revision(one) - revision(other))) {
      for (const { status, resource } of json.results) {
        const before = present.get(resource.key);
        assert.deepEqual([status, resource.version], before ? [200, before.version + 1] : [201, 1]);
        assert.equal(resource.id, before?.id ?? resource.id);
        assert.ok(Date.parse(resource.lastModifiedAt) > newest, "no other write is between those of a batch");
        newest = Date.parse(resource.lastModifiedAt);
        present.set(resource.key, resource);
      }
    }
    const page = await worker.call(`GET /${name}/resource/sorted-query-parameters?sort=key`);
    assert.deepEqual(
      page.json.results,
      [...present.values()].sort((one, other) => (one.key < other.key ? -1 : 1)),
    );
  },
};
