// The two bodies that the benchmark sends, for ajv and for zod: types, bounds, unknown members and what strings may not
// hold. What takes code of one's own (ids behind paths, bytes of a key, days of a month) is left out, which makes both
// faster than the contract would have them.
import Ajv from "ajv";
import { z } from "zod";

const TEXTS = [
  "someProperty", "eigthProperty", "ninthProperty", "tenthProperty", "eleventhPropery", "twelthProperty",
  "thirteenthProperty", "fourteenthProperty", "fifteenthProperty", "custom",
];
const SAFE = Number.MAX_SAFE_INTEGER;
const MOMENT = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$";

const closed = (properties, required = []) => ({ type: "object", properties, required, additionalProperties: false });
const maybe = (schema) => ({ ...schema, type: [schema.type, "null"] });
// Neither U+0000 nor half a surrogate pair.
const TEXT = "^[^\\0\\p{Surrogate}]*$";
const text = { type: "string", pattern: TEXT };
const name = { type: "string", minLength: 1, maxLength: 256 };
const integer = { type: "integer", minimum: -SAFE, maximum: SAFE };
const list = (items, rule) => maybe({ type: "array", items, ...rule });
const person = maybe(closed({ firstName: maybe(text), lastName: maybe(text) }));
const moment = maybe({ type: "string", pattern: MOMENT });

const draftSchema = closed(
  {
    id: maybe(name),
    version: maybe({ type: "integer", minimum: 0, maximum: SAFE }),
    key: maybe(name),
    createdAt: moment,
    createdBy: person,
    lastModifiedAt: moment,
    lastModifiedBy: person,
    objectTypeProperty: closed({
      arrayOfIntExample: list(integer),
      arrayOfUniqueIntExample: list(integer, { uniqueItems: true }),
      arrayOfTwonumbersExample: list(integer, { maxItems: 2, not: { minItems: 1, maxItems: 1 } }),
      arrayOfFloatExample: list({ type: "number" }),
      arrayOfNumberNoDefaultsExample: list({ type: "number" }),
      arrayOfStringExample: list(text),
      arrayOfObjectType: list(
        closed({ integerExample: maybe(integer), integerExampleInt32: maybe({ type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }) }),
      ),
    }),
    ...Object.fromEntries(TEXTS.map((field) => [field, maybe(text)])),
  },
  ["objectTypeProperty"],
);

const updateSchema = closed(
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
          closed({ action: { const: "doSomeThing" } }, ["action"]),
          closed({ action: { const: "changeSomeProperty" }, someProperty: text }, ["action", "someProperty"]),
        ],
      },
    },
  },
  ["version", "actions"],
);

const ajv = new Ajv({ allErrors: true, discriminator: true, allowUnionTypes: true, strictTypes: false });

/** Compiled by ajv, all errors. */
export const compiled = { resourceDraft: ajv.compile(draftSchema), resourceUpdate: ajv.compile(updateSchema) };

const zText = z.string().regex(new RegExp(TEXT, "u"));
const zName = z.string().min(1).max(256);
const zPerson = z.strictObject({ firstName: zText.nullish(), lastName: zText.nullish() });
const zMoment = z.string().regex(new RegExp(MOMENT));

/** Schemas of zod 4. */
export const zods = {
  resourceDraft: z.strictObject({
    id: zName.nullish(),
    version: z.int().min(0).nullish(),
    key: zName.nullish(),
    createdAt: zMoment.nullish(),
    createdBy: zPerson.nullish(),
    lastModifiedAt: zMoment.nullish(),
    lastModifiedBy: zPerson.nullish(),
    objectTypeProperty: z.strictObject({
      arrayOfIntExample: z.array(z.int()).nullish(),
      arrayOfUniqueIntExample: z.array(z.int()).refine((items) => new Set(items).size === items.length).nullish(),
      arrayOfTwonumbersExample: z.array(z.int()).refine((items) => items.length === 0 || items.length === 2).nullish(),
      arrayOfFloatExample: z.array(z.number()).nullish(),
      arrayOfNumberNoDefaultsExample: z.array(z.number()).nullish(),
      arrayOfStringExample: z.array(zText).nullish(),
      arrayOfObjectType: z
        .array(z.strictObject({ integerExample: z.int().nullish(), integerExampleInt32: z.int().min(-(2 ** 31)).max(2 ** 31 - 1).nullish() }))
        .nullish(),
    }),
    ...Object.fromEntries(TEXTS.map((field) => [field, zText.nullish()])),
  }),
  resourceUpdate: z.strictObject({
    version: z.int().min(0),
    actions: z
      .array(
        z.discriminatedUnion("action", [
          z.strictObject({ action: z.literal("doSomeThing") }),
          z.strictObject({ action: z.literal("changeSomeProperty"), someProperty: zText }),
        ]),
      )
      .max(500),
  }),
};
