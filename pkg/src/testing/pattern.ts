// Texts that match a regular expression, for sample resources.

type Make = () => string;

const between = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
const DIGITS = between(48, 57);
const LETTERS = [...between(65, 90), ...between(97, 122)];
const PRINTABLE = between(32, 126);
const CLASSES: { [letter: string]: string[] } = { d: DIGITS, w: [...LETTERS, ...DIGITS, "_"], s: [" "] };
/** How often `*` and `+` repeat at most, beyond what they need. */
const REPEATS = 4;

/**
 * Returns a function that makes texts which match a pattern, or `undefined` if it has parts that this does not know,
 * such as lookarounds. `random(n)` returns a whole number below n.
 */
export function textsOf(pattern: string, random: (below: number) => number): Make | undefined {
  try {
    return new Pattern(pattern, random).make;
  } catch {
    return undefined;
  }
}

class Pattern {
  readonly make: Make;
  #rest: string[];
  #random;

  constructor(pattern: string, random: (below: number) => number) {
    this.#rest = Array.from(pattern);
    this.#random = random;
    this.make = this.#alternatives();
  }

  #pick<Item>(items: readonly Item[]) {
    return items[this.#random(items.length)] as Item;
  }

  #accept(text: string) {
    return this.#rest[0] === text && this.#rest.shift() !== undefined;
  }

  #alternatives(): Make {
    const all = [this.#sequence()];
    while (this.#accept("|")) all.push(this.#sequence());
    return () => this.#pick(all)();
  }

  #sequence(): Make {
    const parts: Make[] = [];
    while (this.#rest.length > 0 && this.#rest[0] !== "|" && this.#rest[0] !== ")")
      parts.push(this.#repeated(this.#atom()));
    return () => parts.map((part) => part()).join("");
  }

  #repeated(part: Make): Make {
    let [least, most] = [1, 1];
    if (this.#accept("*")) [least, most] = [0, REPEATS];
    else if (this.#accept("+")) [least, most] = [1, REPEATS];
    else if (this.#accept("?")) [least, most] = [0, 1];
    else if (this.#accept("{")) {
      const [from = "", to = from] = this.#rest.splice(0, this.#rest.indexOf("}")).join("").split(",");
      this.#rest.shift();
      [least, most] = [Number(from), to === "" ? Number(from) + REPEATS : Number(to)];
    } else return part;
    this.#accept("?");
    return () => Array.from({ length: least + this.#random(most - least + 1) }, part).join("");
  }

  #atom(): Make {
    const first = this.#rest.shift() as string;
    if (first === "^" || first === "$") return () => "";
    if (first === ".") return () => this.#pick(PRINTABLE);
    if (first === "[") return this.#classOf();
    if (first === "(") return this.#group();
    if (first !== "\\") return () => first;
    const chars = this.#escaped();
    return () => this.#pick(chars);
  }

  #group(): Make {
    if (this.#accept("?") && !this.#accept(":")) throw new RangeError("a lookaround or a name");
    const inner = this.#alternatives();
    this.#rest.shift();
    return inner;
  }

  #escaped() {
    const letter = this.#rest.shift() ?? "";
    if (/[a-zA-Z0-9]/.test(letter) && CLASSES[letter] === undefined) throw new RangeError(`\\${letter}`);
    return CLASSES[letter] ?? [letter];
  }

  #classOf(): Make {
    const isNegated = this.#accept("^");
    const chars: string[] = [];
    while (this.#rest.length > 0 && !this.#accept("]")) {
      const first = this.#rest.shift() as string;
      if (first === "\\") chars.push(...this.#escaped());
      else if (this.#rest[0] === "-" && this.#rest[1] !== "]" && this.#rest[1] !== "\\") {
        this.#rest.shift();
        chars.push(...between(first.codePointAt(0) ?? 0, this.#rest.shift()?.codePointAt(0) ?? 0));
      } else chars.push(first);
    }
    const all = isNegated ? PRINTABLE.filter((char) => !chars.includes(char)) : chars;
    return () => this.#pick(all);
  }
}
