// A restore on the real runtime, which ends objects and starts them, with a past that the tests keep: the local
// platform has none.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import {
  ROOT,
  bash,
  eventually,
  folder,
  kvEqualsTruth,
  kvOf,
  pathWithNpx,
  project,
  startForTests,
  startIn,
} from "./support.mjs";

const worker = startForTests({ past: true });
// An object that ends is no trap of the instance, which other objects share.
after(() => assert.ok(!worker.log.some((line) => line.includes('"event":"trap"')), worker.log.join("\n")));

const restore = (name, query) => worker.call(`POST /${name}/restore?confirm=${name}&${query}`);

/** Returns the fresh reads of the project. */
async function reads(name) {
  const targets = ["a", "b", "c", "key=k", "key=kb", "key=moved"];
  const fresh = targets.map(async (target) => (await worker.fresh(`GET /${name}/resource/${target}`)).text);
  return [...(await Promise.all(fresh)), ...(await states(name))];
}

/** Returns the lines of the project's states. A restore begins a new history. */
const states = async (name) =>
  (await worker.pages(name)).flatMap((page) => page.split("\n").filter((line) => line && !line.startsWith('{"end":')));

async function write(line, body) {
  const { status, text } = await worker.call(line, { body });
  assert.ok(status === 200 || status === 201, `${line} ${text}`);
}

/** Creates a project, keeps it, and changes it. Returns what was read before and after the change. */
async function changed() {
  const name = project();
  const at = `/${name}/resource`;
  await write(`POST ${at}`, { id: "a", key: "k", objectTypeProperty: { arrayOfIntExample: [1] } });
  await write(`POST ${at}`, { id: "b", key: "kb", objectTypeProperty: {} });
  await eventually(() => kvEqualsTruth(worker, name));
  const kept = await worker.around(`POST /__keep?project=${name}`);
  const before = await reads(name);
  await write(`POST ${at}`, { id: "a", key: "moved", objectTypeProperty: { arrayOfIntExample: [2] } });
  await write(`DELETE ${at}/b`);
  await write(`POST ${at}`, { id: "c", objectTypeProperty: {} });
  await eventually(() => kvEqualsTruth(worker, name));
  return { name, kept, before, after: await reads(name) };
}

test("a restore sets the project back, repairs KV, and is undone by its bookmark", async () => {
  const { name, kept, before, after } = await changed();
  await worker.around("GET /__called");
  const done = await restore(name, `time=${new Date(kept.time).toISOString()}`);
  assert.deepEqual([done.status, Object.keys(done.json)], [200, ["undo"]], done.text);
  assert.deepEqual(await worker.around("GET /__called"), [
    ["getBookmarkForTime", kept.time],
    ["onNextSessionRestoreBookmark", kept.bookmark],
    ["abort"],
  ]);
  assert.deepEqual(await reads(name), before);
  assert.equal((await worker.call(`HEAD /${name}/resource?where=arrayOfIntExample+contains+any+(1)`)).status, 200);
  // The alarm of the restored time never rings. The sweep begins at once nevertheless, and repeats after a minute.
  await eventually(() => kvEqualsTruth(worker, name));
  assert.ok(Object.keys(await kvOf(worker, name)).includes(`r1:${name}:c`), "with a tombstone");
  await eventually(async () => {
    const { lastSweepAt, nextSweepAt } = (await worker.call(`GET /${name}/status`)).json;
    assert.ok(Math.abs(Date.parse(nextSweepAt) - Date.parse(lastSweepAt) - 60_000) < 1_000, nextSweepAt);
  });
  const undone = await restore(name, `bookmark=${done.json.undo}`);
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual(await worker.around("GET /__called"), [["onNextSessionRestoreBookmark", done.json.undo], ["abort"]]);
  assert.deepEqual(await reads(name), after);
  await eventually(() => kvEqualsTruth(worker, name));
});

test("a restore is refused while another one has begun", async () => {
  const { name, kept, before } = await changed();
  await worker.around("GET /__called");
  await worker.around("POST /__hold?calls=true");
  const first = restore(name, `bookmark=${kept.bookmark}`);
  const begun = [["onNextSessionRestoreBookmark", kept.bookmark]];
  await eventually(async () => assert.deepEqual(await worker.around("GET /__called"), begun));
  const second = await restore(name, `bookmark=${kept.bookmark}`);
  assert.deepEqual([second.status, Number(second.headers["retry-after"]) > 0], [503, true], second.text);
  await worker.around("POST /__hold?calls=false");
  assert.equal((await first).status, 200);
  assert.deepEqual(await reads(name), before);
});

test("a restore that the platform refuses changes nothing", async (t) => {
  const own = await startIn(t, { past: true });
  const name = project();
  assert.equal((await own.create(name, "a")).status, 201);
  const { end } = JSON.parse((await own.call(`GET /${name}/export`)).text.trimEnd().split("\n").at(-1));
  const isValid = async () =>
    assert.equal((await own.call(`GET /${name}/changes?after=${end}`)).status, 200, "the position is valid");
  for (const at of ["bookmark=unknown", `time=${new Date(Date.now() - 60_000).toISOString()}`]) {
    for (let round = 0; round < 2; round += 1) {
      const { status, json } = await own.call(`POST /${name}/restore?confirm=${name}&${at}`);
      assert.deepEqual([status, json.errors[0].code], [400, "InvalidOperation"]);
      await isValid();
    }
    // The next start of the object reads what the refusal left.
    await own.restart();
    await isValid();
  }
});

test("the guide's standby follows its source, and ends when that is restored", async () => {
  const { name, kept } = await changed();
  const [, command] = readFileSync(join(ROOT, "src/guide/operate/operations.md"), "utf8")
    .split("\n### Standby\n")[1]
    .match(/```sh\n(.*?)```/s);
  const [TO, cwd] = [project(), folder()];
  const RESOURCE_EDGE_TOKEN = await worker.token(TO, `manage_test:${name} manage_test`);
  const addresses = { RESOURCE_EDGE_URL: worker.address, STANDBY: worker.address };
  const env = { ...process.env, ...addresses, RESOURCE_EDGE_TOKEN, FROM: name, TO, PATH: pathWithNpx() };
  const run = () => promisify(execFile)("bash", ["-uc", command], { cwd, env });
  const follow = async () => {
    await run();
    assert.deepEqual(await states(TO), await states(name));
    return readFileSync(join(cwd, "position"), "utf8");
  };
  const first = await follow();
  assert.equal(await follow(), first);
  // Two pages, and one that an import takes in two requests.
  for (const id of ["d", "e", "d"])
    await write(`POST /${name}/resource`, { id, custom: "x ".repeat(70_000), objectTypeProperty: {} });
  const second = await follow();
  assert.notEqual(second, first);
  await restore(name, `bookmark=${kept.bookmark}`);
  for (let round = 0; round < 2; round += 1) {
    const before = await states(TO);
    await assert.rejects(run, ({ stderr, code }) => code === 1 && stderr.includes('"code":"HistoryChanged"'));
    assert.deepEqual([await states(TO), readFileSync(join(cwd, "position"), "utf8")], [before, second]);
    await write(`POST /${name}/resource`, { id: "later", objectTypeProperty: {} });
  }
});

test("the guide's command sends a restore", async () => {
  const { name, kept, before } = await changed();
  const [, command] = readFileSync(join(ROOT, "src/guide/operate/operations.md"), "utf8")
    .split("\n### To a moment of the last 30 days\n")[1]
    .match(/```sh\n(.*?)```/s);
  const time = { FROM: name, TIME: new Date(kept.time).toISOString() };
  const service = { RESOURCE_EDGE_URL: worker.address, RESOURCE_EDGE_TOKEN: await worker.token(name) };
  const printed = await bash(command, { ...service, ...time, PATH: pathWithNpx() });
  assert.match(printed, / --bookmark undo-/);
  assert.deepEqual(await reads(name), before);
});

test("the object completes a restore without a call, and accepts no write that the restore would lose", async () => {
  const { name, kept, before } = await changed();
  const { end } = JSON.parse((await worker.call(`GET /${name}/export`)).text.trimEnd().split("\n").at(-1));
  await worker.around("POST /__lose?calls=3");
  const pending = await restore(name, `bookmark=${kept.bookmark}`);
  assert.equal(pending.status, 503, pending.text);
  const logged = new RegExp(`"event":"restore","about":"${name}","undo":"undo-\\d+"`);
  await eventually(() => assert.ok(worker.log.some((line) => logged.test(line))));
  for (const line of [`POST /${name}/resource`, `GET /${name}/resource`]) {
    const body = line.startsWith("POST") ? { objectTypeProperty: {} } : undefined;
    const { status, headers } = await worker.call(line, { body });
    assert.deepEqual([status, Number(headers["retry-after"]) > 0], [503, true]);
  }
  await eventually(async () => assert.deepEqual(await reads(name), before));
  assert.equal((await worker.call(`GET /${name}/export?after=${end}`)).status, 410, "a position of before the restore");
  const repeated = await restore(name, `bookmark=${kept.bookmark}`);
  assert.equal(repeated.status, 200, repeated.text);
  assert.deepEqual(await reads(name), before);
});
