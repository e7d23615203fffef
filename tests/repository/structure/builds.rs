//! What is deployed and published is built from the product: no build reads the tests.

use std::fs;

use crate::docs::root;

/// Returns a script without its comments.
fn code(path: &str) -> String {
    let text = fs::read_to_string(root().join(path)).expect(path);
    let is_code =
        |line: &&str| !["#", "//", "/*", "*"].iter().any(|mark| line.trim_start().starts_with(mark));
    text.lines().filter(is_code).map(|line| line.to_owned() + "\n").collect()
}

/// Returns the scripts that a script names: `.ci/site`, or `./env` beside it.
fn named(code: &str) -> Vec<String> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || "./_-".contains(char);
    let words = code.split(|char| !is_part(char));
    let scripts = words.filter_map(|word| word.strip_prefix(".ci/").or_else(|| word.strip_prefix("./")));
    scripts.map(|name| format!(".ci/{name}")).filter(|path| root().join(path).is_file()).collect()
}

#[test]
fn no_script_of_a_build_names_the_folder_of_the_tests() {
    let mut scripts: Vec<String> = [".ci/deploy", ".ci/pkg", "wrangler.toml"].map(str::to_owned).into();
    let mut at = 0;
    while let Some(script) = scripts.get(at).cloned() {
        let code = code(&script);
        assert!(!code.contains("tests/"), "{script} reads the tests");
        let new: Vec<_> = named(&code).into_iter().filter(|name| !scripts.contains(name)).collect();
        scripts.extend(new);
        at += 1;
    }
    for script in [".ci/dist", ".ci/site", ".ci/openapi", ".ci/worker", ".ci/client", ".ci/testing.mjs"] {
        assert!(scripts.iter().any(|one| one == script), "{script} is not found: {scripts:?}");
    }
}
