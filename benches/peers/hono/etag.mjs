// Entity tags and the preconditions that name them (RFC 9110).

/** The entity tag of a resource at a revision. */
export const etagOf = (id, revision) => `"${encodeURIComponent(id)}.${revision}"`;

/** The tags that the header lists, `"*"` for any, `null` for a malformed one. */
export function condition(value) {
  if (value === undefined) return undefined;
  if (value.trim() === "*") return "*";
  const tags = value.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.length > 0 && /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/.test(value) ? tags : null;
}

/** Whether a present resource with this tag meets the condition; the weak comparison lets a weak tag match too. */
export const matches = (tags, etag, weak) =>
  tags === "*" || tags.some((tag) => tag === etag || (weak && tag === `W/${etag}`));
