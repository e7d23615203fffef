//! The work of searches for words: what they read of the index, the words that they find, and the relevance.

use std::rc::Rc;

use resource_edge::call::{Change, Read, Search};
use resource_edge::contract::limits;
use resource_edge::project::Project;
use resource_edge::shape::ResourceInput;
use serde_json::json;

use crate::support::shared::Shared;

use super::{ask, content, filled, many, query, searching, with_budget, write};

/// Asks for each search in the filled project with its budget.
fn check_searches(cases: &[(&str, &[&str], u64, &str)]) {
    let project = filled();
    for &(parameters, sort, budget, expected) in cases {
        let project = with_budget(project.database().clone(), budget);
        let Read::Search(search) = searching(parameters) else { panic!("a search") };
        let sorted = Read::Search(Search { sort: query("", sort, true).sort, ..search });
        assert_eq!(ask(&project, sorted), expected, "{parameters} {sort:?} {budget}");
    }
}

#[test]
fn the_scan_budget_counts_what_words_read_and_find() {
    let absent = many("text.en=quixotic#", "&", 200);
    check_searches(&[
        (&absent, &[], 1_000_000, "200 0"),
        ("fuzzy=true&text.en=quixotic", &[], 50_000, "400 fuzzy"),
        ("fuzzy=true&text.en=quixotic", &[], 80_000, "200 0"),
        // Its letters are those of many words.
        ("fuzzy=true&text.en=rebmun7", &[], 80_000, "400 fuzzy"),
        ("fuzzy=true&text.en=rebmun7", &[], 90_000, "200 0"),
        ("fuzzy=true&text.en=qumber7", &[], 150_000, "400 fuzzy"),
        ("fuzzy=true&text.en=qumber7", &[], 400_000, "200 28"),
        // What is read of the index, then the words that it finds, then the resources that have them.
        ("prefix=true&text.en=quixotic", &[], 25_000, "400 prefix"),
        ("prefix=true&text.en=quixotic", &[], 35_000, "200 0"),
        ("prefix=true&text.en=number7", &[], 75_000, "400 prefix"),
        ("prefix=true&text.en=number7", &[], 180_000, "200 11"),
        ("prefix=true&text.en=number", &[], 1_800_000, "400 prefix"),
        ("prefix=true&text.en=number", &[], 4_200_000, "200 400"),
    ]);
}

#[test]
fn the_scan_budget_counts_the_occurrences_of_words_that_are_ranked() {
    let words = many("common#", "+", 10);
    let parameters = format!("text.en={words}");
    check_searches(&[
        (&parameters, &["version"], 118_000, "200 400"),
        (&parameters, &[], 118_000, "400 text.<language>"),
        (&parameters, &[], 150_000, "200 400"),
    ]);
}

#[test]
fn a_prefix_stands_for_a_bounded_number_of_words() {
    for (count, expected) in
        [(limits::SEARCH_PREFIX_WORDS, "200 1"), (limits::SEARCH_PREFIX_WORDS + 1, "400 prefix")]
    {
        let project = Project::new(Shared::new(), Rc::default());
        let words: Vec<String> =
            (0..count).map(|at| format!("cha{at}")).chain(["other".to_owned()]).collect();
        let content = content(&[("arrayOfStringExample", json!(words))]);
        let body = ResourceInput { content, ..ResourceInput::default() };
        write(&project, 1_700_000_000_000, Change::CreateOrUpdate(body));
        assert_eq!(ask(&project, searching("prefix=true&text.en=cha")), expected, "{count}");
        assert_eq!(ask(&project, searching("prefix=true&text.en=cha7")), "200 1", "{count}");
    }
}
