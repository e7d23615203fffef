// Lines of JSON.

/**
 * Returns the values of the lines of a text.
 * @param {string} text
 * @returns {any[]}
 */
export const parseLines = (text) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
