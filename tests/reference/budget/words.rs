//! The work of searches for words: what they read of the index, the words that they find, and the relevance.

use resource_edge::call::{Read, Search};
use resource_edge::project::Project;

use super::{ask, filled, many, query, searching};

/// Asks for each search in the filled project with its budget.
fn check_searches(cases: &[(&str, &[&str], u64, &str)]) {
    let project = filled();
    for &(parameters, sort, budget, expected) in cases {
        let project = Project::with_budget(project.database().clone(), budget);
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
