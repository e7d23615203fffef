// The blocks of code in documents, which tests run.

import { readFileSync } from "node:fs";

/** What explains the package: its README, and the pages of the guide that continue it. */
export const packageGuide = [
  "pkg/README.md",
  ...[
    "resources",
    "client",
    "validation",
    "predicates",
    "live",
    "built-in-resource",
    "recipes",
    "tools",
    "testing",
  ].map((page) => `src/guide/use/${page}.md`),
]
  .map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"))
  .join("\n");

/** The page about rules. */
export const rightsGuide = readFileSync(new URL("../../src/guide/use/rights.md", import.meta.url), "utf8");

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
 * Returns the first block of a language in the package's documents that contains a text.
 * @param {string} language
 * @param {string} text
 */
export function programOf(language, text) {
  const program = blocksIn(packageGuide, language).find((block) => block.includes(text));
  if (program === undefined) throw new Error(`No block of ${language} in the package's documents has '${text}'.`);
  return program;
}

/**
 * Returns a program without its imports, as a function with these variables that returns an expression.
 * @param {string} program
 * @param {readonly string[]} names
 * @param {string} expression
 */
export const functionOf = (program, names, expression) =>
  new Function(...names, `${program.replace(/^(import .*|export \{.*)$/gm, "")}\nreturn ${expression};`);
