// Brings what is shown up to date, part by part: what is the same stays as it is, with its focus and its state.

/** How long a change is marked, in milliseconds; the style sheet fades it. */
const MARK_MS = 4000;
const FOCUSABLE = "a, button, input, select";

const marked = new WeakMap<Element, number>();

/** Marks an element as changed for a moment. */
export function mark(element: Element) {
  clearTimeout(marked.get(element));
  element.classList.add("changed");
  marked.set(
    element,
    window.setTimeout(() => element.classList.remove("changed"), MARK_MS),
  );
}

/**
 * Compares the parts of an element, which a selector finds, with those of a new one. Replaces the parts that differ, or
 * the whole content if the number of parts has changed. Returns the new parts.
 */
export const renew = (old: Element, next: Element, selector: string): Element[] =>
  keepFocus(old, () => renewParts(old, next, selector));

function renewParts(old: Element, next: Element, selector: string) {
  const parts = [...old.querySelectorAll(selector)];
  const nextParts = [...next.querySelectorAll(selector)];
  // A mark is no difference, and neither is how a class is written: the removal rewrites it.
  for (const part of [...parts, ...nextParts]) part.classList.remove("changed");
  if (parts.length !== nextParts.length) {
    replace(old, () => old.replaceChildren(...next.childNodes), old);
    return nextParts.filter((part) => !parts.some((one) => one.isEqualNode(part)));
  }
  return nextParts.filter((part, at) => {
    const before = parts[at];
    if (before === undefined || before.isEqualNode(part)) return false;
    replace(before, () => before.replaceWith(part), part);
    return true;
  });
}

/** Replaces an element or its content, and moves the focus from there to the same place of the new one. */
function replace(old: Element, run: () => void, next: Element) {
  const at = focusableOf(old).indexOf(document.activeElement as HTMLElement);
  run();
  if (at >= 0) focusableOf(next)[at]?.focus({ preventScroll: true });
}

/** Runs a function. If what has the focus in the element cannot have it any longer, a neighbor gets it. */
export function keepFocus<Result>(element: Element, run: () => Result) {
  const at = focusableOf(element).indexOf(document.activeElement as HTMLElement);
  const result = run();
  if (at < 0 || (element.contains(document.activeElement) && !document.activeElement?.matches(":disabled")))
    return result;
  const all = focusableOf(element);
  const nearest = [...all.slice(0, at + 1).reverse(), ...all.slice(at + 1)];
  nearest.find((one) => one.tabIndex >= 0 && !one.matches(":disabled"))?.focus({ preventScroll: true });
  return result;
}

/** Returns the element, and what can have the focus in it. */
const focusableOf = (element: Element) => [element as HTMLElement, ...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
