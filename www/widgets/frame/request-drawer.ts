// The request log: requests of the console with their responses, newest first. Each can be copied as curl or client
// code.

import { exchanges, onExchange, type Exchange } from "../../state/request-log.js";
import { button, crossButton, h, mount } from "../base/dom.js";
import { callOf } from "../../state/client.js";
import { copyButton } from "../base/copy-button.js";
import { clockTime } from "../base/format.js";
import { parseJson } from "../../model/json.js";
import { clientCode, curl } from "../../model/snippet.js";

// Exchanges arrive in bursts.
const QUIET_MS = 150;

type ExchangeView = { element: HTMLElement; update(): void };

/** The drawer at the bottom of the page. */
export class RequestDrawer {
  element;
  /** The drawn views by their exchanges. */
  #views = new Map<Exchange, ExchangeView>();
  #due = false;
  #list = h("ol", { class: "exchanges" });
  #tally = h("span", { class: "numeric" });
  #panel = h("div", {
    class: "drawer-panel",
    id: "requests",
    role: "region",
    "aria-label": "Requests",
    hidden: true,
  });
  /** The button that opens the drawer. It is in the frame of the page, so that it covers nothing. */
  toggle = button(["Requests ", this.#tally], () => this.#open(this.#panel.hidden), "quiet small", {
    "aria-expanded": "false",
    "aria-controls": "requests",
  });

  constructor() {
    const shut = crossButton("Close the requests", () => this.#open(false));
    const lead = h(
      "p",
      { class: "muted small" },
      "Newest first. The token is never shown: copied requests use $TOKEN instead.",
    );
    this.#panel.append(h("div", { class: "row drawer-head" }, h("h2", "Requests"), lead, shut), this.#list);
    this.element = h("aside", { "aria-label": "Requests" }, this.#panel);
    // Also while the button has the focus, which has just opened it.
    for (const part of [this.element, this.toggle])
      part.addEventListener("keydown", ({ key }) => key === "Escape" && !this.#panel.hidden && this.#open(false));
    onExchange(() => this.#soon());
    this.#draw();
  }

  #open(open: boolean) {
    this.#panel.hidden = !open;
    this.toggle.setAttribute("aria-expanded", String(open));
    if (open) this.#draw();
    else this.toggle.focus();
  }

  #soon() {
    if (this.#due) return;
    this.#due = true;
    setTimeout(() => this.#draw(), QUIET_MS);
  }

  #draw() {
    this.#due = false;
    this.#tally.textContent = String(exchanges.length);
    // Release the views of removed exchanges, even if the drawer is closed.
    for (const [exchange, { element }] of this.#views) {
      if (exchanges.includes(exchange)) continue;
      element.remove();
      this.#views.delete(exchange);
    }
    if (this.#panel.hidden) return;
    if (exchanges.length === 0) return void mount(this.#list, h("li", { class: "muted" }, "No requests yet."));
    this.#fill([...exchanges].reverse());
  }

  /** Draws only new and finished exchanges, so that open items remain open and the focus remains in place. */
  #fill(shown: readonly Exchange[]) {
    shown.forEach((exchange, at) => {
      const view = this.#views.get(exchange) ?? exchangeView(exchange);
      this.#views.set(exchange, view);
      const { element, update } = view;
      update();
      if (this.#list.children[at] !== element) this.#list.insertBefore(element, this.#list.children[at] ?? null);
    });
    while (this.#list.children.length > shown.length) this.#list.lastChild?.remove();
  }
}

function exchangeView(exchange: Exchange): ExchangeView {
  const { method, url } = exchange;
  const { pathname, search } = new URL(url, location.href);
  const inside = h("div", { class: "exchange" });
  const request = [h("code", { class: "method" }, method), h("code", { class: "target" }, pathname + search)];
  const summary = h("summary");
  const details = h("details", summary, inside);
  const element = h("li", details);
  let shown = "";
  details.addEventListener("toggle", () => update());
  function update() {
    const state = exchange.status > 0 ? "complete" : exchange.error !== undefined ? "failed" : "open";
    const view = `${state} ${details.open}`;
    if (view === shown) return;
    shown = view;
    const status = exchange.status > 0 ? exchange.status : (exchange.error ?? "…");
    const took = `${exchange.ms} ms${exchange.retry > 0 ? `, attempt ${exchange.retry + 1}` : ""}`;
    mount(
      summary,
      request,
      h("span", { class: `badge numeric ${toneOf(exchange)}` }, status),
      h("span", { class: "muted small numeric" }, state !== "open" && took),
    );
    mount(inside, details.open && detailsOf(exchange));
  }
  update();
  return { element, update };
}

function toneOf({ status, error }: Exchange) {
  if (status >= 200 && status < 400) return "success";
  if (status >= 400 && status < 500) return "warning";
  return status >= 500 || error !== undefined ? "danger" : "";
}

function detailsOf(exchange: Exchange) {
  const { startedAt, requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  const absolute = { ...exchange, url: new URL(exchange.url, location.href).href, call: callOf(exchange) };
  const code = clientCode(absolute);
  const reason = whyNoCopy(absolute);
  const copies =
    reason !== undefined
      ? h("p", { class: "muted small" }, reason)
      : h(
          "div",
          { class: "toolbar" },
          copyButton("Copy as curl", curl(absolute), "small"),
          code !== undefined && copyButton("Copy as code", code, "small"),
        );
  return h(
    "div",
    { class: "stack" },
    copies,
    code !== undefined && h("pre", { tabindex: 0, "aria-label": "Client code" }, code),
    h("p", { class: "muted small" }, `Sent at ${clockTime(startedAt)}`),
    part("Request headers", headersOf(requestHeaders)),
    part("Request body", tidy(requestBody)),
    part("Response headers", headersOf(responseHeaders)),
    part("Response body", tidy(responseBody)),
  );
}

/** Returns why the request cannot be copied, or `undefined` if it can. */
function whyNoCopy({ url, requestBody }: Pick<Exchange, "url" | "requestBody">) {
  if (new URL(url).pathname.startsWith("/oauth/"))
    return "A sign-in cannot be copied, because it contains the client secret.";
  return /\n… \(\d+ characters more\)$/.test(requestBody ?? "")
    ? "The request cannot be copied, because its body is too long to be kept here."
    : undefined;
}

const part = (title: string, text: string | undefined) =>
  text !== undefined &&
  text !== "" &&
  h("div", { class: "stack tight" }, h("h3", title), h("pre", { tabindex: 0, "aria-label": title }, text));

const headersOf = (headers: { [name: string]: string } | undefined) =>
  headers &&
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

function tidy(text: string | undefined) {
  if (text === undefined) return undefined;
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
