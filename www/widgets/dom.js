// The page's building blocks: elements, notices, and dialogs. Text is only set as text, so data of a resource cannot
// become markup. Nothing sets a style attribute, because the page's policy forbids it.

/** Props that are set as properties of the element, not as attributes. */
const PROPERTIES = new Set(["value", "checked", "selected", "indeterminate", "textContent"]);

/**
 * Creates an element. Props: `class`, attributes (true means an empty one; false, null, and undefined mean none), `on…`
 * listeners, `dataset`, and `vars`, custom properties for the style sheet. Children: nodes, texts, numbers, and lists
 * of them; false, null, and undefined are left out.
 */
export function h(tag, props, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** Creates an SVG element in the same way. */
export function svg(tag, props, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

function filled(element, props, children) {
  // Children first: a select chooses its value among its options.
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

/** Replaces the whole content of the parent with the nodes. */
export function mount(parent, ...children) {
  parent.replaceChildren(...nodes(children));
  return parent;
}

let ids = 0;
/** Returns an ID that no other element has, for labels and descriptions. */
export const uniqueId = (prefix = "e") => `${prefix}-${(ids += 1)}`;

/**
 * Returns a function that runs `run` when it has not been called for that many milliseconds. `stop` cancels a pending
 * run.
 */
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

/**
 * Shows a notice, which screen readers announce. Kinds: `info`, `success`, and `error`, which remains until it is
 * closed.
 */
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
 * Shows a dialog. Resolves with the chosen action's `value`, or `undefined` if the dialog was dismissed. An action is
 * `{ label, value, kind, check }`, with the kind `primary` or `danger`. If `check`, which may be asynchronous, returns
 * false, the dialog remains open. With `dismissable: false` only the actions close it. Enter in a field chooses the
 * last action.
 */
export function dialog(title, content, actions, { dismissable = true } = {}) {
  let resolve;
  let finished = false;
  const promise = new Promise((resolved) => (resolve = resolved));
  const heading = h("h2", { id: uniqueId("dialog") }, title);
  // Enter in a field clicks the form's only submit button.
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
    // An action that was still running when the dialog was left ends here too.
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
  // A second Escape closes a dialog even if the page cancels the first.
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

/** Closes the dismissable dialogs, because another page is shown. */
export function dismissDialogs() {
  for (const box of document.querySelectorAll("dialog[open]"))
    box.dispatchEvent(new Event("cancel", { cancelable: true }));
}

/**
 * Returns a function that says whether the person is still at the same place. If not, an asynchronous result must not
 * navigate or open a dialog. Another page may be loading while this page's element is still shown.
 */
export function presence(element = document.body) {
  const { hash } = location;
  return () => element.isConnected && location.hash === hash;
}

/** Marks a button as busy and makes a part of the page inert. Returns a function that undoes both. */
export function hold(button, part) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  button.setAttribute("aria-busy", "true");
  part.inert = true;
  return () => {
    button.removeAttribute("aria-busy");
    part.inert = false;
    // An inert element loses the focus.
    if (document.activeElement === document.body && before?.isConnected) before.focus();
  };
}

/**
 * A labelled field. `control` is an input, a select, or a textarea. `error(text)` marks it as invalid, or as valid
 * again.
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
