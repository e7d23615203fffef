// A field for a file, which can be chosen or dropped.

import { h, uniqueId } from "../base/dom.js";

type PickerOptions = { accept: string; text: string; chosen: (file: File) => unknown };

/** The field. `chosen(file)` is called with each file. `disable(true)` hides the field. */
export function filePicker({ accept, text, chosen }: PickerOptions) {
  const id = uniqueId("file");
  const input = h("input", { type: "file", id, accept, class: "visually-hidden" });
  const label = h(
    "label",
    { for: id, class: "dropzone" },
    h("strong", "Choose a file"),
    h("span", { class: "muted" }, text),
  );
  const element = h("div", { class: "file-picker" }, input, label);
  const take = (file: File | undefined) => file !== undefined && !input.disabled && chosen(file);
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    // So that the same file can be chosen again after corrections.
    input.value = "";
    take(file);
  });
  for (const name of ["dragenter", "dragover"]) {
    label.addEventListener(name, (event) => {
      event.preventDefault();
      label.classList.add("over");
    });
  }
  for (const name of ["dragleave", "drop"]) label.addEventListener(name, () => label.classList.remove("over"));
  label.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer?.files[0]);
  });
  return { element, disable: (disabled: boolean) => (input.disabled = disabled) };
}
