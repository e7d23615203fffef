// `FormFields`: the plain inputs of a form.

import { createElement, Fragment, type ReactNode } from "react";
import type { ResourceForm } from "./form.js";
import type { FormField, FormList, FormValue } from "./form-fields.js";

const button = (text: string, onClick: () => void) => createElement("button", { type: "button", onClick }, text);
const errorOf = (error: string | undefined) => createElement("output", null, error);

/**
 * Renders the inputs of a form, with labels and errors, and the conflicts with both values to choose from. It has no
 * styles. For a look of your own, render `form.fields` and `form.conflicts` yourself.
 */
export function FormFields({ form }: { readonly form: ResourceForm<any> }): any {
  const fields = form.fields.map((field) => createElement(Field, { key: field.path, field }));
  const conflicts = form.conflicts.map(({ path, label, mine, theirs, isList, choose }) =>
    createElement(
      "p",
      { key: path },
      `${label}: `,
      button(`Mine: ${textOf(mine)}`, () => choose("mine")),
      button(`Theirs: ${textOf(theirs)}`, () => choose("theirs")),
      isList && button("Both", () => choose("both")),
    ),
  );
  return createElement(Fragment, null, fields, conflicts, errorOf(form.message));
}

const textOf = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value ?? ""));

const Field = ({ field }: { readonly field: FormField }): ReactNode =>
  field.kind === "list" ? listOf(field) : inputOf(field);

function listOf({ label, items, add, error }: FormList): ReactNode {
  const rows = items.map(({ fields, remove }, at) =>
    createElement(
      "div",
      { key: at },
      ...fields.map((field) => createElement(Field, { key: field.path, field })),
      button("Remove", remove),
    ),
  );
  return createElement(
    "fieldset",
    null,
    createElement("legend", null, label),
    ...rows,
    button("Add", add),
    errorOf(error),
  );
}

function inputOf({ label, isRequired, input, choices, error }: FormValue) {
  const { type, inputMode, ...shared } = input;
  const options = choices?.map((choice) => createElement("option", { key: choice }, choice));
  const control = options ? createElement("select", shared, ...options) : createElement("input", input);
  return createElement("label", null, isRequired ? `${label} *` : label, control, errorOf(error));
}
