// Lists as text that a person can type and paste, for three items or for ten thousand. An invalid item remains in the
// list as its text, so that the validator reports it.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Returns a number, or the text if it is not a number or overflows. */
function scalar(token) {
  const number = NUMBER.test(token) ? Number(token) : NaN;
  return Number.isFinite(number) ? number : token;
}

/** Numbers separated by commas, semicolons, spaces, or line breaks. Brackets of pasted JSON are ignored. */
const numbers = {
  *tokens(text) {
    for (const { 0: token, index } of text.matchAll(/[^\s,;[\]]+/g))
      yield { token, from: index, to: index + token.length };
  },
  read: (token) => ({ item: scalar(token) }),
  print: (items) => items.join(", "),
};

/** Texts, one per line. A text that a line cannot show is written as JSON in double quotes. */
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

/** Objects of numbers, one per line, their fields in the order of the columns. An empty place is an absent field. */
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

/** Returns the notation of a field's list. */
export function notation(field) {
  if (field.kind === "numbers") return numbers;
  return field.kind === "texts" ? texts : objects(field.columns);
}

/** Parses a list from a text. `problems` has the indexes and messages of items with an invalid notation. */
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

/** Returns the place of an item in the text, with its line. */
export function spanOf(form, text, index) {
  let at = 0;
  for (const { from, to } of form.tokens(text)) {
    if (at++ === index) return { from, to, line: text.slice(0, from).split("\n").length };
  }
  return undefined;
}
