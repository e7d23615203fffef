// Numbers as people type them.

import { parseNumber } from "../../pkg/items/csv.js";

/** Returns the number of a text, or why it is none. An empty text has neither. */
export function readNumber(text: string): { number?: number; problem?: string } {
  const plain = text.replace(/\s/g, "");
  if (plain === "") return {};
  const number = parseNumber(plain);
  if (typeof number === "number") return { number };
  const [joined, pointed] = [plain.replace(",", ""), plain.replace(",", ".")].map(parseNumber);
  const isUnclear = typeof joined === "number" && typeof pointed === "number" && pointed !== joined;
  return {
    problem: isUnclear ? `'${plain}' can mean ${joined} or ${pointed}. Write one of them.` : "This is not a number.",
  };
}
