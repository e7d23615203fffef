// A button that copies a text.

import { h } from "./dom.js";

const SHOWN_MS = 1500;

/** A button that copies a text and confirms it briefly. */
export function copyButton(label: string, text: string, kind = "") {
  const button = h("button", { class: `button ${kind}`, type: "button" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copying failed";
    }
    setTimeout(() => (button.textContent = label), SHOWN_MS);
  });
  return button;
}
