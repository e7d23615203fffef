//! Commands and files that documents name exist.

use std::fs;

use crate::{documents, root};

/// Returns the spans and blocks of code in a document.
fn code(text: &str) -> Vec<String> {
    let blocks: Vec<&str> = text.split("```").collect();
    let spans = blocks.iter().step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let blocks = blocks.iter().skip(1).step_by(2).copied();
    spans.chain(blocks).map(str::to_owned).collect()
}

#[test]
fn the_make_targets_that_documents_name_exist() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let mut count = 0;
    for document in documents() {
        for code in code(&fs::read_to_string(&document).unwrap()) {
            for line in code.lines().filter_map(|line| line.trim().strip_prefix("make ")) {
                let target = line.split_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
                assert!(makefile.contains(&format!("\n{target}:")), "{}: make {line}", document.display());
                count += 1;
            }
        }
    }
    assert!(count >= 20, "{count} targets");
}

#[test]
fn the_files_that_documents_name_exist() {
    let mut count = 0;
    for document in documents() {
        for code in code(&fs::read_to_string(&document).unwrap()) {
            let in_repository = ["src/", "tests/", "benches/", "pkg/", "www/", "fuzz/", ".ci/"];
            let is_path = code.chars().all(|char| char.is_ascii_alphanumeric() || "/._-".contains(char));
            if !is_path || !in_repository.iter().any(|folder| code.starts_with(folder)) {
                continue;
            }
            // Build results are not in the repository.
            if code.starts_with("pkg/wasm")
                || code.starts_with("fuzz/corpus")
                || code.starts_with("fuzz/artifacts")
            {
                continue;
            }
            assert!(root().join(&code).exists(), "{}: {code}", document.display());
            count += 1;
        }
    }
    assert!(count >= 50, "{count} files");
}
