//! The examples of the page on the query language, on the resources that it lists.

use std::fmt::Write as _;

use serde_json::Value;

use crate::guide::{page, rows, section};
use crate::support::caller::Caller;
use crate::support::edge::Got;

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
        let encode = |text: &str| {
            text.bytes().fold(String::new(), |mut out, byte| {
                let _ = write!(out, "%{byte:02X}");
                out
            })
        };
        let pairs = query.split('&').map(|pair| {
            let (name, value) = pair.split_once('=').unwrap();
            format!("{name}={}", encode(value))
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

#[test]
fn the_examples_of_predicates_find_the_documented_matches() {
    let page = page("language.md");
    let example = Example::new(&page);
    let mut count = 0;
    for heading in ["### Comparisons", "### Arrays", "### Combinations"] {
        for row in rows(section(&page, heading), "`where`") {
            assert_eq!(example.ids("", &format!("where={}", row[0])), row[1], "{}", row[0]);
            count += 1;
        }
    }
    for row in rows(section(&page, "### Variables"), "query") {
        assert_eq!(example.ids("", row[0]), row[1], "{}", row[0]);
        count += 1;
    }
    assert!(count >= 25, "{count} examples");
}

/// The example has no boolean field, so the test of "Make it yours" runs these.
#[test]
fn the_examples_of_booleans_are_those_of_the_test_that_adds_the_fields() {
    const TEST: &str = include_str!("../fork/fork.test.mjs");
    let page = page("language.md");
    let rows = rows(section(&page, "### Booleans"), "`where`");
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert!(
            TEST.contains(&format!("[\"{}\", ", row[0])),
            "tests/fork/fork.test.mjs does not run: {}",
            row[0]
        );
    }
    assert!(
        section(&page, "### Filters").contains("`flags:true`") && TEST.contains("filter: \"flags:true\"")
    );
}

#[test]
fn the_examples_of_errors_are_responses_of_the_service() {
    let page = page("language.md");
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
    let page = page("language.md");
    let example = Example::new(&page);
    let rows = rows(section(&page, "## Sorting"), "query");
    assert!(rows.len() >= 5, "{rows:?}");
    for row in rows {
        assert_eq!(example.ids("/sorted-query-parameters", row[0]), row[1], "{}", row[0]);
    }
}

#[test]
fn the_examples_of_searches_find_the_documented_matches() {
    let page = page("language.md");
    let example = Example::new(&page);
    let mut count = 0;
    for heading in ["## Search", "### Filters"] {
        for row in rows(section(&page, heading), "query") {
            let found = example.ids("/searchApiPattern", &format!("{}&sort=id", row[0]));
            assert_eq!(found, row[1], "{}", row[0]);
            count += 1;
        }
    }
    assert!(count >= 10, "{count} examples");
}

#[test]
fn the_example_of_facets_is_a_response_of_the_service() {
    let page = page("language.md");
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
