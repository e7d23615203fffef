// The links of documents that are published elsewhere: on the site, and in the npm package.

import { readFileSync } from "node:fs";
import { posix } from "node:path";

const { repository } = JSON.parse(readFileSync(new URL("../pkg/package.json", import.meta.url), "utf8"));
const SOURCE = `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/`;

/**
 * Returns a document with the links that it has at its new place. What is not published there is a link to the
 * repository.
 * @param {string} document its path in the repository
 * @param {string} text
 * @param {(path: string) => string | undefined} placeOf the new address of a file of the repository
 */
export function relinked(document, text, placeOf) {
  /** @param {string} target */
  function addressOf(target) {
    if (/^(https?:|#)/.test(target)) return target;
    const [path, hash = ""] = target.split(/(?=#)/);
    const file = posix.join(posix.dirname(document), path);
    return (placeOf(file) ?? SOURCE + file) + hash;
  }
  // Every second part is a block of code.
  const parts = text.split(/(^ *```[^]*?^ *```$)/m);
  const prose = (/** @type {string} */ part) =>
    part
      .replace(/\]\(([^)\s]+)\)/g, (_, target) => `](${addressOf(target)})`)
      .replace(/^(\[[^\]]+\]: )(\S+)$/gm, (_, name, target) => name + addressOf(target));
  return parts.map((part, index) => (index % 2 === 0 ? prose(part) : part)).join("");
}
