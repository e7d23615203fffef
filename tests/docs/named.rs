//! The tests that the guide names exist.

use std::fs;

use crate::docs::{on_one_line, root};

/// Returns the tests that a text names after the words "hown by": a file, then names in it, all in spans of code.
fn named_tests(text: &str) -> Vec<(String, String)> {
    let mut named = Vec::new();
    for paragraph in text.split("\n\n").map(on_one_line) {
        let Some((_, list)) = paragraph.split_once("hown by ") else { continue };
        let mut file = None;
        for span in list.split('`').skip(1).step_by(2) {
            if span.starts_with("tests/") {
                file = Some(span);
            } else {
                named.push((file.expect(list).to_owned(), span.to_owned()));
            }
        }
    }
    named
}

/// Returns whether the file has a test, a case, or a function of the name.
pub(crate) fn has_test(file: &str, name: &str) -> bool {
    let text = fs::read_to_string(root().join(file)).unwrap_or_default();
    let forms = [
        format!("fn {name}("),
        format!("test(\"{name}\""),
        format!("test(`{name}`"),
        format!("\"name\": \"{name}\""),
    ];
    forms.iter().any(|form| text.contains(form))
}

#[test]
fn the_tests_that_guarantees_name_exist() {
    let text = fs::read_to_string(root().join("src/guide/guarantees.md")).unwrap();
    let named = named_tests(&text);
    let missing: Vec<_> = named.iter().filter(|(file, name)| !has_test(file, name)).collect();
    assert!(missing.is_empty(), "named and not there: {missing:#?}");
    for section in text.split("\n## ").skip(1) {
        assert!(!named_tests(section).is_empty(), "no test is named: {}", section.lines().next().unwrap());
    }
}

/// Checks that the last cell of each row of the text's tables names tests that exist. Returns how many rows there are.
fn check_tables_of_tests(text: &str, header: &str) -> usize {
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with(header));
    let mut count = 0;
    for row in rows {
        let list = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let mut file = None;
        for span in list.split('`').skip(1).step_by(2) {
            if span.starts_with("tests/") || span.starts_with("src/") {
                assert!(root().join(span).exists(), "{span} does not exist: {row}");
                file = Some(span);
            } else {
                assert!(has_test(file.expect(row), span), "not in {file:?}: {span}");
            }
        }
        assert!(file.is_some(), "no test is named: {row}");
        count += 1;
    }
    count
}

#[test]
fn every_attack_of_the_guide_names_tests_that_exist() {
    let text = fs::read_to_string(root().join("src/guide/security.md")).unwrap();
    let attacks = text.split("\n## Dependencies").next().unwrap();
    let count = check_tables_of_tests(attacks, "| attack |");
    assert!(count >= 25, "{count} attacks");
}

#[test]
fn every_fault_of_the_track_record_names_tests_that_exist() {
    let text = fs::read_to_string(root().join("src/guide/reliability.md")).unwrap();
    let (_, record) = text.split_once("\n## Track record").unwrap();
    let count = check_tables_of_tests(record, "| fault |");
    assert!(count >= 15, "{count} faults");
}
