// What a form has: the values of a resource, what a person has typed, and how they are saved.

import type { ResourceClient } from "../client/client.js";
import { ResourceError } from "../client/errors.js";
import { merge, type MergeChange, type MergeChoice } from "../own/merge.js";
import { itemsAt, type Path, pathOf, pointerOf, valueAt, withValue } from "./form-fields.js";

type Values = { readonly [name: string]: unknown };

/** A resource as a form needs it. */
export interface Versioned {
  readonly id: string;
  readonly version: number;
}

export interface FormState {
  /** The resource that the values are an edit of. */
  readonly seen: Versioned | undefined;
  readonly values: Values;
  /** What a person has typed, by the places of inputs. */
  readonly texts: { readonly [path: string]: string };
  readonly isEdited: boolean;
  readonly isSaving: boolean;
  /** Whether somebody wanted to save, so that all errors are shown. */
  readonly showsAll: boolean;
  /** Why the last save failed. */
  readonly error: ResourceError | undefined;
  /** The three sides of the last merge, and its conflicts without a choice. */
  readonly sides: readonly [object, object, object];
  readonly open: readonly MergeChange[];
}

/** How often a save merges what others have saved. */
const TRIES = 10;

const NOTHING = { texts: {}, isEdited: false, isSaving: false, showsAll: false, error: undefined, open: [] } as const;

function begin(seen: Versioned | undefined, initial: object = {}): FormState {
  return { seen, values: seen ? contentOf(seen) : { ...initial }, sides: [{}, {}, {}], ...NOTHING };
}

/** Returns what a form edits of a resource. */
function contentOf(record: object): Values {
  const { id, version, createdAt, createdBy, lastModifiedAt, lastModifiedBy, ...content } = record as any;
  return content;
}

/** The state of a form, as a store of React. */
export class FormStore {
  readonly client: ResourceClient<any>;
  #state: FormState;
  #runs = new Set<() => void>();
  #unsure: { body?: string; idempotencyKey?: string | undefined } = {};

  constructor(client: ResourceClient<any>, record: Versioned | undefined, initial: object | undefined) {
    this.client = client;
    this.#state = begin(record, initial);
  }

  subscribe = (run: () => void) => {
    this.#runs.add(run);
    return () => void this.#runs.delete(run);
  };

  getState = () => this.#state;

  #set(part: Partial<FormState>) {
    this.#state = { ...this.#state, ...part };
    for (const run of [...this.#runs]) run();
  }

  /** Discards what was edited. */
  reset(record: Versioned | undefined, initial: object | undefined) {
    this.#set(begin(record, initial));
  }

  /** Begins with another resource, or with a newer version of the same one if nobody has edited it. */
  follow(record: Versioned | undefined, initial: object | undefined) {
    const { seen, isEdited, isSaving } = this.#state;
    if (isSaving) return;
    const isNewer = record !== undefined && seen !== undefined && record.version > seen.version;
    if (record?.id !== seen?.id || (isNewer && !isEdited)) this.reset(record, initial);
  }

  /** Changes the items of a list. */
  editItems = (path: Path, change: (items: readonly unknown[]) => unknown) =>
    this.edit(path, change(itemsAt(this.#state.values, path)));

  /** Sets a value. `text` is what a person has typed for it. */
  edit = (path: Path, value: unknown, text?: string) => {
    const { values, texts } = this.#state;
    this.#set({
      values: withValue(values, path, value),
      // A list has other items at the places of those inside.
      texts: text === undefined ? without(texts, path) : { ...texts, [pointerOf(path)]: text },
      isEdited: true,
      error: undefined,
    });
  };

  /** Decides a conflict. */
  choose(path: string, choice: MergeChoice) {
    const { values, texts, sides, open } = this.#state;
    const at = pathOf(path);
    const chosen = choice === "mine" ? values : merge(...sides, { [path]: choice }).value;
    this.#set({
      values: withValue(values, at, valueAt(chosen, at)),
      texts: without(texts, at),
      open: open.filter((one) => one.path !== path),
      error: undefined,
    });
  }

  /** Saves. Returns the resource, or `undefined` if it could not. */
  async save(initial: object | undefined) {
    const { seen, values, isSaving, open } = this.#state;
    if (isSaving || open.length > 0) return undefined;
    this.#set({ showsAll: true, isSaving: true, error: undefined });
    try {
      const saved = await (seen ? this.#update(seen, values) : this.#create(values));
      this.reset(seen && saved, initial);
      return saved;
    } catch (error) {
      this.#set({ isSaving: false, ...(error instanceof ResourceError && { error }) });
      if (!(error instanceof ResourceError)) throw error;
      return undefined;
    }
  }

  async #create(values: Values) {
    const body = JSON.stringify(values);
    // The save before may have been performed. With its key, this one does not perform it twice.
    const idempotencyKey = this.#unsure.body === body ? this.#unsure.idempotencyKey : undefined;
    this.#unsure = {};
    try {
      return await this.client.create(values as any, { idempotencyKey });
    } catch (error) {
      const { outcome, idempotencyKey } = error as ResourceError;
      if (outcome === "unknown") this.#unsure = { body, idempotencyKey };
      throw error;
    }
  }

  /** Writes an edit. Merges it with what others have saved, as long as that is no conflict. */
  async #update(seen: Versioned, values: Values, tries = TRIES): Promise<any> {
    const { id, version } = seen;
    try {
      return await this.client.overwrite({ ...values, id, version } as any);
    } catch (error) {
      if (!(error instanceof ResourceError && error.isConflict) || tries === 0) throw error;
      const theirs: any = await this.client.getById(id, {}, { fresh: true });
      const { value, conflicts } = merge(seen, values, theirs);
      const merged = contentOf(value);
      this.#set({ seen: theirs, values: merged, texts: {}, sides: [seen, values, theirs], open: conflicts });
      if (conflicts.length > 0) throw error;
      return this.#update(theirs, merged, tries - 1);
    }
  }
}

/** Returns the texts that are not at or below a place. */
function without(texts: FormState["texts"], path: Path) {
  const place = `${pointerOf(path)}/`;
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !`${name}/`.startsWith(place)));
}
