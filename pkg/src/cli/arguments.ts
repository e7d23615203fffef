// Reads the arguments of a command, and writes its help. Node's `util.parseArgs` reads the options, so that the package
// depends on no other one.

import { parseArgs } from "node:util";

import { type Command, type Input, type Option, UsageError } from "./command.js";

/** The options of every command. */
const COMMON: { [name: string]: Option } = {
  json: { about: "write the result as JSON to standard output, and errors as JSON to standard error" },
  help: { about: "show this help" },
};

/** Returns the values, the parameters, and what the command passes on. */
export function readArguments(name: string, command: Command, args: readonly string[]) {
  const wrong = (message: string) => new UsageError(`${message} See: resource-edge ${name} --help`);
  const end = command.hasRest ? args.indexOf("--") : -1;
  const [own, rest] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const { values, positionals } = parse(command, own, wrong);
  const parameters = command.parameters ?? [];
  if (values.help === true) return { values, parameters: positionals, rest };
  const missing = parameters.slice(positionals.length).find(({ isOptional }) => !isOptional);
  if (missing !== undefined) throw wrong(`${missing.name} is missing: ${missing.about}.`);
  if (positionals.length > parameters.length) throw wrong(`Unexpected argument '${positionals[parameters.length]}'.`);
  return { values, parameters: positionals, rest };
}

function parse(
  command: Command,
  args: readonly string[],
  wrong: (message: string) => UsageError,
): { values: Input["values"]; positionals: string[] } {
  const names = Object.keys({ ...command.options, ...COMMON });
  const options = Object.entries({ ...command.options, ...COMMON }).map(([name, { value, isList = false }]) => [
    name,
    { type: value === undefined ? "boolean" : "string", multiple: isList, ...(name === "help" && { short: "h" }) },
  ]);
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(options), allowPositionals: true });
  } catch (error) {
    const { message } = error as Error;
    const [, option] = /^Option '(?:-\w, )?(--[\w-]+).* argument (?:missing|is ambiguous)/.exec(message) ?? [];
    if (option !== undefined)
      throw wrong(`${option} needs a value. If the value begins with '-', write ${option}=VALUE.`);
    const [, unknown] = /^Unknown option '--(.*?)'/.exec(message) ?? [];
    if (unknown !== undefined) throw wrong(`Unknown option '--${unknown}'. ${expected(unknown, names, "--")}`);
    // The other sentences name the option.
    throw wrong(message.replace(/\.?$/, "."));
  }
}

/** Returns how many letters have to change, appear, or disappear to turn one word into the other. */
function distance(one: string, other: string): number {
  let row = Array.from(other, (_, at) => at + 1);
  for (const [at, letter] of [...one].entries()) {
    let [last, diagonal] = [at + 1, at];
    row = row.map((above, index) => {
      last = Math.min(diagonal + Number(letter !== other[index]), above + 1, last + 1);
      diagonal = above;
      return last;
    });
  }
  return row.at(-1) ?? one.length;
}

/** Returns a question for the nearest name if one is near, and otherwise all names. */
export function expected(name: string, names: readonly string[], prefix = "") {
  const [nearest] = names.map((known) => ({ known, at: distance(name, known) })).sort((a, b) => a.at - b.at);
  if (nearest !== undefined && nearest.at <= 2) return `Did you mean '${prefix}${nearest.known}'?`;
  return `Expected ${names.map((known) => prefix + known).join(", ")}.`;
}

/** Returns lines of two columns. */
const columns = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
};

/** Returns the help of a command. */
export function commandHelp(name: string, command: Command) {
  const { about, parameters = [], options, more } = command;
  const named = parameters.map(({ name, isOptional }) => (isOptional ? `[${name}]` : name));
  const rows = Object.entries({ ...options, ...COMMON }).filter(([, { isHidden }]) => !isHidden);
  const parts = [
    `Usage: resource-edge ${[name, ...named, "[options]"].join(" ")}\n\n${about[0].toUpperCase()}${about.slice(1)}.`,
    ...(parameters.length > 0 ? [columns(parameters.map(({ name, about }) => [name, about]))] : []),
    `Options:\n${columns(
      rows.map(([name, { value, about }]) => [`--${name}${value === undefined ? "" : ` ${value}`}`, about]),
    )}`,
    ...(more === undefined ? [] : [more]),
  ];
  return parts.join("\n\n");
}

/** Returns the help of all commands. */
export function help(commands: { readonly [name: string]: Command }) {
  const rows = Object.entries(commands).map(([name, { about }]) => [name, about] as const);
  return `Usage: resource-edge COMMAND [options]

${columns(rows)}

\`resource-edge COMMAND --help\` lists the options of a command. \`resource-edge --version\` shows the version.

Commands that call a service use these variables, unless an option says otherwise:

${columns([
  ["RESOURCE_EDGE_URL", "the address of the service (default: http://127.0.0.1:8787)"],
  ["RESOURCE_EDGE_PROJECT", "the project (default: demo)"],
  ["RESOURCE_EDGE_CLIENT_ID", "the API client, with its secret in RESOURCE_EDGE_CLIENT_SECRET"],
  ["RESOURCE_EDGE_TOKEN", "a token, instead of an API client"],
])}

For a service on this machine, the client in .dev.vars is the default. Secrets are not options, because other users of
a machine can read the arguments of a command.

Exit codes:

${columns([
  ["0", "the command succeeded"],
  ["1", "the service refused, a check failed, or a file cannot be read or written"],
  ["2", "wrong arguments"],
  ["3", "no response from the service; the same command may succeed later"],
  ["4", "an import has succeeded, but its file is not a complete export"],
  ["130", "ended by Ctrl-C (SIGINT)"],
  ["143", "ended by SIGTERM"],
])}

\`dev\`, \`mock\`, and \`serve\` end with 0 after either signal, which is their usual end.`;
}
