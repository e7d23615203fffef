// A failed call, shown where it was started: what happened, what helps, and its correlation ID in the service's log.

import { h } from "./dom.js";

const HELP = {
  network: "Check the connection, then try again: nothing that you typed is lost.",
  timeout: "Try again in a moment: nothing that you typed is lost.",
  403: forbidden,
  404: "It may have been deleted in the meantime.",
};

/** A box that shows why a call failed. */
export function failure(error) {
  const known = HELP[error.kind] ?? HELP[error.status];
  const help = typeof known === "function" ? known(error) : known;
  const rest = (error.errors ?? []).slice(1).map(({ message }) => h("li", {}, message));
  return h(
    "div",
    { class: "notice danger stack tight", role: "alert" },
    h("p", {}, h("strong", {}, error.message)),
    rest.length > 0 && h("ul", {}, rest),
    help !== undefined && h("p", {}, help),
    error.correlationId !== undefined &&
      h("p", { class: "small" }, "Correlation id ", h("code", {}, error.correlationId)),
  );
}

/** A read accepts either scope, so the service names both if both are missing. */
function forbidden({ errors }) {
  if (errors?.some(({ scopes }) => scopes?.includes("view_test")))
    return "Your token does not open this project. Sign in with a client that has view_test or manage_test for it.";
  return "Your token may not write this project. Sign in with a client that has manage_test for it.";
}
