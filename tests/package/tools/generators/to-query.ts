/** Returns a query string: a list is a repeated parameter, and each member of `var` or `text` is one. */
export function toQuery(params: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const item of value) query.append(name, String(item));
    else if (name === "var" || name === "text")
      for (const member of Object.entries<string>(value)) query.append(...member);
    else query.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return query.toString();
}
