// What a command of the command line is, its errors, and its output. `main.ts` has the table of commands.

/** An option of a command. Without `value` it has none: it is there or not. */
export interface Option {
  /** The name of the value in the help. */
  readonly value?: string;
  readonly about: string;
  /** Whether it may occur several times. */
  readonly isList?: boolean;
  /** Whether only scripts of the repository use it. */
  readonly isHidden?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly about: string;
  readonly isOptional?: boolean;
}

/** The arguments of a command. An option without a value is `true`, one that may occur several times is a list. */
export interface Input {
  readonly values: { readonly [name: string]: any };
  readonly parameters: readonly (string | undefined)[];
  /** What follows `--`, if the command passes it on. */
  readonly rest: readonly string[];
  readonly output: Output;
  /** Aborts on Ctrl-C and on SIGTERM. */
  readonly signal: AbortSignal;
}

/** A row of the table of commands. */
export interface Command {
  readonly about: string;
  readonly parameters?: readonly Parameter[];
  readonly options: { readonly [name: string]: Option };
  /** Whether it passes on the arguments after `--`. */
  readonly hasRest?: boolean;
  /** What follows the options in the help. */
  readonly more?: string;
  /** Performs the command. Returns its exit code; 0 by default. */
  run(input: Input): Promise<void> | Promise<number>;
}

/** The exit codes. */
export const EXIT = { failed: 1, usage: 2, unreachable: 3, incomplete: 4 };

/** The signals that end a command, and its exit codes then. */
export const SIGNALS = { SIGINT: 130, SIGTERM: 143 };

/** A command that is called wrongly. */
export class UsageError extends Error {}

/** A command that cannot do its work here, for example because a file exists. */
export class CommandError extends Error {}

/** Returns the value of an option as a whole number from 0 to `most`. */
export function wholeNumber(name: string, text: string, most = Number.MAX_SAFE_INTEGER) {
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new UsageError(`--${name} must be a whole number of at most ${most}, not '${text}'.`);
  return Number(text);
}

/** The output of a command: results on standard output, everything else on standard error. */
export class Output {
  readonly isJson;
  #shown = 0;
  #last = 0;

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  /** Writes the result: as JSON with `--json`, otherwise as text. */
  result(value: unknown, text: string) {
    this.write(this.isJson ? JSON.stringify(value) : text);
  }

  /** Writes a line to standard output. */
  write(line: string) {
    this.#clear();
    process.stdout.write(`${line}\n`);
  }

  /** Writes a remark for a person. */
  note(text: string) {
    this.#clear();
    if (!this.isJson) process.stderr.write(`${text}\n`);
  }

  /** Shows the progress: in a terminal at once, elsewhere a line every ten seconds. */
  progress(text: string) {
    if (this.isJson) return;
    const now = Date.now();
    if (!process.stderr.isTTY) {
      this.#last ||= now;
      if (now - this.#last < 10_000) return;
      process.stderr.write(`${text}\n`);
    } else if (now - this.#last >= 50) {
      this.#clear();
      process.stderr.write(text);
      this.#shown = text.length;
    } else return;
    this.#last = now;
  }

  #clear() {
    if (this.#shown > 0) process.stderr.write(`\r${" ".repeat(this.#shown)}\r`);
    this.#shown = 0;
  }
}

/** Returns a number with the right form of its noun. */
export const plural = (count: number, noun: string, nouns = `${noun}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : nouns}`;
