// Checks the types of the JavaScript here, as `tsc` does before anything is built: what builds write is not looked at,
// however old it is. tests/support/modules.d.ts declares it. Each configuration reports only the files that it includes:
// the console's is strict, and reads the package's declarations. Exits with 1 if something is wrong.

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const CONFIGURATIONS = ["tsconfig.json", "www/tsconfig.json"];
const BUILT = /^(build|pkg\/(cjs|syntax|wasm))\/|^pkg\/testing\/(files|worker)\.js$/;

const isSource = (path) => !BUILT.test(relative(ROOT, path).replaceAll("\\", "/"));
const system = { ...ts.sys, fileExists: (path) => isSource(path) && ts.sys.fileExists(path) };
const format = { getCanonicalFileName: (path) => path, getCurrentDirectory: () => ROOT, getNewLine: () => "\n" };
const report = (problems) => console.error(ts.formatDiagnosticsWithColorAndContext(problems, format));

/** Returns the problems of the files that a configuration includes, and of the configuration. */
function check(configuration) {
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(`${ROOT}${configuration}`, undefined, {
    ...system,
    onUnRecoverableConfigFileDiagnostic: (problem) => report([problem]),
  });
  const host = ts.createCompilerHost(options);
  host.fileExists = system.fileExists;
  const included = new Set(fileNames);
  const found = ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options, host));
  return [...errors, ...found.filter(({ file }) => file === undefined || included.has(file.fileName))];
}

const problems = CONFIGURATIONS.flatMap(check);
if (problems.length > 0) {
  report(problems);
  process.exitCode = 1;
}
