// Sends the items of an import, a few at a time.

import { ResourceError, type ResourceClient, type ResourceDraft } from "../../pkg/browser.js";
import type { Item } from "../../pkg/items/json.js";
import type { ResourceModel } from "../fields.js";
import { failedItem, validateItem, type FailedItem, type ItemProblem } from "./items.js";
import { repeatable } from "../repeat.js";
import type { Task } from "../task.js";

const TOGETHER = 16;

/** The actions on an item whose resource already exists. */
export const MODES = {
  update: "Update it: the file's values replace the stored ones",
  create: "Skip it: create only missing resources",
  version: "Update it only if its version matches the file's",
};

export type Mode = keyof typeof MODES;
export type ImportChoices = { mode: Mode; fresh: boolean };
export type Counts = { done: number; created: number; updated: number; skipped: number; failed: number };

/**
 * `progress(counts)` receives the results so far. The task waits if nothing can be sent (no connection, no permission),
 * and then continues with the same items.
 */
export type SenderOptions = ImportChoices & {
  client: ResourceClient;
  model: ResourceModel;
  task: Task;
  progress: (counts: Counts) => void;
};

/** Sends a limited number of items at a time. */
export class Sender {
  counts: Counts = { done: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  failures: FailedItem[] = [];
  #options;
  #busy = new Set<Promise<void>>();
  /** The last task of each ID and key. Items of the same resource are sent one after the other, in the file's order. */
  #last = new Map<string, Promise<void>>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends a valid item. Resolves once there is room for the next. */
  async add(item: Item) {
    const result = validateItem(item, this.#options.model);
    if (!result.valid) return this.#fail(item, result.issues);
    const body = result.value;
    const names = this.#options.fresh ? [] : namesOf(body);
    const task = Promise.all(names.map((name) => this.#last.get(name))).then(() => this.#send(item, body));
    this.#busy.add(task);
    for (const name of names) this.#last.set(name, task);
    void task.finally(() => {
      this.#busy.delete(task);
      for (const name of names) if (this.#last.get(name) === task) this.#last.delete(name);
    });
    if (this.#busy.size >= TOGETHER) await Promise.race(this.#busy);
  }

  idle() {
    return Promise.all(this.#busy);
  }

  async #send(item: Item, body: ResourceDraft) {
    const { client, mode, task } = this.#options;
    const request = requestOf(body, this.#options);
    let status: number | undefined;
    // An item whose response was lost is not written twice.
    const send = repeatable((draft: ResourceDraft, idempotencyKey) =>
      client.createOrUpdate(draft, {
        signal: task.signal,
        headers: request.headers,
        idempotencyKey,
        onResponse: (response) => (status = response.status),
      }),
    );
    let unsent = "Not sent: the import was canceled.";
    while (await task.goesOn()) {
      try {
        await send(request.body);
        return this.#finish(status === 201 ? "created" : "updated");
      } catch (error) {
        status = (error as { status?: number }).status;
        if (status === 412 && mode === "create") return this.#finish("skipped");
        if (status === 412) return this.#fail(item, [{ message: UNVERSIONED }], body);
        if (error instanceof ResourceError && !isHalting(error)) return this.#fail(item, reasonsOf(error), body);
        if (status === undefined) unsent = UNKNOWN;
        task.halt(error);
      }
    }
    this.#fail(item, [{ message: unsent }], body);
  }

  #fail(item: Item, problems: readonly ItemProblem[], body?: ResourceDraft) {
    this.failures.push(failedItem(item, problems, this.#options.model, body));
    this.#finish("failed");
  }

  #finish(kind: "created" | "updated" | "skipped" | "failed") {
    this.counts.done++;
    this.counts[kind]++;
    this.#options.progress(this.counts);
  }
}

/** Returns the body and the headers of an item's request. */
function requestOf(body: ResourceDraft, { mode, fresh }: ImportChoices) {
  const { id, version, key, ...rest } = body;
  if (fresh) return { body: rest, headers: undefined };
  const named = { ...(id == null ? {} : { id }), ...(key == null ? {} : { key }), ...rest };
  if (mode === "version" && version != null) return { body: { ...named, version }, headers: undefined };
  // Without a version, the file cannot show that it is based on the existing resource. Such an item can only be
  // created.
  return { body: named, headers: mode === "update" ? undefined : { "If-None-Match": "*" } };
}

/** Returns the names under which a body identifies its resource. */
function namesOf({ id, key }: ResourceDraft) {
  const names = [];
  if (id != null) names.push(`id ${id}`);
  if (key != null) names.push(`key ${key}`);
  return names;
}

const UNVERSIONED = "The resource already exists, and this item has no version to compare. Nothing was changed.";
const UNKNOWN =
  "The item was sent, but the import was canceled before the response arrived. The service may have saved the item.";

function reasonsOf({ kind, errors, message }: ResourceError): readonly ItemProblem[] {
  if (kind === "aborted") return [{ message: UNKNOWN }];
  return errors.length > 0 ? errors : [{ message }];
}

/** Returns whether the failure is independent of the item, so that the next item would fail too. */
function isHalting(error: ResourceError) {
  if (error.kind === "aborted") return false;
  return (
    ["network", "timeout", "unexpected"].includes(error.kind) ||
    error.retryable ||
    error.status === 401 ||
    error.status === 403
  );
}
