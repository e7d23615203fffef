// Keys for the whole console. `aria-keyshortcuts` of an element names the key that focuses or presses it.

import { storeChoice, storedChoice } from "../../model/stored.js";
import { dialog } from "../base/dialog.js";
import { h } from "../base/dom.js";

const STORED = "keys";
const HELP: [keys: string, what: string][] = [
  ["/", "Search, or type a condition"],
  ["n", "New resource"],
  ["j k", "Next or previous row"],
  ["Enter", "Open the row"],
  ["e", "Edit the row, or the shown resource"],
  ["x", "Select the row"],
  ["Esc", "Leave the box of the search"],
  ["?", "These keys"],
];
const isOff = () => storedChoice(STORED) === "off";

/** Listens to the keys of people who type nothing and have no dialog open. */
export function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (target instanceof HTMLElement && (target.isContentEditable || target.matches(TYPED))) return;
    if (key !== "?" && isOff()) return;
    if (press(key)) event.preventDefault();
  });
}

/** Elements that take text, or that have other keys. */
const TYPED = "textarea, select, input:not([type=checkbox], [type=radio], [type=file])";

/** Does what a key means here. Returns whether it means anything. */
function press(key: string) {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".collection tbody .name")];
  const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key];
  // Arrows scroll the page, unless a row has the focus.
  if (step !== undefined && (at >= 0 || key.length === 1)) {
    const next = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step];
    next?.focus();
    return next !== undefined;
  }
  const link = links[at];
  if (key === "x" && link !== undefined) return click(link.closest("tr")?.querySelector("input"));
  if (key === "e" && link !== undefined) {
    location.hash = `${new URL(link.href).hash}/edit`;
    return true;
  }
  if (key === "?") {
    void showKeys();
    return true;
  }
  const part = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
  if (!(part instanceof HTMLInputElement)) return click(part);
  part.select();
  return true;
}

function click(part: HTMLElement | null | undefined) {
  part?.click();
  return part instanceof HTMLElement;
}

/** Lists the keys. Screen readers and speech input may have their own meaning of letters, so keys can be turned off. */
async function showKeys() {
  const rows = HELP.map(([keys, what]) =>
    h(
      "div",
      h(
        "dt",
        keys.split(" ").map((key) => h("kbd", key)),
      ),
      h("dd", what),
    ),
  );
  const onchange = () => storeChoice(STORED, box.checked ? undefined : "off");
  const box: HTMLInputElement = h("input", { type: "checkbox", checked: !isOff(), onchange });
  await dialog(
    "Keys",
    [h("dl", { class: "keys" }, rows), h("label", { class: "check" }, box, "Use these keys")],
    [{ label: "Close" }],
  );
}
