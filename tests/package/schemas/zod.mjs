// Resources that a team writes with zod, and what zod prints of them.

import * as z from "zod";

const Money = z.object({ amount: z.number().min(0), currency: z.enum(["EUR", "USD"]) }).meta({ id: "Money" });

export const Product = z.object({
  title: z.string().min(1).max(80).meta({ "x-title": true, description: "What the shop shows." }),
  price: Money,
  status: z.enum(["draft", "active"]).default("draft"),
  sku: z
    .string()
    .regex(/^[A-Z]{2}-[0-9]+$/)
    .meta({ "x-unique": true })
    .optional(),
  color: z.union([z.literal("red"), z.literal("green")]).optional(),
  tags: z.array(z.string().max(20)).max(3).optional(),
  size: z.object({ width: z.number().positive(), height: z.number().positive().optional() }).optional(),
  variants: z
    .array(
      z.object({
        name: z.string(),
        stock: z.int().nonnegative(),
        price: Money.optional(),
      }),
    )
    .optional(),
});

export const Order = z.object({
  number: z.int().positive().meta({ "x-unique": true }),
  placed: z.iso.datetime(),
  customer: z.object({ name: z.string().min(1), email: z.email(), vat: z.string().startsWith("DE").optional() }),
  lines: z
    .array(z.object({ sku: z.string(), count: z.int().min(1), price: z.number().multipleOf(0.01) }))
    .min(1)
    .max(4),
  paid: z.boolean(),
  payment: z.literal(["card", "invoice"]).optional(),
  delivery: z
    .object({ street: z.string(), city: z.string(), country: z.string().length(2).uppercase(), day: z.iso.date() })
    .optional(),
});

export const Job = z.object({
  title: z.string().min(3),
  company: z.object({ name: z.string(), site: z.url().optional() }),
  salary: z.object({ from: z.number().min(0), to: z.number().lt(1_000_000) }).optional(),
  kind: z.enum(["full", "part", "contract"]),
  level: z.literal([1, 2, 3]).optional(),
  skills: z.array(z.string().min(1)).min(1),
  until: z.iso.date().optional(),
  contact: z.email().max(60).optional(),
  reference: z.uuidv4().optional(),
});

const print = (/** @type {z.ZodType} */ schema) => z.toJSONSchema(schema, { io: "input" });

export const printed = { product: print(Product), order: print(Order), job: print(Job) };
