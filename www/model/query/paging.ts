// The pages of a list: their sizes and limits (D22).

/** The largest offset and page size that the service accepts; tests/console/collection.test.mjs compares them. */
export const FURTHEST = 10_000;
export const LARGEST = 500;
/** The default number of resources per page. */
export const PAGE = 20;

/** Parses a whole number of an address, within limits. */
export function whole(text: string | null, otherwise: number, max: number) {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) && number >= 0 && number <= max ? number : otherwise;
}
