// Marks the words of a search where they occur, without changing what is shown.

import { isOpen, wordPattern } from "../../model/query/words.js";

const NAME = "found";

/** Marks the words of a text in an element. Browsers without highlights show no marks. */
export function markWords(element: HTMLElement, text: string) {
  if (!("highlights" in CSS)) return;
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return void CSS.highlights.delete(NAME);
  const pattern = wordPattern(words, isOpen(text));
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    for (const { index, 0: word } of node.nodeValue?.matchAll(pattern) ?? []) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      ranges.push(range);
    }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}
