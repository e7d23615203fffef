// The parts that the inputs of a form share.

import { describeIssue } from "../model/wording.js";

/** @import { Field, Path } from "../model/schema.js" */

/**
 * An issue at a path of the body.
 * @typedef {{ path: Path, message: string, reason?: string }} PathIssue
 */

/**
 * An input. `control` is the focused element, `get()` returns the value; undefined if the field is absent. `problems()`
 * returns errors of the notation only.
 * @typedef {{
 *   element: HTMLElement,
 *   readonly control: HTMLElement,
 *   get(): unknown,
 *   set(value: unknown): void,
 *   problems(): PathIssue[],
 *   mark(issues: readonly PathIssue[]): void,
 * }} Input
 */

/**
 * A field of a form. A `removable` text becomes absent if it is cleared.
 * @typedef {Field & { removable?: boolean }} FormField
 */

/**
 * Keeps a value that the control cannot show, and shows a note about it.
 * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} control
 */
export function keeper(control) {
  /** @type {{ value: unknown } | undefined} */
  let kept;
  return {
    get kept() {
      return kept;
    },
    /**
     * @param {unknown} value
     * @param {boolean} shown whether the control shows the value
     */
    set(value, shown) {
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

/** @param {unknown} value */
export const isAbsent = (value) => value === undefined || value === null;

/**
 * Returns the marks of issues that are about the whole field.
 * @param {readonly PathIssue[]} issues
 */
export const wholeMarks = (issues) => issues.map((issue) => ({ text: describeIssue(issue) }));
