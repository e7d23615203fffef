// Checks the types of this repository's TypeScript and JavaScript, like `tsc -p` in a fresh checkout: it ignores files
// that a build writes. Files beside the sources declare them. Exits with 1 if there are problems.

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const BUILT = /^(build|pkg\/dist)\//;
/** The configurations. For each, the check reports only problems in the files that it includes. */
const CONFIGURATIONS = [
  ...["pkg", "src/worker", "www"].map((folder) => `${folder}/tsconfig.json`),
  ...["tsconfig.strict.json", "tsconfig.json"],
];

/** @param {string} path */
const isSource = (path) => !BUILT.test(relative(ROOT, path).replaceAll("\\", "/"));
const system = {
  ...ts.sys,
  /** @param {string} path */
  fileExists: (path) => isSource(path) && ts.sys.fileExists(path),
};

/** @param {readonly ts.Diagnostic[]} problems */
function report(problems) {
  if (problems.length === 0) return;
  console.error(ts.formatDiagnosticsWithColorAndContext(problems, ts.createCompilerHost({})));
  process.exitCode = 1;
}

for (const file of process.argv.length > 2 ? process.argv.slice(2) : CONFIGURATIONS) {
  const config = ts.getParsedCommandLineOfConfigFile(`${ROOT}${file}`, undefined, {
    ...system,
    onUnRecoverableConfigFileDiagnostic: (problem) => report([problem]),
  });
  if (config === undefined) continue;
  const { options, fileNames, errors } = config;
  const host = ts.createCompilerHost(options);
  host.fileExists = system.fileExists;
  const included = new Set(fileNames);
  const problems = ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options, host));
  report([...errors, ...problems.filter(({ file }) => file === undefined || included.has(file.fileName))]);
}
