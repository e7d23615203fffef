// The list of opened projects, and the field to open another one.

import { addressOf, go, isProject, PROJECT_RULE } from "../state/address.js";
import * as session from "../state/session.js";
import { h } from "../widgets/base/dom.js";
import { labeled } from "../widgets/base/labeled.js";

/** The page at `#/` for a signed-in person. */
export function projectsView() {
  return h(
    "div",
    { class: "center" },
    h(
      "div",
      { class: "stack wide-gap narrow" },
      h("h1", "Projects"),
      h("ul", { class: "project-list stack snug" }, session.projects().map(projectItem)),
      openForm(),
    ),
  );
}

function projectItem(project: string) {
  const link = h(
    "a",
    { class: "card row", href: addressOf({ project }) },
    h("span", { class: "mono" }, project),
    h("span", { class: "muted", "aria-hidden": "true" }, "→"),
  );
  return h("li", link);
}

/** The form that opens another project. */
function openForm() {
  const input = h("input", {
    name: "project",
    spellcheck: "false",
    autocapitalize: "none",
    placeholder: "for example: demo",
  });
  const other = labeled("Open another project", input, {
    hint: "Any unused name is an empty project. Its first resource creates it.",
  });
  const submit = (event: Event) => {
    event.preventDefault();
    const project = input.value.trim();
    if (isProject(project)) return go({ project });
    other.error(PROJECT_RULE);
    input.focus();
  };
  const button = h("button", { class: "button", type: "submit" }, "Open");
  return h("form", { class: "stack", onsubmit: submit }, other.element, button);
}
