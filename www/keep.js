// What somebody typed and has not saved, kept for the tab: over a reload, another page of the console, a new sign-in.

const PREFIX = "draft ";

/** Forgets every draft: another person may sit here next. */
export function forgetDrafts() {
  for (const place of Object.keys(sessionStorage)) if (place.startsWith(PREFIX)) sessionStorage.removeItem(place);
}

/**
 * A place for one draft: `restore()` gives what was kept, `keep(draft)` says whether there was room, `drop()` forgets
 * it. `stamp()` stands for what is kept now: `drop(stamp)` forgets that, and nothing that was typed since.
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
        // The browser's room for this page is full.
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
