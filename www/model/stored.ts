// Choices of a person that this browser keeps for the next visit. If its storage is switched off, they last until the
// page is left.

/** Returns a kept choice. */
export function storedChoice(name: string) {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a choice, or removes it. */
export function storeChoice(name: string, choice: string | undefined) {
  try {
    if (choice === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, choice);
  } catch {
    // Storage is switched off.
  }
}
