// A call that failed, told where it was made: what happened, what would help, and the name that the service's log has for it.

import { h } from "./dom.js";

const HELP = {
  network: "Check the connection, then try again: nothing that you typed is lost.",
  timeout: "Try again in a moment: nothing that you typed is lost.",
  403: "Your token may read this project and not write it. Sign in with a client that has manage_test for it.",
  404: "It may have been deleted in the meantime.",
};

/** A box that says why a call failed. */
export function failure(error) {
  const help = HELP[error.kind] ?? HELP[error.status];
  const rest = (error.errors ?? []).slice(1).map(({ message }) => h("li", {}, message));
  return h(
    "div",
    { class: "notice danger stack tight", role: "alert" },
    h("p", {}, h("strong", {}, error.message)),
    rest.length > 0 && h("ul", {}, rest),
    help !== undefined && h("p", {}, help),
    error.correlationId !== undefined && h("p", { class: "small" }, "Correlation id ", h("code", {}, error.correlationId)),
  );
}
