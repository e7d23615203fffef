//! The page "Make it yours" quotes tests/repository/fork/fork.patch, all of it.

use crate::native::guide::page;

/// The patch that `make test-fork` applies.
const PATCH: &str = include_str!("../../repository/fork/fork.patch");

/// Returns the changed lines of the patch with their context, without the headers of files and hunks.
fn changes() -> String {
    let is_place =
        |line: &str| ["diff ", "--- ", "+++ ", "@@ "].iter().any(|beginning| line.starts_with(beginning));
    PATCH.split_inclusive('\n').filter(|line| !is_place(line)).collect()
}

#[test]
fn make_it_yours_quotes_every_line_that_the_patch_changes() {
    let (patch, page) = (changes(), page("change/make-it-yours.md"));
    let blocks: Vec<&str> =
        page.split("```diff\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    for quote in &blocks {
        assert!(patch.contains(quote), "not in tests/repository/fork/fork.patch:\n{quote}");
    }
    let lines: Vec<&str> = blocks.iter().flat_map(|quote| quote.lines()).collect();
    for line in patch.lines().filter(|line| line.starts_with(['+', '-']) && line.len() > 1) {
        assert!(lines.contains(&line), "src/guide/change/make-it-yours.md lacks:\n{line}");
    }
}
