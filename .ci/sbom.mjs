// The list of what is in the npm package (SBOM, CycloneDX 1.5): `npm sbom` of the built package, with the crates that
// are compiled into its WebAssembly.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
/** @param {string} program @param {string[]} args */
const json = (program, args, cwd = root) =>
  JSON.parse(execFileSync(program, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 }));

/** Returns the crates that the package's WebAssembly is compiled from, and which of them each one uses. */
function crates() {
  const features = ["--no-default-features", "--features", "client,syntax,worker"];
  const target = ["--filter-platform", "wasm32-unknown-unknown"];
  const { packages, resolve } = json("cargo", ["metadata", "--format-version=1", "--locked", ...target, ...features]);
  /** @typedef {{ pkg: string, dep_kinds: { kind: string | null }[] }} Dependency */
  /** @type {Map<string, string[]>} */
  const uses = new Map();
  /** @param {string} id */
  const visit = (id) => {
    if (uses.has(id)) return;
    /** @type {Dependency[]} */
    const all = resolve.nodes.find((/** @type {{ id: string }} */ node) => node.id === id).deps;
    // Neither dependencies of build scripts nor those of tests are in it.
    const used = all.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null)).map(({ pkg }) => pkg);
    uses.set(id, used);
    used.forEach(visit);
  };
  visit(resolve.root);
  /** @type {Map<string, any>} */
  const byId = new Map(packages.map((/** @type {any} */ one) => [one.id, one]));
  return { root: resolve.root, uses, byId };
}

/**
 * Returns the SBOM of a packed package.
 * @param {string} tarball
 */
export function sbomOf(tarball) {
  const sbom = json("npm", ["sbom", "--sbom-format=cyclonedx", "--omit=peer"], `${root}pkg/dist`);
  const { component } = sbom.metadata;
  // npm names the folder.
  component.name = "resource-edge";
  component.hashes = [{ alg: "SHA-512", content: createHash("sha512").update(readFileSync(tarball)).digest("hex") }];
  const { root: own, uses, byId } = crates();
  /** @param {string} id */
  const ref = (id) => (id === own ? component["bom-ref"] : `pkg:cargo/${byId.get(id).name}@${byId.get(id).version}`);
  const checksums = readFileSync(`${root}Cargo.lock`, "utf8");
  for (const id of uses.keys()) {
    if (id === own) continue;
    const { name, version, license, repository } = byId.get(id);
    const [, checksum] = checksums.split(`name = "${name}"\nversion = "${version}"`)[1].split('checksum = "');
    sbom.components.push({
      ...{ type: "library", "bom-ref": ref(id), name, version, scope: "required", purl: ref(id) },
      hashes: [{ alg: "SHA-256", content: checksum.slice(0, 64) }],
      licenses: [{ expression: license.replaceAll("/", " OR ") }],
      externalReferences: repository ? [{ type: "vcs", url: repository }] : [],
    });
  }
  sbom.dependencies = [...uses].map(([id, used]) => ({ ref: ref(id), dependsOn: used.map(ref) }));
  return sbom;
}
