//! The examples of the page on the query language, on the resources that it lists.

use serde_json::Value;

use crate::native::guide::{page, rows, section};
use crate::support::caller::Caller;
use crate::support::edge::Got;
use crate::support::json::encoded;

/// A caller of the project of the page, with its resources.
pub(crate) struct Example(pub(crate) Caller);

impl Example {
    pub(crate) fn new(page: &str) -> Self {
        let mut caller = Caller::new();
        caller.token = caller.token_for("manage_test:demo");
        let block = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
        for resource in block.lines() {
            let got = caller.ask("POST /demo/resource", &[], resource.as_bytes());
            assert_eq!(got.status, 201, "{resource}: {}", got.body);
        }
        Self(caller)
    }

    /// Returns the response to a GET. The query is written as on the page, without percent-encoding.
    fn get(&self, path: &str, query: &str) -> Got {
        let pairs = query.split('&').map(|pair| {
            let (name, value) = pair.split_once('=').unwrap();
            format!("{name}={}", encoded(value))
        });
        self.0.get(&format!("/demo/resource{path}?{}", pairs.collect::<Vec<_>>().join("&")))
    }

    /// Returns the IDs of the results, as the page writes them.
    fn ids(&self, path: &str, query: &str) -> String {
        let got = self.get(path, query);
        assert_eq!(got.status, 200, "{query}: {}", got.body);
        let ids: Vec<String> = got.json()["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["id"].as_str().unwrap().to_owned())
            .collect();
        if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
    }
}

/// Checks that each example in the tables finds what its row says. Returns how many there are.
fn check(path: &str, title: &str, headings: &[&str], query: fn(&str) -> String) -> usize {
    let page = page("use/language.md");
    let example = Example::new(&page);
    let rows: Vec<_> = headings.iter().flat_map(|heading| rows(section(&page, heading), title)).collect();
    for row in &rows {
        assert_eq!(example.ids(path, &query(row[0])), row[1], "{}", row[0]);
    }
    rows.len()
}

#[test]
fn the_examples_of_predicates_find_the_documented_matches() {
    let headings = ["### Comparisons", "### Arrays", "### Combinations"];
    let conditions = check("", "`where`", &headings, |row| format!("where={row}"));
    let count = conditions + check("", "query", &["### Variables"], str::to_owned);
    assert!(count >= 25, "{count} examples");
}

#[test]
fn the_examples_of_errors_are_responses_of_the_service() {
    let page = page("use/language.md");
    let example = Example::new(&page);
    let rows = rows(section(&page, "### Errors"), "`where`");
    assert!(rows.len() >= 3, "{rows:?}");
    for row in rows {
        let got = example.get("", &format!("where={}", row[0]));
        assert_eq!(got.status, 400, "{}", row[0]);
        let message = got.json()["message"].as_str().unwrap().to_owned();
        match row[1].strip_suffix(" …") {
            Some(start) => assert!(message.starts_with(start), "{message}"),
            None => assert_eq!(message, row[1]),
        }
    }
}

#[test]
fn the_examples_of_sorting_have_the_documented_order() {
    let count = check("/sorted-query-parameters", "query", &["## Sorting"], str::to_owned);
    assert!(count >= 5, "{count} examples");
}

#[test]
fn the_examples_of_searches_find_the_documented_matches() {
    let headings = ["## Search", "### Filters"];
    let count = check("/searchApiPattern", "query", &headings, |row| format!("{row}&sort=id"));
    assert!(count >= 10, "{count} examples");
}

#[test]
fn the_example_of_facets_is_a_response_of_the_service() {
    let page = page("use/language.md");
    let example = Example::new(&page);
    let text = section(&page, "### Facets");
    for row in rows(text, "facet") {
        assert_eq!(example.get("/searchApiPattern", &format!("facet={}", row[0])).status, 200, "{}", row[0]);
    }
    let query = text.split("For `").nth(1).unwrap().split('`').next().unwrap();
    let block = text.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let expected: Value = serde_json::from_str(block).unwrap();
    assert_eq!(example.get("/searchApiPattern", query).json()["facets"], expected);
}
