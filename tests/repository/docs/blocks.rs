//! Every block of code in a document belongs to a named test, or to an exception with its reason.

use std::fs;
use std::path::Path;

use crate::docs::named::has_test;
use crate::docs::{documents, root};

/// The blocks with their tests.
const BLOCKS: &str = include_str!("blocks.txt");

/// A block in the list.
struct Row {
    document: &'static str,
    language: &'static str,
    /// How one of its lines begins. An empty beginning is any line.
    beginning: &'static str,
    /// The file and the name of its test, or `no test` and the reason.
    shown: (&'static str, &'static str),
}

/// Reads the list.
fn rows() -> Vec<Row> {
    let (mut rows, mut begun) = (Vec::new(), Vec::new());
    for line in BLOCKS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (first, last) = line.split_once(':').unwrap_or_else(|| panic!("no colon: {line}"));
        if let Some(file) = first.strip_prefix("  ") {
            let row = |(document, language, beginning)| Row {
                document,
                language,
                beginning,
                shown: (file, last.trim()),
            };
            rows.extend(begun.drain(..).map(row));
        } else {
            let (document, language) = first.split_once(' ').unwrap_or_else(|| panic!("no language: {line}"));
            begun.push((document, language, last.trim()));
        }
    }
    assert!(begun.is_empty(), "no test: {begun:?}");
    rows
}

/// The number of a block's first line, its language, and its lines.
type Block<'t> = (usize, String, Vec<&'t str>);

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match (line.trim_start().strip_prefix("```"), open.as_mut()) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(language), None) => open = Some((number, language.to_owned(), Vec::new())),
            (None, Some((.., lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end: {open:?}");
    found
}

/// Returns whether the block of a document belongs to the row.
fn fits(row: &Row, document: &Path, language: &str, lines: &[&str]) -> bool {
    Path::new(row.document) == document
        && row.language == language
        && lines.iter().any(|line| line.trim_start().starts_with(row.beginning))
}

#[test]
fn every_block_of_a_document_has_a_test_or_is_an_exception() {
    assert_eq!(blocks("a\n```sh\nb\n```\n   ```js\n   c\n   ```")[1], (5, "js".to_owned(), vec!["   c"]));
    let rows = rows();
    let mut used = vec![false; rows.len()];
    let mut lacking = Vec::new();
    for document in documents() {
        let inside = document.strip_prefix(root()).unwrap();
        for (number, language, lines) in blocks(&fs::read_to_string(&document).unwrap()) {
            match rows.iter().position(|row| fits(row, inside, &language, &lines)) {
                Some(row) => used[row] = true,
                None => lacking.push(format!("{}:{number} ({language})", inside.display())),
            }
        }
    }
    assert!(lacking.is_empty(), "not in tests/repository/docs/blocks.txt: {lacking:#?}");
    let unused = rows.iter().zip(used).filter(|(_, used)| !used);
    let unused: Vec<_> = unused.map(|(row, _)| (row.document, row.beginning)).collect();
    assert!(unused.is_empty(), "only in tests/repository/docs/blocks.txt: {unused:#?}");
}

#[test]
fn the_tests_of_blocks_exist_and_read_their_documents() {
    let mut exceptions = 0;
    for Row { document, beginning, shown: (file, name), .. } in rows() {
        if file == "no test" {
            assert!(name.split(' ').count() > 4, "{document}, {beginning}: the reason");
            exceptions += 1;
            continue;
        }
        assert!(has_test(file, name), "{document}: {file} has no test '{name}'");
        let text = fs::read_to_string(root().join(file)).unwrap();
        // By tests/support/blocks.mjs.
        let by_name = (document == "pkg/README.md" || document.starts_with("src/guide/use/"))
            && ["programOf(", "packageGuide"].iter().any(|one| text.contains(one));
        let reads = by_name || text.contains(Path::new(document).file_name().unwrap().to_str().unwrap());
        let runs_the_same = ["examples/README.md", "benches/README.md"];
        assert!(
            reads || file.starts_with("tests/repository/docs/") || runs_the_same.contains(&document),
            "{document}: {file} does not read it"
        );
    }
    assert!(exceptions <= 4, "{exceptions} exceptions");
}

#[test]
fn a_test_runs_the_documented_statement_that_forces_the_sweep() {
    let text = fs::read_to_string(root().join("src/guide/operate/operations.md")).unwrap();
    let statement = text.split("```sql\n").nth(1).unwrap().split(";\n").next().unwrap();
    let run = fs::read_to_string(root().join("tests/workerd/faulty.mjs")).unwrap();
    assert!(run.contains(&format!("\"{statement}\"")), "tests/workerd/faulty.mjs does not run: {statement}");
}
