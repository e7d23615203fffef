// Dialogs over the page.

import { busy, h, uniqueId, type Child } from "./dom.js";

/** A button of a dialog. */
interface DialogAction<Value> {
  label: string;
  value?: Value;
  kind?: "primary" | "danger" | "";
  check?: () => boolean | Promise<boolean>;
}

/**
 * Shows a dialog. Resolves with the chosen action's `value`, or `undefined` if the dialog was dismissed. An action is
 * `{ label, value, kind, check }`, with the kind `primary` or `danger`. If `check`, which may be asynchronous, returns
 * false, the dialog remains open. With `dismissable: false` only the actions close it. Enter in a field chooses the
 * last action.
 */
export function dialog<Value>(
  title: string,
  content: Child,
  actions: DialogAction<Value>[],
  { dismissable = true }: { dismissable?: boolean } = {},
): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const before = document.activeElement;
    let finished = false;
    const finish = (value: Value | undefined) => {
      // An action that was still running when the dialog was dismissed ends here too.
      if (finished) return;
      finished = true;
      box.close();
      box.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      resolve(value);
    };
    const box = dialogBox(title, content, actions, finish);
    box.addEventListener("cancel", (event) => {
      event.preventDefault();
      if (dismissable) finish(undefined);
    });
    // A second Escape closes a dialog even if the page cancels the first.
    box.addEventListener("close", () => {
      if (finished) return;
      if (dismissable) finish(undefined);
      else box.showModal();
    });
    document.body.append(box);
    box.showModal();
  });
}

/** Asks before something is deleted. Resolves with whether the person agreed. */
export const confirmDeletion = async (title: string, content: Child) =>
  (await dialog(title, content, [{ label: "Cancel" }, { label: "Delete", value: true, kind: "danger" }])) === true;

function dialogBox<Value>(
  title: string,
  content: Child,
  actions: DialogAction<Value>[],
  finish: (value: Value | undefined) => void,
) {
  const heading = h("h2", { id: uniqueId("dialog") }, title);
  // Enter in a field clicks the form's only submit button.
  const buttons = actions.map((action, at) =>
    actionButton(action, at === actions.length - 1 ? "submit" : "button", finish),
  );
  const form = h(
    "form",
    { method: "dialog", class: "stack", novalidate: true, onsubmit: (event) => event.preventDefault() },
    heading,
    content,
    h("div", { class: "dialog-actions" }, buttons),
  );
  return h("dialog", { class: "dialog", "aria-labelledby": heading.id }, form);
}

function actionButton<Value>(
  { label, value, kind = "", check }: DialogAction<Value>,
  type: "submit" | "button",
  finish: (value: Value | undefined) => void,
) {
  const button = h("button", { type, class: `button ${kind}` }, label);
  button.addEventListener("click", (event) => {
    event.preventDefault();
    return busy(button, async () => (await check?.()) !== false && finish(value));
  });
  return button;
}

/** Closes the dismissable dialogs, because another page is shown. */
export function dismissDialogs() {
  for (const box of document.querySelectorAll("dialog[open]"))
    box.dispatchEvent(new Event("cancel", { cancelable: true }));
}
