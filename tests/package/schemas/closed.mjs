// Schemas as the service understands them.

/** Returns a schema without other properties than it names, wherever it is, and without the name of its version. */
export function closed(schema) {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const { $schema, ...members } = schema;
  const inner = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, closed(value)]));
  return typeof schema.properties === "object" ? { ...inner, additionalProperties: false } : inner;
}
