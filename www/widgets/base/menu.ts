// A menu that opens with a `summary` element.

/** Closes the menu if the focus leaves it, or with Escape, which returns the focus to the summary. Returns the menu. */
export function closeWithFocus(menu: HTMLDetailsElement, summary: HTMLElement) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    summary.focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false;
  });
  return menu;
}
