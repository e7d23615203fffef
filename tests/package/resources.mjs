// The content of a `resources.json` for tests.

export const PRODUCT = {
  title: "A product",
  description: "What the shop sells.",
  type: "object",
  required: ["title", "price"],
  properties: {
    title: { type: "string", minLength: 1, maxLength: 80 },
    price: { type: "number", minimum: 0, description: "In euros. */ Not in cents." },
    status: { enum: ["draft", "active"], default: "draft" },
    sku: { type: "string", pattern: "^[A-Z]{2}-[0-9]+$", "x-unique": true },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 20 },
    open: { type: ["boolean", "null"] },
    flags: { type: "array", items: { type: "boolean" } },
    grades: { type: "array", items: { enum: [1, 2, 3] } },
    size: { $ref: "#/$defs/size", description: "With the box." },
    variants: {
      type: "array",
      items: {
        type: "object",
        required: ["color"],
        properties: {
          color: { type: "string" },
          stock: { type: "integer", minimum: 0 },
          codes: { type: "array", items: { type: "string" } },
        },
      },
    },
    supplier: { anyOf: [{ type: "string", format: "email" }, { type: "null" }], deprecated: true },
  },
  $defs: {
    size: {
      title: "Size",
      type: "object",
      required: ["height"],
      properties: { width: { type: "number" }, height: { type: "number" }, unit: { const: "cm" } },
    },
  },
};

/** Returns the schema of objects inside each other, of so many levels. */
const nested = (levels) =>
  levels === 0 ? { type: "string" } : { type: "object", properties: { a: nested(levels - 1) } };

export const RESOURCES = {
  resources: {
    product: PRODUCT,
    supplier: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    deep: nested(8),
  },
  projects: { "*": "product", suppliers: "supplier", "deep-*": "deep" },
};
