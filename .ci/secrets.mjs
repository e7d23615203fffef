// Creates an API client: a random secret, and the entry of API_CLIENTS, which contains only its hash.
//
//   node .ci/secrets.mjs dev           writes .dev.vars for the local server, once
//   node .ci/secrets.mjs client ID     prints a client's secret and its entry, for a deployment

import { createHash, randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";

const SCOPES = ["manage_test:*", "view_test:*"];
const random = () => randomBytes(32).toString("base64url");

/** @param {string} id */
function client(id) {
  const secret = random();
  const secretHash = createHash("sha256").update(secret).digest("hex");
  return { secret, entry: { id, secretHash, scopes: SCOPES } };
}

const [what, id = "dev"] = process.argv.slice(2);
const { secret, entry } = client(id);
if (what === "client") {
  console.log(`client id      ${id}\nclient secret  ${secret}\nAPI_CLIENTS    ${JSON.stringify([entry])}`);
} else if (!existsSync(".dev.vars")) {
  const text = `# Random secrets of the local server. Do not commit this file. Delete it to get new secrets.
TOKEN_SECRET=${random()}
API_CLIENTS='${JSON.stringify([entry])}'
DEV_CLIENT_ID=${id}
DEV_CLIENT_SECRET=${secret}
`;
  writeFileSync(".dev.vars", text, { mode: 0o600, flag: "wx" });
}
