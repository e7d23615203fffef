// API clients: a random secret, and the entry of API_CLIENTS, which has only its hash.

import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";

import { readText, writeFile } from "./files.js";

/** Returns a random text of 256 bits. */
const random = () => randomBytes(32).toString("base64url");

/** An entry of API_CLIENTS. */
export interface Entry {
  id: string;
  secretHash: string;
  scopes: readonly string[];
}

/** Creates an API client. By default, it may use every project. */
export function createClient(id: string, scopes: readonly string[] = ["manage_test:*", "view_test:*"]) {
  const secret = random();
  const secretHash = createHash("sha256").update(secret).digest("hex");
  return { secret, entry: { id, secretHash, scopes } satisfies Entry };
}

/** Writes the secrets of a local server, if there are none. Returns whether it wrote them. */
export async function createLocalSecrets(path: string) {
  if (existsSync(path)) return false;
  const { secret, entry } = createClient("dev");
  const text = `# Random secrets of the local server. Do not commit this file. Delete it to get new secrets.
TOKEN_SECRET=${random()}
API_CLIENTS='${JSON.stringify([entry])}'
DEV_CLIENT_ID=${entry.id}
DEV_CLIENT_SECRET=${secret}
`;
  await writeFile(path, text, { isPrivate: true });
  return true;
}

/** Returns a variable of the local server in this folder, if it has it. */
export function localVariable(name: string, path = ".dev.vars") {
  const text = existsSync(path) ? readText(path) : "";
  return new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1];
}

/** Returns the client of the local server in this folder, if it has one. */
export function localClient() {
  const [id, secret] = [localVariable("DEV_CLIENT_ID"), localVariable("DEV_CLIENT_SECRET")];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}
