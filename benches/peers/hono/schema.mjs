// The bodies that the worker takes, as zod schemas. Unknown members are errors; null counts as absent where a member
// is optional.
import { z } from "zod";

const CONTROL = /\p{Cc}/u;
const RESERVED = new Set([".", "..", "searchApiPattern", "sorted-query-parameters", "description-with-urn-links", "artificially-complex"]);
const bytes = new TextEncoder();

const text = z.string().refine((value) => value.isWellFormed() && !value.includes("\0"), "holds U+0000 or a lone surrogate");
const name = text.refine(
  (value) => value !== "" && value !== "." && value !== ".." && bytes.encode(value).length <= 256 && !CONTROL.test(value),
  "is not 1 to 256 bytes without control characters",
);
const id = name.refine((value) => !RESERVED.has(value) && !value.startsWith("key="), "would hide behind a path");
const integer = z.int();
const int32 = z.int().min(-(2 ** 31)).max(2 ** 31 - 1);
const version = z.int().min(0);
const instant = z.iso.datetime({ precision: 3 }).refine((value) => !value.startsWith("0000"), "is before year 1");
const person = z.strictObject({ firstName: text.nullish(), lastName: text.nullish() });

const arrays = z.strictObject({
  arrayOfIntExample: z.array(integer).nullish(),
  arrayOfUniqueIntExample: z.array(integer).refine((items) => new Set(items).size === items.length, "has an item twice").nullish(),
  arrayOfTwonumbersExample: z.array(integer).refine((items) => items.length === 0 || items.length === 2, "has not two items").nullish(),
  arrayOfFloatExample: z.array(z.number()).nullish(),
  arrayOfNumberNoDefaultsExample: z.array(z.number()).nullish(),
  arrayOfStringExample: z.array(text).nullish(),
  arrayOfObjectType: z.array(z.strictObject({ integerExample: integer.nullish(), integerExampleInt32: int32.nullish() })).nullish(),
});

/** The names of the seven arrays, in the order of presentation. */
export const ARRAYS = Object.keys(arrays.shape);

/** The names of the texts, in the order of presentation. */
export const TEXTS = [
  "someProperty", "eigthProperty", "ninthProperty", "tenthProperty", "eleventhPropery", "twelthProperty",
  "thirteenthProperty", "fourteenthProperty", "fifteenthProperty", "custom",
];

/** The body that creates or updates a resource. */
export const draft = z.strictObject({
  id: id.nullish(),
  version: version.nullish(),
  key: name.nullish(),
  createdAt: instant.nullish(),
  createdBy: person.nullish(),
  lastModifiedAt: instant.nullish(),
  lastModifiedBy: person.nullish(),
  objectTypeProperty: arrays,
  ...Object.fromEntries(TEXTS.map((field) => [field, text.nullish()])),
});

/** The body that updates a resource by id. */
export const update = z.strictObject({
  version,
  actions: z
    .array(
      z.discriminatedUnion("action", [
        z.strictObject({ action: z.literal("doSomeThing") }),
        z.strictObject({ action: z.literal("changeSomeProperty"), someProperty: text }),
      ]),
    )
    .max(500),
});

/** The query parameters of a read. */
export const readParameters = z.strictObject({
  optionalQueryParameter: z.tuple([z.string()]).optional(),
  secondOptionalQueryParameter: z.tuple([z.string()]).optional(),
  expand: z.array(z.string().regex(/^[-\w]+(\[\*\])?(\.[-\w]+(\[\*\])?)*$/)).optional(),
});

/** For what takes no query parameters. */
export const noParameters = z.strictObject({});
