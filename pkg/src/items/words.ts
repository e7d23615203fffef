// The names of fields in words.

/** Returns a name in words: `createdAt` is `Created at`. An abbreviation, such as `SKU`, remains as it is. */
export function wordsOf(name: string) {
  const words = name.replaceAll("_", " ").match(/[A-Z]+(?![a-z])|[A-Z]?[^A-Z ]+/g) ?? [name];
  const text = words.map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase())).join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/\bid\b/i, "ID");
}
