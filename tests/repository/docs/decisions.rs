//! The specification has every decision that the repository cites.

use std::collections::BTreeSet;
use std::fs;

use crate::docs::{extension, files, root};

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
    let page = fs::read_to_string(root().join("src/guide/use/specification.md")).unwrap();
    let decided: BTreeSet<u8> =
        page.lines().filter_map(|line| line.strip_prefix("### D")?.split(' ').next()?.parse().ok()).collect();
    let last = decided.last().copied().unwrap();
    assert_eq!(decided, (1..=last).collect(), "the decisions of the page");
    for file in ["src/guide/use/specification.md", "README.md"] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(&format!("D1 to D{last}")), "{file}: expected 'D1 to D{last}'");
    }
    // Built files contain random text.
    let built = fs::read_to_string(root().join(".gitignore")).unwrap();
    let built: Vec<_> = built.lines().map(|line| root().join(line.trim_matches(['/', '*']))).collect();
    let mut all = BTreeSet::new();
    for file in files(|path| ["rs", "js", "mjs", "ts", "md", "json"].contains(&extension(path))) {
        let inside = file.strip_prefix(root()).unwrap();
        if inside.starts_with("fuzz/seeds") || built.iter().any(|built| file.starts_with(built)) {
            continue;
        }
        let found = cited(&fs::read_to_string(&file).unwrap());
        let unknown: Vec<_> = found.difference(&decided).collect();
        assert!(unknown.is_empty(), "{}: D{unknown:?}", inside.display());
        all.extend(found);
    }
    assert!(all.len() >= 20, "few decisions are cited: {all:?}");
}
