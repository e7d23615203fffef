// The list of what is in the npm package (SBOM, CycloneDX 1.5): `npm sbom` of the built package, with the crates that
// are compiled into its WebAssembly.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
/** @param {string} program @param {string[]} args */
const run = (program, args, cwd = root) => execFileSync(program, args, { cwd, encoding: "utf8" });

/**
 * Returns the crates that are compiled into the package's WebAssembly, and which of them each one uses. Macros run in
 * the compiler. `cargo metadata` would also have what only features of the tests need.
 */
function crates() {
  const features = ["--no-default-features", "--features=client,syntax,worker"];
  const edges = ["--target=wasm32-unknown-unknown", "--edges=normal,no-proc-macro"];
  const args = ["tree", "--locked", ...features, ...edges, "--prefix=depth", "--format= {p}|{l}|{r}|"];
  /** @type {Map<string, { name: string, version: string, license: string, vcs: string, uses: Set<string> }>} */
  const found = new Map();
  /** @type {string[]} */
  const path = [];
  for (const line of run("cargo", args).trim().split("\n")) {
    const [, depth, name, version, license, vcs] = line.match(/^(\d+) (\S+) v([^ |]+)[^|]*\|(.*)\|(.*)\|/) ?? [];
    const ref = `pkg:cargo/${name}@${version}`;
    if (!found.has(ref)) found.set(ref, { name, version, license, vcs, uses: new Set() });
    path.length = Number(depth);
    found.get(path.at(-1) ?? "")?.uses.add(ref);
    path.push(ref);
  }
  return found;
}

/**
 * Returns the SBOM of a packed package.
 * @param {string} tarball
 */
export function sbomOf(tarball) {
  const sbom = JSON.parse(run("npm", ["sbom", "--sbom-format=cyclonedx", "--omit=peer"], `${root}pkg/dist`));
  const { component } = sbom.metadata;
  // npm names the folder.
  component.name = "resource-edge";
  component.hashes = [{ alg: "SHA-512", content: createHash("sha512").update(readFileSync(tarball)).digest("hex") }];
  const [[, { uses }], ...compiled] = crates();
  const checksums = readFileSync(`${root}Cargo.lock`, "utf8");
  for (const [ref, { name, version, license, vcs }] of compiled) {
    const [, checksum] = checksums.split(`name = "${name}"\nversion = "${version}"`)[1].split('checksum = "');
    sbom.components.push({
      ...{ type: "library", "bom-ref": ref, name, version, scope: "required", purl: ref },
      hashes: [{ alg: "SHA-256", content: checksum.slice(0, 64) }],
      licenses: [{ expression: license.replaceAll("/", " OR ") }],
      externalReferences: vcs ? [{ type: "vcs", url: vcs }] : [],
    });
  }
  sbom.dependencies = [[component["bom-ref"], { uses }], ...compiled].map(([ref, { uses }]) => ({
    ref,
    dependsOn: [...uses],
  }));
  return sbom;
}
