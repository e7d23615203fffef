// Resources that a team writes by hand, as JSON Schema.

const money = { type: "number", minimum: 0, multipleOf: 0.01 };

export const printed = {
  invoice: {
    type: "object",
    required: ["number", "issued", "buyer", "lines"],
    properties: {
      number: { type: "string", pattern: "^R[0-9]{4}$", "x-unique": true, "x-title": true },
      issued: { type: "string", format: "date" },
      due: { type: ["string", "null"], format: "date" },
      buyer: { $ref: "#/$defs/party", description: "Who pays." },
      seller: { anyOf: [{ $ref: "#/$defs/party" }, { type: "null" }] },
      lines: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          required: ["text", "amount"],
          properties: {
            text: { type: "string", minLength: 1 },
            amount: money,
            rate: { enum: [0, 7, 19] },
            period: { type: "object", properties: { from: { type: "string", format: "date" } } },
          },
        },
      },
      total: money,
      paid: { type: "boolean", default: false },
    },
    $defs: {
      party: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string", minLength: 1 }, country: { type: "string", pattern: "^[A-Z]{2}$" } },
        additionalProperties: false,
      },
    },
  },
  recipe: {
    title: "A recipe",
    type: "object",
    required: ["name", "servings", "steps"],
    properties: {
      name: { type: "string", minLength: 1, maxLength: 50, examples: ["Bread"] },
      servings: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 100, default: 4 },
      level: { enum: ["easy", "hard", null] },
      vegan: { const: true },
      time: {
        type: "object",
        required: ["total"],
        properties: { total: { type: "integer" }, rest: { type: "integer" } },
      },
      ingredients: {
        type: "array",
        items: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string" }, grams: { type: "number", exclusiveMinimum: 0 } },
        },
      },
      steps: { type: "array", items: { type: "string", minLength: 1, maxLength: 30 }, minItems: 1, uniqueItems: true },
      source: { type: "string", format: "uri" },
      old: { type: "string", deprecated: true, $comment: "Nobody reads it." },
    },
  },
  place: {
    type: "object",
    required: ["name", "location"],
    properties: {
      name: { type: "string", minLength: 2 },
      location: {
        type: "object",
        required: ["latitude", "longitude"],
        properties: {
          latitude: { type: "number", minimum: -90, maximum: 90 },
          longitude: { type: "number", minimum: -180, maximum: 180 },
        },
      },
      opens: {
        type: "array",
        maxItems: 7,
        items: {
          type: "object",
          required: ["day", "from"],
          properties: {
            day: { enum: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] },
            from: { type: "string", format: "time" },
            breaks: { type: "array", items: { type: "string", pattern: "^[0-9]{2}:[0-9]{2}$" } },
          },
        },
      },
      site: { type: "string", format: "hostname" },
      address: { type: "string", format: "ipv6" },
      stars: { type: "integer", minimum: 1, maximum: 5 },
      features: { type: "array", items: { enum: ["wifi", "parking", "garden"] }, uniqueItems: true, "x-search": false },
    },
  },
};
