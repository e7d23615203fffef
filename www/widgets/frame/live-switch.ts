// The switch of live updates, with the state of the connection.

import { onConnection, resume, setPaused, type Connection } from "../../state/live.js";
import { SignInError, signInAgain } from "../../state/session.js";
import { button, h, mount, toast } from "../base/dom.js";

/** What is shown beside the switch. */
const STATES: { [state in Connection]?: string } = {
  reconnecting: "reconnecting",
  paused: "paused",
  "signed out": "signed out",
  error: "stopped",
};

/** Returns the switch. It is on while changes by others appear. */
export function liveSwitch() {
  const turn = () => setPaused(toggle.getAttribute("aria-checked") === "true");
  const toggle = button([h("span", { class: "live-dot", "aria-hidden": "true" }), "Live"], turn, "quiet small", {
    role: "switch",
    "aria-label": "Live updates",
    title: "Show changes by others at once",
  });
  const status = h("span", { role: "status", class: "muted small" });
  const again = h("span");
  const element = h("div", { class: "live" }, toggle, status, again);
  onConnection((connection) => {
    element.dataset.state = connection;
    toggle.setAttribute("aria-checked", String(connection !== "paused"));
    const text = STATES[connection] ?? "";
    // A text that is set again may be announced again.
    if (status.textContent !== text) status.textContent = text;
    const isFocused = again.contains(document.activeElement);
    mount(
      again,
      connection === "signed out" && button("Sign in", signIn, "small"),
      connection === "error" && button("Try again", resume, "small"),
    );
    if (isFocused) (again.querySelector("button") ?? toggle).focus();
  });
  return element;
}

const signIn = () =>
  signInAgain().catch((error) => {
    // In the dialog, a person may also sign out.
    if (!(error instanceof SignInError && error.code === "signed_out")) toast(error.message, "error");
  });
