//! Dependencies are pinned with checksums, and all that are compiled in have been reviewed
//! (`src/guide/operate/security.md`).

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::docs::root;
use crate::structure::imports;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

fn json(path: &str) -> Value {
    serde_json::from_str(&read(path)).expect(path)
}

/// Returns the value of a line `name = "value"`.
fn member<'t>(block: &'t str, name: &str) -> Option<&'t str> {
    block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"'))
}

/// Returns the crates that the manifest compiles into the product.
fn direct_dependencies(manifest: &str) -> BTreeSet<String> {
    let sections = manifest.split("\n[").filter(|section| {
        section.split_once("]\n").is_some_and(|(name, _)| {
            name == "dependencies" || (name.starts_with("target.") && name.ends_with(".dependencies"))
        })
    });
    sections
        .flat_map(|section| section.lines().skip(1))
        .filter_map(|line| Some(line.split_once(" = ")?.0).filter(|name| !name.starts_with('#')))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_crate_is_from_the_registry_and_has_a_checksum() {
    let lock = read("Cargo.lock");
    let packages: Vec<&str> = lock.split("[[package]]").skip(1).collect();
    assert!(packages.len() > 50, "{} packages", packages.len());
    for package in packages {
        let name = member(package, "name").unwrap();
        if name.starts_with("resource-edge") {
            continue;
        }
        let source = member(package, "source").unwrap_or("none");
        assert_eq!(source, "registry+https://github.com/rust-lang/crates.io-index", "{name}");
        assert_eq!(member(package, "checksum").map(str::len), Some(64), "{name}");
    }
}

#[test]
fn every_npm_package_is_from_the_registry_and_has_a_checksum() {
    let lock = json("package-lock.json");
    let packages = lock["packages"].as_object().unwrap();
    assert!(packages.len() > 50, "{} packages", packages.len());
    for (path, package) in packages.iter().filter(|(path, _)| !path.is_empty()) {
        let text = |name: &str| package[name].as_str().unwrap_or_default();
        // Without an address, it comes from the user's registry. The checksum is valid for every registry.
        let resolved = text("resolved");
        assert!(
            resolved.is_empty() || resolved.starts_with("https://registry.npmjs.org/"),
            "{path}: {package}"
        );
        assert!(text("integrity").starts_with("sha512-"), "{path}: {package}");
    }
    let manifest = json("package.json");
    let reasons = manifest["// devDependencies"].as_object().unwrap();
    let dependencies = manifest["devDependencies"].as_object().unwrap();
    assert!(
        reasons.keys().eq(dependencies.keys()),
        "package.json says why each dependency is there, and no more"
    );
    for (name, version) in dependencies {
        let version = version.as_str().unwrap();
        assert!(version.starts_with(|char: char| char.is_ascii_digit()), "{name} is not pinned: {version}");
    }
}

#[test]
fn the_npm_package_installs_no_dependencies() {
    for file in ["package.json", "pkg/package.json"] {
        let package = json(file);
        for kind in ["dependencies", "optionalDependencies", "bundledDependencies"] {
            assert!(package[kind].is_null(), "{file} has {kind}");
        }
    }
    // Each for one separate import. An optional peer is installed only on request.
    let package = json("pkg/package.json");
    let peers: Vec<&String> = package["peerDependencies"].as_object().unwrap().keys().collect();
    assert_eq!(peers, ["@sqlite.org/sqlite-wasm", "@tanstack/db", "react"]);
    for peer in peers {
        assert_eq!(package["peerDependenciesMeta"][peer]["optional"], true, "{peer}");
    }
    // Nothing runs when the package is installed.
    assert!(json("pkg/package.json")["scripts"].is_null());
}

#[test]
fn the_compiled_crates_are_the_reviewed_crates() {
    let used = direct_dependencies(&read("Cargo.toml"));
    let guide = read("src/guide/operate/security.md");
    let table = guide.split("## Dependencies").nth(1).unwrap();
    let reviewed: BTreeSet<String> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('|').next())
        .flat_map(|cell| cell.split(", ").map(|name| name.trim().trim_matches('`').to_owned()))
        .collect();
    assert_eq!(used, reviewed);
    assert!(used.len() > 10, "{used:?}");
}

/// Crates that the product has to use directly.
const REQUIRED: [&str; 7] =
    ["wasm-bindgen", "serde", "serde-wasm-bindgen", "js-sys", "web-sys", "gloo-net", "worker"];

#[test]
fn each_direct_dependency_is_used_in_the_source() {
    let sources = imports::sources();
    let direct = direct_dependencies(&read("Cargo.toml"));
    for name in REQUIRED {
        assert!(direct.contains(name), "Cargo.toml lacks {name}");
    }
    for name in direct {
        // `crate::worker::` is another path.
        let is_path =
            |tokens: &[String]| tokens[0] != "::" && tokens[1] == name.replace('-', "_") && tokens[2] == "::";
        let is_used = sources.iter().any(|source| source.tokens.windows(3).any(is_path));
        assert!(is_used, "nothing in src uses {name}");
    }
}
