// Resources as teams declare them, with their rules: for us and for ajv as JSON Schema, which zod prints, and for zod.

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

const count = z.int().min(0);

const product = z.strictObject({
  title: z.string().min(1).max(80),
  price: z.number().min(0),
  sku: z.string().regex(/^[A-Z]{2}-[0-9]+$/u),
  status: z.enum(["draft", "active"]).optional(),
  tags: z.array(z.string()).max(20).optional(),
  size: z.strictObject({ width: z.number(), height: z.number() }).optional(),
  variants: z.array(z.strictObject({ color: z.string(), stock: count.optional() })).optional(),
  supplier: z.email().optional(),
  ean: z.string().min(8).max(13).optional(),
  brand: z.string().max(60).optional(),
  weight: z.number().min(0).max(1000).optional(),
  stock: count.optional(),
  rating: z.number().min(0).max(5).optional(),
  active: z.boolean().optional(),
  released: z.iso.date().optional(),
  updated: z.iso.datetime().optional(),
  link: z.url().optional(),
  vat: z.number().multipleOf(0.5).optional(),
  description: z.string().max(2000).optional(),
  note: z.string().optional(),
});

const order = z.strictObject({
  customer: z.strictObject({ name: z.string().min(1).max(100), email: z.email() }),
  currency: z.enum(["EUR", "USD", "CHF"]),
  lines: z
    .array(z.strictObject({ sku: z.string().max(20), count: z.int().min(1), price: z.number().min(0) }))
    .min(1)
    .max(500),
  paid: z.boolean().optional(),
});

const reading = z.strictObject({
  sensor: z.string().min(1).max(64),
  taken: z.iso.datetime(),
  values: z.array(z.number().min(-100).max(1000)).max(10_000),
});

/** Schemas of zod 4. */
export const zods = { product, order, reading };

/** What `resources.json` has: JSON Schema, as zod prints it. */
export const resources = {
  resources: Object.fromEntries(
    // A pattern of zod for a format says it twice: neither we nor ajv need it.
    Object.entries(zods).map(([name, schema]) => [name, withoutPatterns(z.toJSONSchema(schema))]),
  ),
};

function withoutPatterns(schema) {
  return JSON.parse(JSON.stringify(schema, (_, value) => (value?.format ? { ...value, pattern: undefined } : value)));
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Compiled by ajv, all errors. */
export const compiled = Object.fromEntries(
  Object.entries(resources.resources).map(([name, schema]) => [name, ajv.compile(schema)]),
);

const lines = Array.from({ length: 20 }, (_, at) => ({ sku: `AB-${at}`, count: 1 + at, price: at * 1.25 }));

const lamp = {
  title: "Desk lamp",
  price: 40.5,
  status: "active",
  sku: "AB-1234",
  tags: ["light", "office", "new"],
  size: { width: 20.5, height: 41 },
  variants: [
    { color: "red", stock: 3 },
    { color: "green", stock: 0 },
  ],
  supplier: "ada@example.com",
  ean: "4006381333931",
  brand: "Lumen",
  weight: 1.25,
  stock: 17,
  rating: 4.5,
  active: true,
  released: "2024-02-29",
  updated: "2024-02-29T12:00:00Z",
  link: "https://example.com/lamps/4711?x=1",
  vat: 19.5,
  description: "A lamp for desks, with a long arm and a warm light that does not tire the eyes.",
  note: "sold in pairs",
};

/**
 * Valid bodies: a name, the resource, and the body.
 * @type {[string, string, any][]}
 */
export const valid = [
  ["product, 20 fields", "product", lamp],
  ["order, 20 lines", "order", { customer: { name: "Ada", email: "ada@example.com" }, currency: "EUR", lines }],
  [
    "reading, 1000 values",
    "reading",
    {
      sensor: "roof-1",
      taken: "2024-02-29T12:00:00Z",
      values: Array.from({ length: 1000 }, (_, at) => (at % 97) / 4),
    },
  ],
];

/** @type {[string, string, any][]} */
export const invalid = [
  ["product, 4 issues", "product", { ...lamp, title: "", price: -1, status: "gone", released: "2023-02-29" }],
  ["order, a line wrong", "order", { ...valid[1][2], lines: [...lines, { sku: "AB-21", count: 0, price: 1 }] }],
];
