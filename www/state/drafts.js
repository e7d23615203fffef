// Drafts: unsaved input, kept for the tab. They survive a reload, another page of the console, and a new sign-in.

const PREFIX = "draft ";

/** Removes every draft: another person may use the page next. */
export function clearDrafts() {
  for (const place of Object.keys(sessionStorage)) if (place.startsWith(PREFIX)) sessionStorage.removeItem(place);
}

/**
 * A kept draft, with the time when it was kept.
 * @template Draft
 * @typedef {Draft & { at: string }} Kept
 */

/**
 * A place for one draft. `restore()` returns the kept draft, `keep(draft)` returns whether there was room, and `drop()`
 * removes the draft. `stamp()` identifies the current draft: `drop(stamp)` removes it, but nothing that was typed
 * since.
 * @template {object} Draft
 * @typedef {{
 *   restore(): Kept<Draft> | undefined,
 *   keep(draft: Draft): boolean,
 *   stamp(): string | null,
 *   drop(stamp?: string | null): void,
 * }} DraftPlace
 */

/**
 * Returns the place of a draft.
 * @template {object} Draft
 * @param {string} project
 * @param {string} name
 * @returns {DraftPlace<Draft>}
 */
export function draftPlace(project, name) {
  const place = `${PREFIX}${project} ${name}`;
  return {
    restore() {
      try {
        return JSON.parse(sessionStorage.getItem(place) ?? "null") ?? undefined;
      } catch {
        return undefined;
      }
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
