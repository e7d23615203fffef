// Entity tags and the preconditions that name them (RFC 9110).

/** Returns the entity tag of a resource at a revision. */
export const etagOf = (id, revision) => `"${encodeURIComponent(id)}.${revision}"`;

/** Returns the tags that the header lists, `"*"` for any, or `null` for a malformed header. */
export function condition(value) {
  if (value === undefined) return undefined;
  if (value.trim() === "*") return "*";
  const tags = value.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.length > 0 && /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/.test(value) ? tags : null;
}

/**
 * Returns whether an existing resource with this tag meets the condition. The weak comparison also accepts weak tags.
 */
export const matches = (tags, etag, weak) =>
  tags === "*" || tags.some((tag) => tag === etag || (weak && tag === `W/${etag}`));
