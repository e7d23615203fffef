// Prints a token of the local server on standard output, without other text.
//
//   node .ci/token.mjs PORT PROJECT SCOPE

import { existsSync, readFileSync } from "node:fs";

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

const [port, project, scope] = process.argv.slice(2);
if (!existsSync(".dev.vars")) fail("no local server has run here yet. Start it with: make dev");
const variables = readFileSync(".dev.vars", "utf8");
/** @param {string} name */
const variable = (name) => new RegExp(`^${name}=(.*)$`, "m").exec(variables)?.[1];
const basic = Buffer.from(`${variable("DEV_CLIENT_ID")}:${variable("DEV_CLIENT_SECRET")}`).toString("base64");
const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
  method: "POST",
  headers: { Authorization: `Basic ${basic}` },
  body: new URLSearchParams({ grant_type: "client_credentials", scope: `${scope}:${project}` }),
  signal: AbortSignal.timeout(10_000),
}).catch(() =>
  fail(`there is no response on port ${port}. Start the local server with: make dev (elsewhere: make token PORT=…)`),
);
const answer = await response.json().catch(() => ({}));
if (!response.ok) fail(`the server returned ${response.status}: ${answer.message ?? "no token"}`);
console.log(answer.access_token);
