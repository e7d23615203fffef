// A field of a conflict: the values of both sides, and the choice between them.

import { countOf, listOf, take } from "../model/edit/merge.js";
import type { Path } from "../model/schema.js";
import type { MergeChange, MergeChoice } from "../pkg/browser.js";
import { h, uniqueId } from "../widgets/base/dom.js";
import { plural } from "../widgets/base/format.js";

/** A changed field. `choice` is what the merge decided, and `result` the value after that or after what was chosen. */
interface Row extends Omit<MergeChange, "path"> {
  name: string;
  path: Path;
  choice: MergeChoice | undefined;
  /** Whether both changes can be combined. */
  combines: boolean;
  choose: (choice: MergeChoice) => unknown;
  result: () => unknown;
}

const ITEMS = 60;

const NOTES: { [change in MergeChange["change"]]: string } = {
  mine: "You changed it",
  theirs: "They changed it",
  same: "Both made the same change",
  both: "Both changed it",
};

/** One field: both values to choose from, and the result. */
export function rowView({ name, path, change, base, mine, theirs, choice: decided, combines, choose, result }: Row) {
  const out = h("div", { class: "choice conflict-value result" });
  const showResult = (isOpen: boolean) => {
    const value = isOpen ? h("p", { class: "field-error" }, "Choose") : valueView(result(), base);
    out.replaceChildren(label("Result"), value);
  };
  const group = uniqueId("choice");
  const radio = (choice: MergeChoice, text: string) => {
    const onchange = () => {
      choose(choice);
      showResult(false);
    };
    const props = { value: choice, checked: decided === choice, "aria-label": `${name}: ${text}` };
    return h("input", { type: "radio", name: group, ...props, onchange });
  };
  const column = (choice: MergeChoice, text: string, value: unknown) =>
    h("label", { class: "choice conflict-value" }, radio(choice, text), h("div", label(text), valueView(value, base)));
  showResult(decided === undefined);
  return h(
    "fieldset",
    { class: "conflict-row", dataset: { field: path.join(".") } },
    h("legend", { class: "visually-hidden" }, name),
    titleView(name, change, combines && radio("both", "both")),
    column("mine", "Yours", mine),
    column("theirs", "Theirs", theirs),
    out,
  );
}

/** The name of the field, who changed it, and the choice of both changes if they can be combined. */
function titleView(name: string, change: MergeChange["change"], bothRadio: HTMLElement | false) {
  const isBoth = change === "both";
  return h(
    "div",
    { class: "stack tight" },
    h("strong", name),
    h("span", { class: `badge ${isBoth ? "warning" : ""}` }, NOTES[change]),
    isBoth &&
      bothRadio &&
      h("label", { class: "small choice" }, bothRadio, " Both: with all added items, without all removed items"),
  );
}

const label = (text: string) => h("span", { class: "conflict-label muted small" }, text);

/** Shows a value, with marks on what was added to the base and what was removed from it. */
function valueView(value: unknown, base: unknown) {
  if (value === undefined || value === null) return h("p", { class: "muted" }, "absent");
  if (value === "") return h("p", { class: "muted" }, "empty text");
  if (!Array.isArray(value)) return h("p", { class: "value mono" }, textOf(value));
  const known = countOf(base);
  const here = countOf(value);
  const items: unknown[] = value;
  const gone = listOf(base).filter((item) => !take(here, item));
  const marked = items.map((item) => ({ item, isOld: take(known, item) }));
  // Shorten a long list to its differences.
  const long = value.length + gone.length > ITEMS;
  const shown = marked.filter(({ isOld }) => !long || !isOld);
  const parts = [
    ...shown.slice(0, ITEMS).map(({ item, isOld }) => h(isOld ? "span" : "ins", textOf(item))),
    ...gone.slice(0, ITEMS).map((item) => h("del", textOf(item))),
  ];
  const hidden = value.length + gone.length - parts.length;
  if (value.length === 0 && gone.length === 0) return h("p", { class: "muted" }, "no items");
  return h(
    "div",
    { class: "value mono value-list" },
    parts,
    hidden > 0 && h("span", { class: "muted" }, `and ${plural(hidden, "more item")}`),
  );
}

const textOf = (item: unknown) => (typeof item === "string" ? item : JSON.stringify(item));
