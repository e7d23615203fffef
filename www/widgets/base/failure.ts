// Failed calls: the error, advice, and the correlation ID in the service's log.

import type { ResourceError } from "../../pkg/browser.js";
import { button, h } from "./dom.js";

/** The members of an error that the console shows: those of the client's `ResourceError`, as far as there are any. */
export type Failure = Error & Partial<Omit<ResourceError, keyof Error>>;

/** Returns a thrown value as an error with the members that the console shows. */
export const failureOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error))) as Failure;

const HELP: { [kindOrStatus: string]: string | undefined } = {
  network: "Check the connection, then try again. Your input is kept.",
  timeout: "Try again in a moment. Your input is kept.",
  404: "It may have been deleted in the meantime.",
};

/** A box that shows why a call failed, at the place where it was started. */
export function failure(thrown: unknown) {
  const error = failureOf(thrown);
  const help = error.status === 403 ? missingScope(error) : (HELP[error.kind ?? ""] ?? HELP[error.status ?? ""]);
  const rest = (error.errors ?? []).slice(1).map(({ message }) => h("li", message));
  return h(
    "div",
    { class: "notice danger stack tight", role: "alert" },
    h("p", h("strong", error.message)),
    rest.length > 0 && h("ul", rest),
    help !== undefined && h("p", help),
    error.correlationId !== undefined && h("p", { class: "small" }, "Correlation ID ", h("code", error.correlationId)),
  );
}

/**
 * Returns what to do about a missing scope. A read accepts either scope, so the service names both if both are missing.
 * About a rule that forbids a write, its own sentence says all.
 */
function missingScope({ code, errors }: Failure) {
  if (code === "Forbidden") return undefined;
  if (errors?.some(({ scopes }) => scopes?.includes("view_test")))
    return (
      "Your token has no access to this project. Sign in with a client that has the scope view_test or " +
      "manage_test for it."
    );
  return (
    "Your token is not allowed to write to this project. Sign in with a client that has the scope " +
    "manage_test for it."
  );
}

/** Shown in place of a view that failed. `retry` tries again. */
export function failureView(thrown: unknown, retry?: () => unknown) {
  const error = failureOf(thrown);
  return h(
    "div",
    { class: "empty", role: "alert" },
    h("h1", error.status === 404 ? "Not found" : "The request failed"),
    h("p", { class: "muted" }, error.message),
    error.status === 403 && h("p", { class: "muted" }, missingScope(error)),
    error.correlationId !== undefined &&
      h("p", { class: "muted small" }, "Correlation ID ", h("code", error.correlationId)),
    retry !== undefined && h("div", { class: "toolbar centered" }, button("Try again", retry)),
  );
}
