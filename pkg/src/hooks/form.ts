// `useResourceForm`: a form that creates or edits a resource.

import { useEffect, useState, useSyncExternalStore } from "react";
import type { ResourceClient } from "../client/client.js";
import { wrongOption } from "../client/errors.js";
import { ready } from "../core/ready.js";
import type { ErrorItem } from "../generated/issues.js";
import type { DraftOf, RecordOf } from "../own/bodies.js";
import { plainOf } from "../own/declare.js";
import type { MergeChoice } from "../own/merge.js";
import { hasReader, read } from "../own/reader.js";
import type { DeclaredResource } from "../own/resource.js";
import { fieldsOf, type FormField, labelOf, pathOf, type PlainSchema } from "./form-fields.js";
import { type FormState, FormStore } from "./form-store.js";

/** What a form begins with. */
export interface ResourceFormOptions<Content extends object> {
  /** The resource to edit. Without it the form creates one. While nobody edits, a newer version replaces it. */
  readonly record?: RecordOf<Content> | undefined;
  /** The values of a new resource. */
  readonly initial?: Partial<DraftOf<Content>> | undefined;
  /** The names of the fields, in their order; `key` may be one. Default: all of the resource, without its key. */
  readonly fields?: readonly string[] | undefined;
  /** Called with the saved resource. */
  readonly onSaved?: ((saved: RecordOf<Content>) => void) | undefined;
}

/** A field that somebody else has changed, too, since the form began. */
export interface FormConflict {
  readonly path: string;
  readonly label: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Whether it is a list, for which the choice may be `both`. */
  readonly isList: boolean;
  readonly choose: (choice: MergeChoice) => void;
}

/** A form. */
export interface ResourceForm<Content extends object> {
  /** The inputs, with what a person has typed and what is wrong. */
  readonly fields: readonly FormField[];
  /** What a person has to decide before the next save. */
  readonly conflicts: readonly FormConflict[];
  /** Why the last save failed, if no field says it. */
  readonly message: string | undefined;
  readonly isSaving: boolean;
  /** Whether somebody has edited since the last save. */
  readonly isEdited: boolean;
  /** Saves, and merges what others have saved meanwhile. Returns the resource, or `undefined` if it could not. */
  readonly save: () => Promise<RecordOf<Content> | undefined>;
  /** The same for `onSubmit` of a `<form>`. */
  readonly onSubmit: (event: { preventDefault(): void }) => void;
  /** Discards what was edited. */
  readonly reset: () => void;
}

/**
 * Returns a form for the resources of a client, as data: the page renders its fields. It shows the service's errors at
 * the inputs while a person types, creates without overwriting, and edits without lost updates: what others have
 * changed is merged, and for a field that both have changed, a person chooses.
 *
 * ```jsx
 * const form = useResourceForm(client, { record });
 * <form onSubmit={form.onSubmit}>{form.fields.map((field) => <Field key={field.path} {...field} />)}</form>
 * ```
 */
export function useResourceForm<Content extends object>(
  client: ResourceClient<Content>,
  options?: ResourceFormOptions<Content>,
): ResourceForm<Content>;
export function useResourceForm(
  client: ResourceClient<any>,
  { record, initial, fields: names, onSaved }: ResourceFormOptions<any> = {},
): ResourceForm<any> {
  const { declared } = client.calls;
  if (declared === undefined) throw wrongOption("useResourceForm: expected a client with the option 'resource'.");
  const open = () => new FormStore(client, record, initial);
  const [held, hold] = useState(open);
  const store = held.client === client ? held : open();
  // Renders again at once.
  if (store !== held) hold(store);
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState);
  useEffect(() => void store.follow(record, initial), [store, record, initial]);
  const isReady = useReady();

  const errors = errorsOf(state, isReady ? declared : undefined);
  const shown = { ...state, ...errors, set: store.edit, setItems: store.editItems };
  const schema = schemaOf(declared);
  const properties = { key: { type: "string" }, ...schema.properties };
  const fields = fieldsOf({ ...schema, properties }, shown, names ?? Object.keys(schema.properties ?? {}));
  async function save() {
    const saved = await store.save(initial);
    if (saved !== undefined) onSaved?.(saved);
    return saved;
  }
  return {
    fields,
    conflicts: conflictsOf(store, state),
    message: state.open.length > 0 ? "Somebody else has changed this, too." : errors.unplaced(),
    isSaving: state.isSaving,
    isEdited: state.isEdited,
    save,
    onSubmit(event) {
      event.preventDefault();
      void save();
    },
    reset: () => store.reset(state.seen, initial),
  };
}

/** Returns whether the WebAssembly is loaded, and loads it. */
function useReady() {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    let isShown = true;
    // If it does not start, the first call reports why.
    ready.then(() => isShown && setReady(true)).then(undefined, () => {});
    return () => {
      isShown = false;
    };
  }, []);
  return isReady;
}

/** Returns the schema of a resource; one without fields until it can be read. */
function schemaOf({ declaration }: DeclaredResource<any>): PlainSchema {
  return declaration.isPlain || hasReader() ? JSON.parse(plainOf(declaration, read)) : { type: "object" };
}

/** Finds the errors of inputs: those of the last save, and what is wrong with what a person has typed. */
function errorsOf(
  { values, texts, isEdited, showsAll, error }: FormState,
  declared: DeclaredResource<any> | undefined,
) {
  const result = isEdited ? declared?.validate("draft", values) : undefined;
  const issues = result?.valid === false ? result.issues : [];
  const refused: readonly ErrorItem[] = error?.errors ?? [];
  const placed = new Set<string | undefined>();
  return {
    /** Returns the message of the first error at a place, or inside if it has no other inputs. */
    errorAt(path: string, isWhole: boolean) {
      const isHere = (place = "") => place === path || (isWhole && place.startsWith(`${path}/`));
      const here = refused.filter((one) => isHere(one.path));
      for (const one of here) placed.add(one.path);
      const isShown = showsAll || texts[path] !== undefined;
      return (here[0] ?? (isShown ? issues.find(({ pointer }) => isHere(pointer)) : undefined))?.message;
    },
    /** Returns the message of the last save's error if no input has it. */
    unplaced: () => (refused.length > 0 && refused.every(({ path }) => placed.has(path)) ? undefined : error?.message),
  };
}

function conflictsOf(store: FormStore, { open }: FormState): FormConflict[] {
  return open.map(({ path, mine, theirs }) => ({
    path,
    label: labelOf(pathOf(path)),
    mine,
    theirs,
    isList: [mine, theirs].every(Array.isArray),
    choose: (choice) => store.choose(path, choice),
  }));
}
