// `resource-edge token`: a token of an API client from the service, or one of a user, which this machine signs.

import type { Claim } from "../../token.js";
import { type Command, CommandError, type Input, UsageError, wholeNumber } from "../command.js";
import { Connection, CONNECTION } from "../connection.js";
import { localVariable } from "../secrets.js";

/** The longest lifetime of a user's token, in seconds: a year. */
const LONGEST = 366 * 24 * 3600;

/** Returns the claims of options such as `role=editor`, `groups=a,b`, and `level=3`. */
function claimsOf(texts: readonly string[]) {
  const claims: { [name: string]: Claim } = {};
  for (const text of texts) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`--claim ${text}: expected NAME=VALUE, as in role=editor, groups=a,b, or level=3.`);
    if (Object.hasOwn(claims, name))
      throw new UsageError(`--claim ${text}: there is another '${name}'. Write a list as in ${name}=a,b.`);
    claims[name] = claimOf(value);
  }
  return claims;
}

/** Returns the JSON value, otherwise the list of what commas separate, otherwise the text. */
function claimOf(text: string): Claim {
  try {
    return JSON.parse(text);
  } catch {
    return text.includes(",") ? text.split(",") : text;
  }
}

async function signToken({ values, output }: Input) {
  const secret = process.env.TOKEN_SECRET || localVariable("TOKEN_SECRET");
  if (secret === undefined)
    throw new CommandError(
      "There is no TOKEN_SECRET, which signs the tokens of users. Set this variable, or run the command in the " +
        "folder of a .dev.vars.",
    );
  const expiresIn = values.expires === undefined ? undefined : wholeNumber("expires", values.expires, LONGEST);
  const { userToken } = await import("../../token.js");
  try {
    const signed = await userToken({ secret, user: values.user, claims: claimsOf(values.claim ?? []), expiresIn });
    output.result({ access_token: signed.token, expires_in: signed.expiresIn }, signed.token);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

async function requestToken(input: Input) {
  const found = await new Connection(input, input.values.scope ?? "manage_test").requestToken();
  input.output.result(found, found.access_token);
}

/** The options of each kind of token. */
const CLIENT = ["url", "project", "client-id", "scope"];
const USER = ["claim", "expires"];

export const token: Command = {
  about: "print a token",
  options: {
    ...CONNECTION,
    scope: {
      value: "SCOPES",
      about: "manage_test (default), view_test, or several; with a project as in view_test:demo",
    },
    user: { value: "NAME", about: "a token of this user instead, which the rules of resources.json limit" },
    claim: {
      value: "NAME=VALUE",
      isList: true,
      about: "what the user's token says too: role=editor, groups=a,b, or JSON; repeat it for several",
    },
    expires: { value: "SECONDS", about: "how long the user's token is valid (default: 3600)" },
  },
  more: `The token of a user is signed here, with the TOKEN_SECRET of the environment or of .dev.vars. It is valid in
every project of the service, so the rules must say what it may do in each.`,
  async run(input) {
    const { values } = input;
    const isUser = values.user !== undefined;
    const odd = (isUser ? CLIENT : USER).find((name) => values[name] !== undefined);
    if (odd !== undefined)
      throw new UsageError(
        `--${odd} is not for the token of ${isUser ? "a user" : "an API client"}: omit it${
          isUser ? "" : ", or name the user by --user"
        }.`,
      );
    await (isUser ? signToken(input) : requestToken(input));
  },
};
