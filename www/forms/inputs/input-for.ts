// The inputs of a form, one for each kind of field of the schema. A value that an input cannot show is kept unchanged,
// to be edited as JSON.

import { choicesOf } from "../../model/schema.js";
import { Chips } from "./chips.js";
import { Group } from "./group.js";
import type { FormField, Input } from "./input.js";
import { checksInput, listInput, pairInput } from "./list-inputs.js";
import { ObjectsInput } from "./objects-table.js";
import { Rows } from "./rows.js";
import { choiceInput, dayInput, jsonInput, numberInput, textInput, timeInput } from "./value-inputs.js";

/** Creates the input of a field. `changed()` is called after typing. A field of an unknown kind is edited as JSON. */
export function inputFor(field: FormField, changed: () => void): Input {
  const choices = choicesOf(field.schema);
  if (choices !== undefined) return choiceInput(field, changed, choices);
  switch (field.kind) {
    case "group":
      return new Group(field, changed, { make: inputFor });
    case "numbers":
      if (field.pair) return pairInput(field, changed);
      return scalarsInput(field, changed);
    case "texts":
    case "booleans":
    case "dates":
      return scalarsInput(field, changed);
    case "objects":
      return field.isTable ? new ObjectsInput(field, changed) : new Rows(field, changed, inputFor);
    case "number":
      return numberInput(field, changed, field.whole);
    case "date":
      return timeInput(field, changed);
    case "boolean":
      return choiceInput(field, changed, [true, false]);
    case "name":
    case "text":
      return field.schema.format === "date" ? dayInput(field, changed) : textInput(field, changed);
    default:
      return jsonInput(field, changed);
  }
}

/** The input of a list of single values. */
function scalarsInput(field: FormField, changed: () => void) {
  const { items = {}, uniqueItems } = field.schema;
  const choices = choicesOf(items);
  if (choices !== undefined && uniqueItems) return checksInput(field, changed, choices);
  return field.kind === "texts" ? new Chips(field, changed) : listInput(field, changed);
}
