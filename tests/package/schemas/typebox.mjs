// Resources that a team writes with TypeBox: its schemas are JSON Schemas.

import Type from "typebox";

const Point = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});
const Priority = Type.Union([Type.Literal("low"), Type.Literal("normal"), Type.Literal("high")], { default: "normal" });

export const Vehicle = Type.Object({
  plate: Type.String({ pattern: "^[A-Z]{1,3}-[0-9]{1,4}$", "x-unique": true, "x-title": true }),
  make: Type.String({ minLength: 1 }),
  year: Type.Integer({ minimum: 1900, maximum: 2100 }),
  fuel: Type.Union([Type.Literal("petrol"), Type.Literal("diesel"), Type.Literal("electric")]),
  doors: Type.Optional(Type.Union([Type.Literal(2), Type.Literal(3), Type.Literal(5)])),
  engine: Type.Optional(
    Type.Object({ power: Type.Number({ exclusiveMinimum: 0 }), cylinders: Type.Optional(Type.Integer()) }),
  ),
  services: Type.Optional(
    Type.Array(
      Type.Object({
        day: Type.String({ format: "date" }),
        cost: Type.Number({ minimum: 0 }),
        parts: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
      }),
    ),
  ),
  electric: Type.Optional(Type.Boolean()),
});

export const Reading = Type.Object(
  {
    sensor: Type.String({ format: "uuid" }),
    at: Type.String({ format: "date-time" }),
    place: Type.Optional(Point),
    values: Type.Array(
      Type.Object({
        unit: Type.Enum(["C", "hPa", "%"]),
        value: Type.Number({ minimum: -300, maximum: 2000 }),
      }),
      { minItems: 1, maxItems: 5 },
    ),
    battery: Type.Optional(Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.5 })),
    address: Type.Optional(Type.String({ format: "ipv4" })),
    faults: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { uniqueItems: true, maxItems: 3 })),
  },
  { additionalProperties: false },
);

export const Ticket = Type.Object({
  subject: Type.String({ minLength: 3, maxLength: 40 }),
  priority: Type.Optional(Priority),
  reporter: Type.Object({ name: Type.String(), email: Type.String({ format: "email" }) }),
  assignee: Type.Optional(Type.Object({ team: Type.Enum(["web", "core"]), lead: Type.Optional(Type.Boolean()) })),
  hours: Type.Optional(Type.Number({ multipleOf: 0.25, minimum: 0 })),
  history: Type.Optional(
    Type.Array(
      Type.Object({
        at: Type.String({ format: "date-time" }),
        state: Type.Union([Type.Literal("open"), Type.Literal("closed")]),
        by: Type.Optional(Type.Object({ name: Type.String() })),
      }),
    ),
  ),
  duplicateOf: Type.Optional(Type.Integer({ minimum: 1 })),
});

export const printed = { vehicle: Vehicle, reading: Reading, ticket: Ticket };
