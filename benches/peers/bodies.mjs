// The two request bodies of the benchmarks as JSON Schema for ajv: types, bounds, unknown members, and forbidden
// characters of strings. Rules that need code (the bytes of a key, reserved IDs, the days of a month) are missing,
// which makes ajv faster.
/** The names of the texts, in the order of presentation. */
export const TEXTS = [
  "someProperty",
  "eigthProperty",
  "ninthProperty",
  "tenthProperty",
  "eleventhPropery",
  "twelthProperty",
  "thirteenthProperty",
  "fourteenthProperty",
  "fifteenthProperty",
  "custom",
];
const SAFE = Number.MAX_SAFE_INTEGER;
export const MOMENT = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$";

const objectOf = (properties, required = []) => ({ type: "object", properties, required, additionalProperties: false });
const maybe = (schema) => ({ ...schema, type: [schema.type, "null"] });
// Neither U+0000 nor a lone surrogate.
export const TEXT = "^[^\\0\\p{Surrogate}]*$";
const text = { type: "string", pattern: TEXT };
const name = { type: "string", minLength: 1, maxLength: 256 };
const integer = { type: "integer", minimum: -SAFE, maximum: SAFE };
const list = (items, rule) => maybe({ type: "array", items, ...rule });
const person = maybe(objectOf({ firstName: maybe(text), lastName: maybe(text) }));
const moment = maybe({ type: "string", pattern: MOMENT });

const arrays = {
  arrayOfIntExample: list(integer),
  arrayOfUniqueIntExample: list(integer, { uniqueItems: true }),
  arrayOfTwonumbersExample: list(integer, { maxItems: 2, not: { minItems: 1, maxItems: 1 } }),
  arrayOfFloatExample: list({ type: "number" }),
  arrayOfNumberNoDefaultsExample: list({ type: "number" }),
  arrayOfStringExample: list(text),
  arrayOfObjectType: list(
    objectOf({
      integerExample: maybe(integer),
      integerExampleInt32: maybe({ type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
    }),
  ),
};

/** The names of the seven arrays, in the order of presentation. */
export const ARRAYS = Object.keys(arrays);

/** The body that creates or updates a resource. */
export const draftSchema = objectOf(
  {
    id: maybe(name),
    version: maybe({ type: "integer", minimum: 0, maximum: SAFE }),
    key: maybe(name),
    createdAt: moment,
    createdBy: person,
    lastModifiedAt: moment,
    lastModifiedBy: person,
    objectTypeProperty: objectOf(arrays),
    ...Object.fromEntries(TEXTS.map((field) => [field, maybe(text)])),
  },
  ["objectTypeProperty"],
);

/** The body that updates a resource by ID. */
export const updateSchema = objectOf(
  {
    version: { type: "integer", minimum: 0, maximum: SAFE },
    actions: {
      type: "array",
      maxItems: 500,
      items: {
        type: "object",
        discriminator: { propertyName: "action" },
        required: ["action"],
        oneOf: [
          objectOf({ action: { const: "doSomeThing" } }, ["action"]),
          objectOf({ action: { const: "changeSomeProperty" }, someProperty: text }, ["action", "someProperty"]),
        ],
      },
    },
  },
  ["version", "actions"],
);

/** Options of ajv: every issue of a body is listed. */
export const AJV_OPTIONS = { allErrors: true, discriminator: true, allowUnionTypes: true, strictTypes: false };
