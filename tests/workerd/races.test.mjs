// No lost update: if many concurrent writes name the same version, exactly one is performed (D17). Batches are whole.

import { test } from "node:test";
import { RACES } from "./races.mjs";
import { eventually, kvEqualsTruth, project, startForTests } from "./support.mjs";

const worker = startForTests();

/** Runs a race of races.mjs. Afterwards, KV gets what the source of truth has. */
async function run(race) {
  const name = project();
  await RACES[race](worker, name);
  await eventually(() => kvEqualsTruth(worker, name));
}

test("one of 64 concurrent updates that name one version succeeds, in each of ten rounds", () =>
  run("updates that name one version"));

test("64 concurrent posts of one key are one creation and 63 updates of one resource", () =>
  run("creations with one key"));

test("64 concurrent requests with one Idempotency-Key are performed once", () =>
  run("requests with one Idempotency-Key"));

test("64 concurrent batches with crossing keys are performed one after the other, or not at all", () =>
  run("batches with crossing keys"));
