// The page's building blocks: elements, buttons, and notices. Text is only set as text, so data of a resource cannot
// become markup. Nothing sets a style attribute, because the page's policy forbids it.

/** Props that are set as properties of the element, not as attributes. */
const PROPERTIES = new Set(["value", "checked", "selected", "indeterminate", "textContent"]);

/** A child of an element. Lists are flattened; booleans, null, and undefined are left out. */
export type Child = Node | string | number | boolean | null | undefined | Children;
interface Children {
  readonly [index: number]: Child;
  readonly length: number;
  [Symbol.iterator](): Iterator<Child>;
}

/** An event of an element. */
type EventOf<T extends EventTarget, E extends Event = Event> = E & { currentTarget: T };

/** The props of an element. A listener gets the event with the element as `currentTarget`. */
interface Props<T extends EventTarget> {
  class?: string | undefined;
  dataset?: { [name: string]: string | undefined };
  vars?: { [property: string]: string };
  onclick?: (event: EventOf<T, MouseEvent>) => unknown;
  oninput?: (event: EventOf<T>) => unknown;
  onchange?: (event: EventOf<T>) => unknown;
  onsubmit?: (event: EventOf<T, SubmitEvent>) => unknown;
  onkeydown?: (event: EventOf<T, KeyboardEvent>) => unknown;
  onpaste?: (event: EventOf<T, ClipboardEvent>) => unknown;
  [name: string]: unknown;
}

/**
 * Creates an element. It may have no props: then its children follow the tag. Props: `class`, attributes (true means an
 * empty one; false, null, and undefined mean none), `on…` listeners, `dataset`, and `vars`, custom properties for the
 * style sheet.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props?: Props<HTMLElementTagNameMap[Tag]> | Child,
  ...children: Child[]
) {
  return fill(document.createElement(tag), props, children);
}

/** Creates an SVG element in the same way. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  props?: Props<SVGElementTagNameMap[Tag]> | Child,
  ...children: Child[]
) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

function fill<E extends HTMLElement | SVGElement>(
  element: E,
  first: { [name: string]: unknown } | Child,
  children: Child[],
) {
  // Children first: a select chooses its value among its options.
  element.append(...nodes(isChild(first) ? [first, ...children] : children));
  if (!isChild(first)) for (const [name, value] of Object.entries(first)) set(element, name, value);
  return element;
}

const isChild = (value: object | Child): value is Child =>
  typeof value !== "object" || value === null || value instanceof Node || Symbol.iterator in value;

function set(element: HTMLElement | SVGElement, name: string, value: unknown) {
  if (value === undefined || value === null) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
  else if (name === "dataset") Object.assign(element.dataset, value);
  else if (name === "vars")
    for (const [property, one] of Object.entries(value)) element.style.setProperty(property, one);
  else if (PROPERTIES.has(name)) Object.assign(element, { [name]: value });
  else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
}

function nodes(children: Children): (Node | string)[] {
  const found = [];
  for (const child of children) {
    if (child === undefined || child === null || typeof child === "boolean") continue;
    if (typeof child === "string" || child instanceof Node) found.push(child);
    else if (typeof child === "number") found.push(String(child));
    else found.push(...nodes(child));
  }
  return found;
}

/** A button. `kind` is a class that changes its look: `primary`, `small`, `quiet small`. */
export const button = (label: Child, onclick: () => unknown, kind = "", props: Props<HTMLButtonElement> = {}) =>
  h("button", { class: `button ${kind}`, type: "button", onclick: () => onclick(), ...props }, label);

/** A button that shows only a cross. `label` says what it closes or removes. */
export const crossButton = (label: string, onclick: () => unknown) =>
  button("✕", onclick, "quiet small", { "aria-label": label });

/** A button that looks like a link. */
export const linkButton = (label: Child, onclick: () => unknown, props: Props<HTMLButtonElement> = {}) =>
  h("button", { class: "link", type: "button", onclick: () => onclick(), ...props }, label);

/** The head of a table. */
export const tableHead = (...names: Child[]) =>
  h(
    "thead",
    h(
      "tr",
      names.map((name) => h("th", { scope: "col" }, name)),
    ),
  );

/** A table in a frame in which it scrolls. `kind` is a class of the frame. */
export const framedTable = (label: string, kind: string, ...content: Child[]) =>
  h(
    "div",
    { class: `table-frame ${kind}`, tabindex: 0, role: "region", "aria-label": label },
    h("table", { class: "table" }, content),
  );

/** Replaces the whole content of the parent with the nodes. */
export function mount<E extends Element>(parent: E, ...children: Child[]) {
  parent.replaceChildren(...nodes(children));
  return parent;
}

let ids = 0;
/** Returns an ID that no other element has, for labels and descriptions. */
export const uniqueId = (prefix = "e") => `${prefix}-${(ids += 1)}`;

/** Returns a function that runs `run` when it has not been called for `milliseconds`. `stop` cancels a pending run. */
export function debounce<Args extends unknown[]>(run: (...args: Args) => unknown, milliseconds: number) {
  let timer = 0;
  const later = (...args: Args) => {
    clearTimeout(timer);
    timer = window.setTimeout(run, milliseconds, ...args);
  };
  later.stop = () => clearTimeout(timer);
  return later;
}

const NOTICE_MS = 6000;
/** A notice with a button remains for so long. */
const OFFER_MS = 30_000;

/** What a notice offers to do. */
export type ToastAction = { label: string; run: () => unknown };

/**
 * Shows a notice, which screen readers announce. Kinds: `info`, `success`, and `error`, which remains until it is
 * closed.
 */
export function toast(message: string, kind: "info" | "success" | "error" = "info", action?: ToastAction) {
  const close = () => notice.remove();
  const act = () => {
    close();
    return action?.run();
  };
  const notice: HTMLElement = h(
    "div",
    { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" },
    h("p", message),
    action && button(action.label, act, "small"),
    crossButton("Close this notice", close),
  );
  document.getElementById("toasts")?.append(notice);
  if (kind !== "error") setTimeout(close, action === undefined ? NOTICE_MS : OFFER_MS);
  return close;
}

/**
 * Returns a function that returns whether the person is still at the same place. If not, an asynchronous result must
 * not navigate or open a dialog. Another page may be loading while this page's element is still shown.
 */
export function presence(element = document.body) {
  const { hash } = location;
  return () => element.isConnected && location.hash === hash;
}

/** Runs the task of a button, which is marked as busy meanwhile, unless it runs already. */
export async function busy(button: HTMLElement, run: () => Promise<unknown>) {
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  try {
    await run();
  } finally {
    button.removeAttribute("aria-busy");
  }
}

/** Marks a button as busy and makes a part of the page inert. Returns a function that undoes both. */
export function hold(button: HTMLElement, part: HTMLElement) {
  const before = document.activeElement as HTMLElement | null;
  button.setAttribute("aria-busy", "true");
  part.inert = true;
  return () => {
    button.removeAttribute("aria-busy");
    part.inert = false;
    // An inert element loses the focus.
    if (document.activeElement === document.body && before?.isConnected) before.focus();
  };
}

/** Radio buttons, of which the first is chosen. `choose` is called with the value of another. */
export function radios<Value extends string>(
  legend: string,
  labels: { readonly [value in Value]: string },
  choose: (value: Value) => unknown,
  { isHidden = false, ...props }: Props<HTMLFieldSetElement> & { isHidden?: boolean } = {},
) {
  const name = uniqueId("choice");
  const choices = (Object.entries(labels) as [Value, string][]).map(([value, label], at) => {
    const input = h("input", { type: "radio", name, value, checked: at === 0, onchange: () => choose(value) });
    return h("label", { class: "choice" }, input, h("span", label));
  });
  const title = h("legend", { class: isHidden ? "visually-hidden" : "label" }, legend);
  return h("fieldset", { class: "stack tight", ...props }, title, choices);
}
