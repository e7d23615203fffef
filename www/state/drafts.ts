// Drafts: unsaved input, kept for the tab. They survive a reload, another page of the console, and a new sign-in.

import { parseJson } from "../model/json.js";

const PREFIX = "draft ";

/** Removes every draft: another person may use the page next. */
export function clearDrafts() {
  for (const place of Object.keys(sessionStorage)) if (place.startsWith(PREFIX)) sessionStorage.removeItem(place);
}

/** A kept draft, with the time when it was kept. */
type Kept<Draft> = Draft & { at: string };

/**
 * A place for one draft. `restore()` returns the kept draft, `keep(draft)` returns whether there was room, and `drop()`
 * removes the draft. `stamp()` identifies the current draft: `drop(stamp)` removes it, but nothing that was typed
 * since.
 */
export interface DraftPlace<Draft extends object> {
  restore(): Kept<Draft> | undefined;
  keep(draft: Draft): boolean;
  stamp(): string | null;
  drop(stamp?: string | null): void;
}

/** Returns the place of a draft. */
export function draftPlace<Draft extends object>(project: string, name: string): DraftPlace<Draft> {
  const place = `${PREFIX}${project} ${name}`;
  return {
    restore() {
      return parseJson(sessionStorage.getItem(place) ?? "");
    },
    keep(draft) {
      try {
        sessionStorage.setItem(place, JSON.stringify({ ...draft, at: new Date().toISOString() }));
        return true;
      } catch {
        // The browser's storage for this page is full.
        sessionStorage.removeItem(place);
        return false;
      }
    },
    stamp: () => sessionStorage.getItem(place),
    drop(stamp = sessionStorage.getItem(place)) {
      if (sessionStorage.getItem(place) === stamp) sessionStorage.removeItem(place);
    },
  };
}
