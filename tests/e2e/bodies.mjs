// The largest bodies of some kinds: those with the most memory, rows, and words.

const LIMIT = 1024 * 1024;
/** The bytes that remain for the other fields of the record. */
const REST = 600;

function list(field, item) {
  const items = [];
  let bytes = REST + field.length;
  for (let at = 0; ; at += 1) {
    const text = item(at);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > LIMIT) return `"objectTypeProperty":{"${field}":[${items}]}`;
    items.push(text);
  }
}

/** Returns the members of each body by name, as JSON. */
export const largest = () => ({
  "items without members": list("arrayOfObjectType", () => "{}"),
  "distinct integers": list("arrayOfIntExample", String),
  doubles: list("arrayOfFloatExample", (at) => `0.${at}5`),
  "one-digit doubles": list("arrayOfNumberNoDefaultsExample", () => "5"),
  "short texts": list("arrayOfStringExample", () => '"S123"'),
  "texts that fold to longer ones": list("arrayOfStringExample", (at) =>
    JSON.stringify(`${at} ${"\u0390".repeat(250)}`),
  ),
  "a long text": `"objectTypeProperty":{},"custom":"${"\u0390".repeat((LIMIT - REST) / 2)}"`,
});

/** A write of such a body. */
export const write = (method, members, more = "") => ({ method, body: `{"id":"big",${more}${members}}` });
