//! The tests that the guide names exist.

use std::fs;

use crate::docs::{on_one_line, root};

/// Returns the tests that a list names in spans of code: a file, then names in it. A file alone has an empty name.
fn named_tests(list: &str) -> Vec<(String, String)> {
    let mut named: Vec<(String, String)> = Vec::new();
    for span in list.split('`').skip(1).step_by(2) {
        if span.starts_with("tests/") || span.starts_with("src/") {
            named.push((span.to_owned(), String::new()));
        } else {
            let (file, _) = named.last().unwrap_or_else(|| panic!("no file: {list}")).clone();
            named.push((file, span.to_owned()));
        }
    }
    named
}

/// Checks that a list names tests, and that they exist.
fn check(list: &str) {
    let named = named_tests(list);
    assert!(!named.is_empty(), "no test is named: {list}");
    for (file, name) in named {
        let exists = if name.is_empty() { root().join(&file).exists() } else { has_test(&file, &name) };
        assert!(exists, "named and not there: {file} {name}");
    }
}

/// Returns whether the file has a test, a case, or a function of the name.
pub(crate) fn has_test(file: &str, name: &str) -> bool {
    let text = fs::read_to_string(root().join(file)).unwrap_or_default();
    let forms = [
        format!("fn {name}("),
        // Also of a function around `test`, such as `plainTest`.
        format!("est(\"{name}\""),
        format!("est(`{name}`"),
        format!("\"name\": \"{name}\""),
    ];
    forms.iter().any(|form| text.contains(form))
}

#[test]
fn the_tests_that_guarantees_name_exist() {
    let text = fs::read_to_string(root().join("src/guide/use/guarantees.md")).unwrap();
    for section in text.split("\n## ").skip(1) {
        let lists: Vec<String> = section.split("\n\n").map(on_one_line).collect();
        let lists: Vec<&str> = lists.iter().filter_map(|list| Some(list.split_once("hown by ")?.1)).collect();
        assert!(!lists.is_empty(), "no test is named: {}", section.lines().next().unwrap());
        lists.into_iter().for_each(check);
    }
}

/// Checks that the last cell of each row of the text's tables names tests that exist. Returns how many rows there are.
fn check_tables_of_tests(text: &str, header: &str) -> usize {
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with(header));
    rows.map(|row| check(row.trim_end_matches(" |").rsplit(" | ").next().unwrap())).count()
}

#[test]
fn every_attack_of_the_guide_names_tests_that_exist() {
    let text = fs::read_to_string(root().join("src/guide/operate/security.md")).unwrap();
    let attacks = text.split("\n## Dependencies").next().unwrap();
    let count = check_tables_of_tests(attacks, "| attack |");
    assert!(count >= 25, "{count} attacks");
}

#[test]
fn every_fault_of_the_track_record_names_tests_that_exist() {
    let text = fs::read_to_string(root().join("src/guide/evaluate/reliability.md")).unwrap();
    let (_, record) = text.split_once("\n## Track record").unwrap();
    let count = check_tables_of_tests(record, "| fault |");
    assert!(count >= 15, "{count} faults");
}
