// Relevance depends on what a project contains, not on how it came about: a project with a long history, its import,
// and its rebuilt index return the same pages. The totals by which FTS5 ranks differ between versions of SQLite, so
// this runs on the real runtime.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../support/random.mjs";
import { project, startIn } from "./support.mjs";

const WORDS = ["red", "green", "blue", "amber", "teal", "ivory", "umber", "rad", "greed", "blues"];
const SEARCHES = [
  ...WORDS.map((word) => `text.en=${word}`),
  "text.en=red%20green",
  "text.en=red&fuzzy=true",
  "text.en=blue%20amber&fuzzy=true&facet=version&filter=version:range(2%20to%20*)",
  "text.en=teal&limit=3&offset=2",
];

/** Creates resources, then lets them grow, shrink, disappear, and return. */
async function age(worker, name) {
  const random = new Random(7);
  const roll = (/** @type {number} */ sides) => random.below(sides);
  const text = (count) => Array.from({ length: count }, () => random.pick(WORDS)).join(" ");
  const write = async (line, body) => {
    const { status, text: answer } = await worker.call(line, { body });
    assert.ok([200, 201, 404].includes(status), `${line}: ${status} ${answer}`);
  };
  for (let round = 0; round < 300; round += 1) {
    const id = `r${roll(30)}`;
    const at = `/${name}/resource`;
    // Mostly long texts, because the last round leaves short ones.
    const size = 1 + roll(round > 240 ? 8 : 40);
    const strings = Array.from({ length: roll(6) }, () => text(size));
    const arrays = { arrayOfStringExample: strings };
    const kind = round < 40 ? 4 : roll(6);
    if (kind === 0) await write(`DELETE ${at}/${id}`);
    else if (kind === 1) await write(`POST ${at}`, { id, objectTypeProperty: {} });
    else if (kind === 2) await write(`POST ${at}/description-with-urn-links`, { id, custom: text(size) });
    else await write(`POST ${at}`, { id, custom: text(1 + roll(5)), objectTypeProperty: arrays });
  }
}

async function copy(worker, from, to) {
  const { text: body, headers } = await worker.call(`GET /${from}/export`);
  assert.equal(headers.link, undefined, "one page");
  const answer = await worker.import(to, body);
  assert.equal(answer.status, 200, answer.text);
}

/** Returns the pages of all searches. */
async function pages(worker, name) {
  const found = {};
  for (const search of SEARCHES) {
    const { status, text } = await worker.call(`GET /${name}/resource/searchApiPattern?${search}`);
    assert.equal(status, 200, text);
    found[search] = text;
  }
  return found;
}

test("a project with a history, its import, and its rebuilt index rank alike", async (t) => {
  const worker = await startIn(t, { faulty: true });
  const [aged, imported] = [project(), project()];
  await age(worker, aged);
  const before = await pages(worker, aged);
  for (const [search, text] of Object.entries(before))
    assert.ok(JSON.parse(text).results.length > 2, `${search} ranks only ${text}`);
  await copy(worker, aged, imported);
  assert.deepEqual(await pages(worker, imported), before);

  await worker.send({ method: "POST", target: `/__reindex?project=${aged}` });
  await worker.restart();
  assert.deepEqual(await pages(worker, aged), before);
  assert.deepEqual(await pages(worker, imported), before);
});
