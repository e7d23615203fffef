//! The specification has every decision that the repository cites.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::guide::page;

/// Finds the files in a folder that people write.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !matches!(name.as_str(), "node_modules" | "target" | "dist" | "seeds") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| {
            ["rs", "js", "mjs", "ts", "md", "json"].iter().any(|one| extension == *one)
        }) {
            found.push(path);
        }
    }
}

/// Returns the numbers of the decisions that a text cites: `D19`.
fn cited(text: &str) -> BTreeSet<u8> {
    let words = text.split(|char: char| !char.is_ascii_alphanumeric());
    words
        .filter_map(|word| word.strip_prefix('D')?.parse().ok())
        .filter(|number| (1..=99).contains(number))
        .collect()
}

#[test]
fn every_cited_decision_is_in_the_specification() {
    let page = page("specification.md");
    let decided: BTreeSet<u8> =
        page.lines().filter_map(|line| line.strip_prefix("### D")?.split(' ').next()?.parse().ok()).collect();
    let numbers = (1..=35).filter(|number| *number != 33);
    assert_eq!(decided, numbers.collect(), "the decisions of the page");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Built files contain random text.
    let built = fs::read_to_string(root.join(".gitignore")).unwrap();
    let built: Vec<_> = built.lines().map(|line| root.join(line.trim_matches(['/', '*']))).collect();
    let mut files = Vec::new();
    for folder in ["src", "pkg", "www", "tests", "benches", ".ci"] {
        sources(&root.join(folder), &mut files);
    }
    files.retain(|file| !built.iter().any(|built| file.starts_with(built)));
    let mut all = BTreeSet::new();
    for file in files.iter().chain([&root.join("README.md"), &root.join("CONTRIBUTING.md")]) {
        let found = cited(&fs::read_to_string(file).unwrap());
        let unknown: Vec<_> = found.difference(&decided).collect();
        assert!(unknown.is_empty(), "{}: D{unknown:?}", file.display());
        all.extend(found);
    }
    assert!(all.len() >= 20, "few decisions are cited: {all:?}");
}
