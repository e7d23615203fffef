// The blocks of code in documents, which tests run.

import { readFileSync } from "node:fs";

/** The README of the package. */
export const packageReadme = readFileSync(new URL("../../pkg/README.md", import.meta.url), "utf8");

/**
 * Returns the blocks of a language in a document, in their order, without their indentation.
 * @param {string} document
 * @param {string} language
 */
export function blocksIn(document, language) {
  const blocks = document.matchAll(new RegExp(`^( *)\`\`\`${language}\n(.*?)^\\1\`\`\``, "gms"));
  return [...blocks].map(([, indentation, text]) => text.replaceAll(new RegExp(`^${indentation}`, "gm"), ""));
}

/**
 * Returns the first block of a language in the package's README that contains a text.
 * @param {string} language
 * @param {string} text
 */
export function programOf(language, text) {
  const program = blocksIn(packageReadme, language).find((block) => block.includes(text));
  if (program === undefined) throw new Error(`The README has no block of ${language} with '${text}'.`);
  return program;
}
