// The two bodies that the validation benchmarks send, as schemas of zod.
import { z } from "zod";
import { MOMENT, TEXT, TEXTS } from "./bodies.mjs";

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
      arrayOfUniqueIntExample: z
        .array(z.int())
        .refine((items) => new Set(items).size === items.length)
        .nullish(),
      arrayOfTwonumbersExample: z
        .array(z.int())
        .refine((items) => items.length === 0 || items.length === 2)
        .nullish(),
      arrayOfFloatExample: z.array(z.number()).nullish(),
      arrayOfNumberNoDefaultsExample: z.array(z.number()).nullish(),
      arrayOfStringExample: z.array(zText).nullish(),
      arrayOfObjectType: z
        .array(
          z.strictObject({
            integerExample: z.int().nullish(),
            integerExampleInt32: z
              .int()
              .min(-(2 ** 31))
              .max(2 ** 31 - 1)
              .nullish(),
          }),
        )
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
