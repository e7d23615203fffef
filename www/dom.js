// The page's building blocks: elements, notices and dialogs. Text is only ever set as text, so nothing that a resource
// holds can become markup; nothing sets a style attribute, which the page's policy forbids.

/** Props that are the element's own properties rather than attributes. */
const PROPERTIES = new Set(["value", "checked", "selected", "indeterminate", "textContent"]);

/**
 * A new element. Props: `class`, attributes (true stands for an empty one; false, null and undefined for none), `on…`
 * listeners, `dataset`, and `vars`, custom properties for the style sheet. Children: nodes, texts, numbers, and lists
 * of them; false, null and undefined are left out.
 */
export function h(tag, props, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** The same in SVG. */
export function svg(tag, props, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

function filled(element, props, children) {
  // Children first: a select takes its value from its options.
  element.append(...nodes(children));
  for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
  return element;
}

function set(element, name, value) {
  if (value === undefined || value === null) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2).toLowerCase(), value);
  else if (name === "dataset") Object.assign(element.dataset, value);
  else if (name === "vars")
    for (const [property, one] of Object.entries(value)) element.style.setProperty(property, one);
  else if (PROPERTIES.has(name)) element[name] = value;
  else if (value !== false) element.setAttribute(name, value === true ? "" : value);
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== undefined && child !== null && child !== false && child !== true);
}

/** Makes the nodes the whole content of the parent. */
export function mount(parent, ...children) {
  parent.replaceChildren(...nodes(children));
  return parent;
}

let ids = 0;
/** An id that no other element has, for labels and descriptions. */
export const uniqueId = (prefix = "e") => `${prefix}-${(ids += 1)}`;

/** Runs once things have been quiet for that long. `stop` gives up what waits. */
export function debounce(run, milliseconds) {
  let timer;
  const later = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(run, milliseconds, ...args);
  };
  later.stop = () => clearTimeout(timer);
  return later;
}

const NOTICE_MS = 6000;

/** Shows a notice, which is read out. Kinds: `info`, `success`, and `error`, which stays until it is closed. */
export function toast(message, kind = "info") {
  const box = document.getElementById("toasts");
  const close = () => notice.remove();
  const notice = h(
    "div",
    { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" },
    h("p", {}, message),
    h(
      "button",
      { class: "button quiet small", type: "button", "aria-label": "Close this notice", onclick: close },
      "✕",
    ),
  );
  box.append(notice);
  if (kind !== "error") setTimeout(close, NOTICE_MS);
  return close;
}

/**
 * Shows a dialog, and resolves with the chosen action's `value`, or `undefined` where it was dismissed. An action:
 * `{ label, value, kind, check }`, the kind `primary` or `danger`; `check`, which may take its time, keeps the dialog
 * open by returning false. `dismissable: false` leaves only the actions. Enter in a field takes the last action.
 */
export function dialog(title, content, actions, { dismissable = true } = {}) {
  let resolve;
  let finished = false;
  const promise = new Promise((resolved) => (resolve = resolved));
  const heading = h("h2", { id: uniqueId("dialog") }, title);
  // Enter in a field clicks the form's one submit button.
  const buttons = actions.map((action, at) =>
    actionButton(action, at === actions.length - 1 ? "submit" : "button", (value) => finish(value)),
  );
  const form = h(
    "form",
    { method: "dialog", class: "stack", novalidate: true },
    heading,
    content,
    h("div", { class: "dialog-actions" }, buttons),
  );
  const box = h("dialog", { class: "dialog", "aria-labelledby": heading.id }, form);
  const before = document.activeElement;
  function finish(value) {
    // An action that was still at work when the dialog was left ends here too.
    if (finished) return;
    finished = true;
    box.close();
    box.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    resolve(value);
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("cancel", (event) => {
    event.preventDefault();
    if (dismissable) finish(undefined);
  });
  // A second Escape closes a dialog whatever the page says to the first.
  box.addEventListener("close", () => {
    if (finished) return;
    if (dismissable) finish(undefined);
    else box.showModal();
  });
  document.body.append(box);
  box.showModal();
  return promise;
}

function actionButton({ label, value, kind = "", check }, type, finish) {
  const button = h("button", { type, class: `button ${kind}` }, label);
  button.addEventListener("click", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    try {
      if ((await check?.()) !== false) finish(value);
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
  return button;
}

/** Leaves the dialogs that may be left: another page is shown. */
export function dismissDialogs() {
  for (const box of document.querySelectorAll("dialog[open]"))
    box.dispatchEvent(new Event("cancel", { cancelable: true }));
}

/**
 * Says later whether a person is still where they are now: whatever came since may have led them elsewhere, and then
 * nothing may lead them on or stand in their way. Another page may be on its way while this one's element is still
 * shown.
 */
export function presence(element = document.body) {
  const { hash } = location;
  return () => element.isConnected && location.hash === hash;
}

/** Marks a button as at work, and keeps a part of the page from being changed meanwhile; returns what ends that. */
export function hold(button, part) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  button.setAttribute("aria-busy", "true");
  part.inert = true;
  return () => {
    button.removeAttribute("aria-busy");
    part.inert = false;
    // What is inert loses the focus.
    if (document.activeElement === document.body && before?.isConnected) before.focus();
  };
}

/**
 * A labelled field: `control` is an input, a select or a textarea. `error(text)` marks it as wrong, or right again.
 * @param {string} label
 * @param {any} control
 * @param {{ hint?: any }} [options]
 */
export function field(label, control, { hint } = {}) {
  const id = (control.id ||= uniqueId("field"));
  const error = h("p", { class: "field-error", id: `${id}-error`, "aria-live": "polite" });
  const note = hint === undefined ? undefined : h("p", { class: "field-hint", id: `${id}-hint` }, hint);
  control.setAttribute("aria-describedby", note === undefined ? error.id : `${note.id} ${error.id}`);
  const element = h("div", { class: "field" }, h("label", { for: id }, label), control, note, error);
  const mark = (text) => {
    error.textContent = text ?? "";
    if (text) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  };
  return { element, control, error: mark };
}
