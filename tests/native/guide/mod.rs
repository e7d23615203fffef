//! Checks the guide: the examples of the language are run, and its tables are those of the code.
//! `tests/repository/structure/generated.rs` compares the generated pages.

mod architecture;
mod fork;
mod language;
mod platforms;
mod shapes;

use std::fs;
use std::path::Path;

/// Returns the text of a page of the guide.
fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide").join(name)).unwrap()
}

/// Returns the part of a page under a heading, up to the next heading of any level.
fn section<'t>(page: &'t str, heading: &str) -> &'t str {
    let (_, rest) =
        page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no heading {heading}"));
    rest.split("\n#").next().unwrap()
}

/// Returns the cells of the rows of a Markdown table whose first column has this title.
fn rows<'t>(text: &'t str, title: &str) -> Vec<Vec<&'t str>> {
    let head = format!("| {title} |");
    let tables = text.split("\n\n").filter(|block| block.trim_start().starts_with(&head));
    let cells = |line: &'t str| {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect()
    };
    tables.flat_map(|table| table.trim().lines().skip(2).map(cells)).collect()
}
