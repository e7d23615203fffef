// The pages of a list: their sizes and limits (D22).

/** The largest offset and page size that the service accepts; tests/www/collection.test.mjs compares them. */
export const FURTHEST = 10_000;
export const LARGEST = 500;
/** The default number of resources per page. */
export const PAGE = 20;

/**
 * Parses a whole number of an address, within limits.
 * @param {string | null} text
 * @param {number} otherwise
 * @param {number} max
 */
export function whole(text, otherwise, max) {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) && number >= 0 && number <= max ? number : otherwise;
}
