//! Unit tests run natively and in WebAssembly.

use std::fs;
use std::path::{Path, PathBuf};

/// Finds the files with unit tests.
fn tested(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tested(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            if text.lines().any(|line| line.trim() == "#[test]") {
                found.push((path, text));
            }
        }
    }
}

#[test]
fn every_unit_test_has_the_attribute_that_runs_it_in_webassembly() {
    let mut found = Vec::new();
    tested(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 40, "{}", found.len());
    // WebAssembly does not have the OpenAPI document.
    found.retain(|(path, text)| {
        !text.contains("use crate::test;") && !path.to_string_lossy().contains("/openapi/")
    });
    let files: Vec<_> = found.iter().map(|(path, _)| path.display().to_string()).collect();
    assert!(files.is_empty(), "add `use crate::test;` to {}", files.join(", "));
}
