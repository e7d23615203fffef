// The parts that the inputs of a form share.

import type { Field, Path } from "../../model/schema.js";

/** An issue at a path of the body. */
export type PathIssue = { path: Path; message: string; reason?: string };

/**
 * An input. `control` is the focused element, `get()` returns the value; undefined if the field is absent. `problems()`
 * returns errors of the notation only. An input of several fields has `controlAt(path)`, the element of one of them.
 */
export interface Input {
  element: HTMLElement;
  readonly control: HTMLElement;
  controlAt?(path: Path): HTMLElement;
  get(): unknown;
  set(value: unknown): void;
  problems(): PathIssue[];
  mark(issues: readonly PathIssue[]): void;
}

/** A field of a form. A `removable` text or list becomes absent if it is cleared. */
export type FormField = Field & { removable?: boolean };

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Keeps a value that the control cannot show, and shows a note about it. */
export function keeper(control: Control) {
  let kept: { value: unknown } | undefined;
  return {
    /** Returns the kept value, or what `read` returns if there is none. */
    get: (read: () => unknown) => (kept === undefined ? read() : kept.value),
    /** `shown` is whether the control shows the value. */
    set(value: unknown, shown: boolean) {
      kept = shown ? undefined : { value };
      const note = "This field cannot show its value. Edit it as JSON.";
      control.title = shown ? "" : note;
      control.classList.toggle("unshown", !shown);
      if (control instanceof HTMLSelectElement) {
        control.disabled = !shown;
        return;
      }
      control.readOnly = !shown;
      if (!shown) control.placeholder = note;
    },
  };
}

export const isAbsent = (value: unknown) => value === undefined || value === null;
