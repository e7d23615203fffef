// The work of an import, without a page: reads a file's items, validates them, and sends a few at a time.

import type { Columns } from "../../pkg/items/columns.js";
import { UnknownColumns } from "../../pkg/items/csv.js";
import { itemsOf } from "../../pkg/items/items.js";
import type { ResourceModel } from "../fields.js";
import { failedItem, validateItem, type FailedItem } from "./items.js";
import { Sender, type Counts, type SenderOptions } from "./sender.js";

/** The contents of a file. `identified` counts items with an ID or a key. `fault` is why the rest cannot be read. */
export interface Checked {
  total: number;
  valid: number;
  identified: number;
  failures: FailedItem[];
  fault: string | undefined;
  /** The names in the first row of a CSV file, if some of them are those of no field. */
  columns?: readonly string[];
}

export type Imported = Counts & { failures: FailedItem[]; fault: string | undefined };

/** Reads a whole file and validates each item. Sends nothing. */
export async function check(
  file: File,
  {
    model,
    columns = model.columns,
    signal,
    progress,
  }: {
    model: ResourceModel;
    columns?: Columns;
    signal: AbortSignal;
    progress: (found: Checked & { read: number }) => void;
  },
): Promise<Checked> {
  const found: Checked = { total: 0, valid: 0, identified: 0, failures: [], fault: undefined };
  try {
    for await (const { items, read } of itemsOf(file, file.name, columns, signal)) {
      for (const item of items) {
        found.total++;
        const result = validateItem(item, model);
        if (!result.valid) found.failures.push(failedItem(item, result.issues, model));
        else {
          found.valid++;
          if (result.value.id != null || result.value.key != null) found.identified++;
        }
      }
      progress({ read, ...found });
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    // If the file is incomplete, the items before that remain.
    found.fault = error.message;
    if (error instanceof UnknownColumns) found.columns = error.names;
  }
  return found;
}

/** Sends a file's items. Resolves with the counts and the failures. */
export async function importFile(
  file: File,
  options: SenderOptions,
  columns: Columns = options.model.columns,
): Promise<Imported> {
  const sender = new Sender(options);
  const { task } = options;
  let fault: string | undefined;
  try {
    for await (const { items } of itemsOf(file, file.name, columns, task.signal)) {
      for (const item of items) if (await task.goesOn()) await sender.add(item);
      if (task.isStopped) break;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (!task.isCanceled) fault = error.message;
  }
  await sender.idle();
  return { ...sender.counts, failures: sender.failures, fault };
}
