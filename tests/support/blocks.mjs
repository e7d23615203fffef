// The blocks of code in documents, which tests run.

/**
 * Returns the blocks of a language in a document, in their order, without their indentation.
 * @param {string} document
 * @param {string} language
 */
export function blocksIn(document, language) {
  const blocks = document.matchAll(new RegExp(`^( *)\`\`\`${language}\n(.*?)^\\1\`\`\``, "gms"));
  return [...blocks].map(([, indentation, text]) => text.replaceAll(new RegExp(`^${indentation}`, "gm"), ""));
}
