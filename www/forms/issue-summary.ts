// The issues of a form, listed above it. Each leads to its place.

import { h, linkButton, uniqueId } from "../widgets/base/dom.js";
import type { PathIssue } from "./inputs/input.js";

const SHOWN = 20;

/** The box, hidden until `show(title, issues)`. `lead(issue)` focuses an issue. */
export function issueSummary(lead: (issue: PathIssue) => void) {
  const id = uniqueId("summary");
  const element = h("div", {
    class: "summary stack snug",
    role: "alert",
    tabindex: -1,
    hidden: true,
    "aria-labelledby": id,
  });
  return {
    element,
    get shown() {
      return !element.hidden;
    },
    show(title: string, issues: readonly PathIssue[]) {
      const lines = issues.slice(0, SHOWN).map((issue) =>
        h(
          "li",
          linkButton(issue.message, () => lead(issue)),
        ),
      );
      if (issues.length > SHOWN) lines.push(h("li", `And ${issues.length - SHOWN} more.`));
      element.replaceChildren(h("h2", { id }, title), h("ul", { class: "stack tight" }, lines));
      element.hidden = false;
    },
    hide: () => (element.hidden = true),
  };
}
