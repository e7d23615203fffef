//! The page "Make it yours" quotes tests/fork/fork.patch, all of it.

use crate::page;

/// Returns the lines of the patch, without those that only say where they are.
fn patch() -> String {
    let is_place =
        |line: &&str| ["diff ", "--- ", "+++ ", "@@ "].iter().any(|beginning| line.starts_with(beginning));
    let patch = include_str!("../fork/fork.patch");
    patch.lines().filter(|line| !is_place(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn make_it_yours_quotes_every_line_that_the_patch_changes() {
    let (patch, page) = (patch(), page("make-it-yours.md"));
    let quotes: Vec<&str> =
        page.split("```diff\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    for quote in &quotes {
        assert!(patch.contains(quote), "not in tests/fork/fork.patch:\n{quote}");
    }
    let quoted: Vec<&str> = quotes.iter().flat_map(|quote| quote.lines()).collect();
    for line in patch.lines().filter(|line| line.starts_with(['+', '-']) && line.len() > 1) {
        assert!(quoted.contains(&line), "src/guide/make-it-yours.md lacks:\n{line}");
    }
}

#[test]
fn make_it_yours_names_every_file_of_the_patch() {
    let page = page("make-it-yours.md");
    let patch = include_str!("../fork/fork.patch");
    let files: Vec<&str> = patch.lines().filter_map(|line| line.strip_prefix("+++ b/")).collect();
    assert!(files.len() > 3, "{files:?}");
    for file in files {
        assert!(page.contains(&format!("`{file}`")), "src/guide/make-it-yours.md does not name {file}");
    }
}
