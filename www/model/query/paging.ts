// The pages of a list (D22).

import { limits } from "../../pkg/browser.js";

/** The page that a list shows. */
export type Place = { offset: number; limit: number };

/** Reads the page from an address's parameters. */
export const readPlace = (params: URLSearchParams): Place => ({
  limit: whole(params.get("limit"), limits.pageMax) || limits.pageDefault,
  offset: whole(params.get("offset"), limits.offsetMax),
});

/** Returns the parameters of an address. Those of the first page are empty. */
export const writePlace = ({ limit, offset }: Place) => ({
  limit: limit === limits.pageDefault ? "" : limit,
  offset: offset || "",
});

/** Parses a whole number. What is none, or larger than `max`, is 0. */
function whole(text: string | null, max: number) {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) && number >= 0 && number <= max ? number : 0;
}
