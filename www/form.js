// The form of a body: its fields and its JSON, two faces of one value, judged by the package's validator while somebody
// types. What the fields do not know (a misspelt name in the JSON) stays in the value and is told like any other issue.

import { validate } from "./pkg/browser.js";
import { h, uniqueId } from "./dom.js";
import { plural } from "./parts.js";
import { fields as every } from "./fields.js";
import { same, valueAt, withValue } from "./schema.js";
import { inputFor } from "./inputs.js";
import { jsonEditor } from "./json-editor.js";
import { tabs } from "./tabs.js";

const GROUPS = [
  { title: "Names", kinds: ["name"] },
  { title: "Arrays", kinds: ["numbers", "texts", "objects"] },
  { title: "Texts", kinds: ["text"] },
  { title: "People", kinds: ["group"] },
];

/** The fields that a person fills in: versions and moments are the service's. */
export const formFields = every.filter(({ kind }) => GROUPS.some(({ kinds }) => kinds.includes(kind)));

/**
 * A form for a body. `without` names the fields that it does not offer; `more(value)` gives issues beside the validator's;
 * `changed()` is called when somebody typed. It has `element`, `state()` and `restore(state)` for what was typed, `value`,
 * `issues`, `check()` (marks what is wrong, says whether nothing is, and else leads there) and `fail(errors)`.
 */
export function bodyForm({ kind, value: start, without = [], more = () => [], changed }) {
  const fields = formFields.filter(({ name }) => !without.includes(name));
  const judge = (input, value) => [...(validate(kind, input).issues ?? []), ...(value === undefined ? [] : more(value))];
  let value = start;
  let issues = [];
  // What the service said of the value, until it is changed.
  let told = [];
  const inputs = fields.map((field) => ({ field, input: inputFor(field, () => typed(field)) }));
  const json = jsonEditor({ label: "The whole body as JSON", judge: judgeText, changed: typedJson });
  const summary = h("div", { class: "summary", role: "alert", tabindex: -1, hidden: true });
  const sections = GROUPS.map(({ title, kinds }) => {
    const inside = inputs.filter(({ field }) => kinds.includes(field.kind)).map(({ input }) => input.element);
    return inside.length > 0 && h("section", { class: "card stack", "aria-label": title }, h("h2", {}, title), h("div", { class: "form-grid" }, inside));
  });
  const faces = tabs("How to edit", [
    { name: "form", label: "Form", content: h("div", { class: "stack" }, sections), leave: () => true },
    { name: "json", label: "JSON", content: h("div", { class: "card" }, json.element), leave: leaveJson },
  ], (name) => {
    if (name === "json") json.text = JSON.stringify(value, null, 2);
    else put(value);
    mark();
  });

  function typed(field) {
    const { input } = inputs.find((one) => one.field === field);
    value = withValue(value, field.path, input.get());
    if (value.objectTypeProperty === undefined && field.path.length > 1) value = withValue(value, field.path.slice(0, 1), {});
    told = [];
    mark();
    changed();
  }
  function judgeText(text) {
    return [...judge(text, parsed(text)), ...told];
  }
  function typedJson() {
    value = parsed(json.text) ?? value;
    told = [];
    mark();
    changed();
  }
  /** The JSON can be left where the fields can show what it says. */
  function leaveJson() {
    json.flush();
    const object = parsed(json.text);
    const found = json.check();
    const unreadable = object === undefined || found.some(({ message }) => / stands twice\.$/.test(message));
    if (!unreadable) return true;
    summary.hidden = false;
    tell("The form cannot show this JSON yet", found.length > 0 ? found : [{ message: "Expected an object.", path: [], from: 0, to: 1 }]);
    return false;
  }
  function put(next) {
    value = next;
    for (const { field, input } of inputs) input.set(valueAt(value, field.path));
  }
  function mark() {
    const writing = inputs.flatMap(({ input }) => (faces.current === "form" ? input.problems() : []));
    issues = faces.current === "json" ? json.check() : [...judge(value, value), ...told, ...writing];
    if (faces.current === "form") for (const { field, input } of inputs) input.mark(issues.filter(({ path }) => isWithin(path, field.path)));
    if (summary.hidden) return;
    if (issues.length === 0) summary.hidden = true;
    else tell(`${plural(issues.length, "problem")} to put right before saving`, issues);
  }
  function tell(title, found) {
    const id = uniqueId("summary");
    summary.setAttribute("aria-labelledby", id);
    const lines = found.slice(0, 20).map((issue) => h("li", {}, h("button", { class: "link", type: "button", onclick: () => lead(issue) }, issue.message)));
    if (found.length > 20) lines.push(h("li", {}, `And ${found.length - 20} more.`));
    summary.replaceChildren(h("h2", { id }, title), h("ul", { class: "stack tight" }, lines));
  }
  /** To the place that an issue is about: its field, or where it stands in the JSON. */
  function lead(issue) {
    const found = inputs.find(({ field }) => isWithin(issue.path, field.path));
    if (faces.current === "form" && found !== undefined) return found.input.control.focus();
    if (faces.current === "form") faces.show("json");
    const again = json.check().find(({ message, path }) => message === issue.message && same(path, issue.path));
    json.select(again ?? { from: 0, to: 0 });
  }

  put(start);
  return {
    element: h("div", { class: "stack" }, summary, faces.element),
    get value() {
      return value;
    },
    get issues() {
      return issues;
    },
    state: () => ({ value, text: faces.current === "json" ? json.text : undefined }),
    restore(state) {
      put(state.value);
      if (state.text !== undefined) {
        faces.show("json");
        json.text = state.text;
      }
      mark();
    },
    check() {
      if (faces.current === "json") json.flush();
      mark();
      if (issues.length === 0) return true;
      summary.hidden = false;
      mark();
      summary.focus();
      return false;
    },
    fail(found) {
      told = found;
      summary.hidden = false;
      mark();
      summary.focus();
    },
  };
}

const isWithin = (path, above) => above.every((name, at) => path[at] === name);

/** The object that a JSON text is; undefined for any other. */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
