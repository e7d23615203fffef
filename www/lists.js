// Lists as text that a person can type and paste, and back: as quick for three items as for ten thousand. What is typed
// wrongly stays in the list as the text that it is, so that the validator says what is wrong with it.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** A number, or the text that is none. One beyond what a number can be stays text too. */
function scalar(token) {
  const number = NUMBER.test(token) ? Number(token) : NaN;
  return Number.isFinite(number) ? number : token;
}

/** Numbers between commas, semicolons, spaces or line ends; brackets of pasted JSON are passed over. */
const numbers = {
  *tokens(text) {
    for (const { 0: token, index } of text.matchAll(/[^\s,;[\]]+/g))
      yield { token, from: index, to: index + token.length };
  },
  read: (token) => ({ item: scalar(token) }),
  print: (items) => items.join(", "),
};

/** Texts, one in a line. One that a line cannot show stands as JSON in double quotes. */
const texts = {
  tokens: lines,
  read(token) {
    if (!token.startsWith('"')) return { item: token };
    try {
      const item = JSON.parse(token);
      return { item };
    } catch {
      return {
        item: token,
        problem: `${token} begins with a double quote and is no JSON text: close the quote, or write \\" for each quote inside.`,
      };
    }
  },
  print: (items) =>
    items
      .map((item) => (item.trim() === "" || item.startsWith('"') || CONTROL.test(item) ? JSON.stringify(item) : item))
      .join("\n"),
};

/** Objects of numbers, one in a line, their fields in the order of the columns; an empty place is an absent field. */
const objects = (columns) => ({
  tokens: lines,
  read(token) {
    const cells = token.split(/[,;\t]/).map((cell) => cell.trim());
    const item = {};
    columns.forEach((name, at) => {
      if (cells[at] !== undefined && cells[at] !== "") item[name] = scalar(cells[at]);
    });
    if (cells.length <= columns.length) return { item };
    return {
      item,
      problem: `'${token}' has ${cells.length} values: expected ${columns.length} at most, ${columns.join(", ")}.`,
    };
  },
  print: (items) =>
    items
      .map((item) =>
        columns
          .map((name) => item[name] ?? "")
          .join(", ")
          .trimEnd(),
      )
      .join("\n"),
});

function* lines(text) {
  let from = 0;
  for (const line of text.split("\n")) {
    const token = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (token.trim() !== "") yield { token, from, to: from + token.length };
    from += line.length + 1;
  }
}

/** How a field's list is written. */
export function notation(field) {
  if (field.kind === "numbers") return numbers;
  return field.kind === "texts" ? texts : objects(field.columns);
}

/**
 * The list that a text stands for, and what is wrong with its writing: `problems` of the items' indexes and sentences.
 */
export function parseList(form, text) {
  const items = [];
  const problems = [];
  for (const { token } of form.tokens(text)) {
    const { item, problem } = form.read(token);
    if (problem !== undefined) problems.push({ index: items.length, message: problem });
    items.push(item);
  }
  return { items, problems };
}

/** Where an item stands in the text, with its line. */
export function spanOf(form, text, index) {
  let at = 0;
  for (const { from, to } of form.tokens(text)) {
    if (at++ === index) return { from, to, line: text.slice(0, from).split("\n").length };
  }
  return undefined;
}
