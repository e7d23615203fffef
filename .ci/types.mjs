// Checks the types of the JavaScript here (tsconfig.json), as `tsc -p .` does before anything is built: what builds
// write is not looked at, however old it is. tests/support/modules.d.ts declares it. Exits with 1 if something is wrong.

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const BUILT = /^(build|pkg\/(cjs|syntax|wasm))\/|^pkg\/testing\/(files|worker)\.js$/;

const isSource = (path) => !BUILT.test(relative(ROOT, path).replaceAll("\\", "/"));
const system = { ...ts.sys, fileExists: (path) => isSource(path) && ts.sys.fileExists(path) };
const format = { getCanonicalFileName: (path) => path, getCurrentDirectory: () => ROOT, getNewLine: () => "\n" };
const report = (problems) => console.error(ts.formatDiagnosticsWithColorAndContext(problems, format));

const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(`${ROOT}tsconfig.json`, undefined, {
  ...system,
  onUnRecoverableConfigFileDiagnostic: (problem) => report([problem]),
});
const host = ts.createCompilerHost(options);
host.fileExists = system.fileExists;
const problems = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options, host))];
if (problems.length > 0) {
  report(problems);
  process.exitCode = 1;
}
