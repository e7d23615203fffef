// Prints the page of the guide about the command line, from the help of the commands.
//
//   node .ci/generator/command-line.mjs

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../pkg/dist/cli/main.js", import.meta.url));
/** @param {string[]} args */
const run = (...args) => execFileSync(process.execPath, [MAIN, ...args], { encoding: "utf8" }).trimEnd();

const all = run("--help");
const names = [...all.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
const pages = names.map((name) => `## ${name}\n\n\`\`\`text\n${run(name, "--help")}\n\`\`\`\n`);

process.stdout.write(`# The command line

The npm package has a program, which needs only Node.js: \`npx resource-edge COMMAND\` in a folder that has installed
the package. This page is the program's own help. [Operations][operations] explains what the commands are for.
Scripts use \`--json\` and the exit codes.

\`\`\`text
${all}
\`\`\`

${pages.join("\n")}
[operations]: operations.md
`);
