//! Operations, limits, versions, and figures are those of the code.

use std::fs;

use resource_edge::contract::operation::{Access, OPERATIONS};
use resource_edge::contract::{limits, path};

use crate::root;

#[test]
fn the_operations_of_the_readme_are_the_tables() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for row in &OPERATIONS {
        let mut template = String::new();
        path::push_template(&mut template, row.path);
        let scopes = if row.access == Access::Read { "manage or view" } else { "manage" };
        let line =
            format!("| {} | {} | `{template}` | `{}` | {scopes} |", row.number, row.method.name(), row.name);
        assert!(readme.lines().any(|one| one == line), "not in the README: {line}");
    }
}

/// Returns a number with commas between its thousands.
fn grouped(number: &impl ToString) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

macro_rules! all {
    ($($name:ident)*) => { vec![$((stringify!($name), grouped(&limits::$name))),*] };
}

#[test]
fn the_limits_of_the_guide_are_the_codes() {
    let mut all = all! {
        BODY_BYTES BODY_DEPTH ISSUES QUOTED_CHARS NAME_BYTES PROJECT_KEY_CHARS ACTIONS INTEGER_MAX PAGE_DEFAULT PAGE_MAX
        OFFSET_MAX PAGE_BYTES OBJECT_ITEMS SEARCH_TEXT_CHARS SEARCH_WORDS SEARCH_EXPRESSION_BYTES SEARCH_FILTERS SEARCH_FACETS
        SEARCH_RANGES FACET_TERMS IDEMPOTENCY_MS IDEMPOTENCY_ROWS IDEMPOTENCY_BODY_BYTES IDEMPOTENCY_BYTES
        IDEMPOTENCY_CALLER_BYTES IDEMPOTENCY_KEY_CHARS TARGET_BYTES TOKEN_BYTES
        PREDICATE_BYTES PREDICATE_DEPTH PREDICATE_VARIABLE_BYTES PREDICATE_VALUE_COST
        EXPORT_LINES BATCH_BYTES CLEAR_ROWS IMPORT_VERSION_MAX IMPORT_AHEAD_MS
    };
    let correlation = limits::CORRELATION_ID_CHARS;
    all.push(("CORRELATION_ID_CHARS", format!("{} to {}", correlation.start(), correlation.end())));

    let code = fs::read_to_string(root().join("src/contract/limits.rs")).unwrap();
    let declared = code.lines().filter_map(|line| line.strip_prefix("pub const ")?.split(':').next());
    for name in declared {
        assert!(all.iter().any(|(known, _)| *known == name), "{name} is not compared with the guide");
    }

    let guide = fs::read_to_string(root().join("src/guide/operations.md")).unwrap();
    for (name, value) in all {
        let row = guide.lines().find(|line| line.ends_with(&format!("| `{name}` |")));
        let limit = row.unwrap_or_else(|| panic!("{name} has no row")).split('|').nth(2).unwrap().trim();
        let rest =
            limit.strip_prefix(value.as_str()).unwrap_or_else(|| panic!("{name}: {limit}, not {value}"));
        assert!(
            !rest.starts_with(|char: char| char.is_ascii_digit() || char == ','),
            "{name}: {limit}, not {value}"
        );
    }
}

#[test]
fn the_performance_of_the_readme_is_that_of_the_guide() {
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('*').to_owned());
        cells.take(3).collect::<Vec<_>>()
    };
    let rows = |file: &str| {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let table = text.split("\n\n").find(|block| block.starts_with("| work |")).unwrap().to_owned();
        table.lines().skip(2).map(cells).filter(|row| !row[1].is_empty()).collect::<Vec<_>>()
    };
    let shown = rows("README.md");
    assert!(shown.len() >= 15, "{shown:?}");
    assert_eq!(shown, rows("src/guide/performance.md"));
}
