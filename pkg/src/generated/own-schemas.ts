// Generated from the OpenAPI document's schemas (src/openapi). Do not edit: run `make generate`.

/** The schemas of values, by the types of own fields. */
export const kinds: { readonly [kind: string]: { type: string; [name: string]: unknown } } = {
  "text": {"type":"string","pattern":"^[^\\u0000]*$"},
  "integer": {"type":"integer","format":"int64","minimum":-9007199254740991,"maximum":9007199254740991},
  "number": {"type":"number","format":"double"},
  "boolean": {"type":"boolean"},
  "datetime": {"type":"string","format":"date-time","pattern":"^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{3}Z$"},
  "text[]": {"type":"array","items":{"type":"string","pattern":"^[^\\u0000]*$"}},
  "integer[]": {"type":"array","items":{"type":"integer","format":"int64","minimum":-9007199254740991,"maximum":9007199254740991}},
  "number[]": {"type":"array","items":{"type":"number","format":"double"}},
  "boolean[]": {"type":"array","items":{"type":"boolean"}},
  "datetime[]": {"type":"array","items":{"type":"string","format":"date-time","pattern":"^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{3}Z$"}},
};

/** The names of the schemas that have own fields, and of the one that has their actions. */
export const bodies = ["ResourceDraft", "ResourceOverwrite", "ComplexBody"];
export const record = "Resource";
export const actions = "ExampleResourceUpdateAction";
