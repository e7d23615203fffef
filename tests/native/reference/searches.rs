//! Searches as large as the contract accepts (D28, section 6): the platform must accept their SQL too.

use resource_edge::call::{Call, CallResult, Read, Search};
use resource_edge::contract::api::endpoint::CallId;
use resource_edge::contract::{limits, param};
use resource_edge::search;
use serde_json::{Value, json};

use super::extremes::{every_sort, report, twin};
use super::twin::Twin;
use crate::support::json::encoded;

/// Returns the response to a search, or what is wrong.
pub fn ask(twin: &Twin, parameters: &[(&str, String)], sorted: bool) -> Result<Value, String> {
    let pairs: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let passed =
        param::decode(CallId::Search.row().params, &pairs.join("&")).map_err(|error| format!("{error:?}"))?;
    let criteria = search::decode(&twin.shape, &passed).map_err(|error| format!("{error:?}"))?;
    let sort = if sorted { every_sort(&twin.shape) } else { Vec::new() };
    let call = Call::Read(Read::Search(Search { criteria, sort, limit: 20, offset: 0 }));
    let reply = twin.perform(call, 1_800_000_000_000)?;
    match (reply.head.result, reply.body) {
        (CallResult::Performed, Some(body)) => {
            serde_json::from_str(&body).map_err(|error| format!("{error}: {body}"))
        }
        other => Err(format!("{other:?}")),
    }
}

/// A name, the parameters of a search, and the total if it is known.
type Case = (String, Vec<(&'static str, String)>, Option<u64>);

/// Runs the searches, and reports all failures.
fn check(cases: Vec<Case>) {
    let (twin, mut failures) = (twin(), Vec::new());
    for (name, parameters, total) in cases {
        for sorted in [false, true] {
            match ask(&twin, &parameters, sorted) {
                Ok(page) if total.is_none_or(|total| page["total"] == total) => {}
                Ok(page) => failures.push(format!("{name}: expected {total:?}, found {}", page["total"])),
                Err(error) => failures.push(format!("{name}: {error:.200}")),
            }
        }
    }
    report(&failures);
}

/// Filters of each kind, with how many of the four records pass. `#` becomes a number that no record has.
const FILTERS: [(&str, u64); 12] = [
    ("custom:exists", 2),
    ("custom:missing", 2),
    ("id:\"a\",\"x#\"", 1),
    ("key:\"c\",\"x#\"", 1),
    ("version:1,10#", 4),
    ("version:range(* to 1#)", 4),
    ("createdAt:range(\"1970-01-01T00:00:00.#Z\" to *)", 4),
    ("custom:\"x\",\"y#\"", 2),
    ("arrayOfIntExample:2,10#", 4),
    ("arrayOfIntExample:range(2 to 2.#)", 4),
    ("arrayOfFloatExample:range(0.1 to 0.1#)", 4),
    ("arrayOfFloatExample:0.1,0.1#,0.2#,0.3#,0.4#,0.5#,0.6#,0.7#,0.8#,0.9#", 4),
];

fn numbered(filter: &str, at: usize) -> String {
    filter.replace('#', &format!("{:03}", at + 100))
}

#[test]
fn a_hundred_filters_of_each_kind_work() {
    let max = limits::SEARCH_FILTERS;
    let kinds = ["filter", "filter.query"];
    let mut cases = Vec::new();
    for (filter, total) in FILTERS {
        for kind in kinds {
            let parameters = (0..max).map(|at| (kind, numbered(filter, at))).collect();
            cases.push((format!("{max} × {kind}={filter}"), parameters, Some(total)));
        }
    }
    let all = (0..max).map(|at| ("filter", numbered(FILTERS[at % FILTERS.len()].0, at))).collect();
    cases.push(("all kinds".to_owned(), all, Some(0)));
    check(cases);
}

#[test]
fn a_hundred_ranges_of_each_field_work() {
    let ranges = |field: &str, range: &dyn Fn(usize) -> String| {
        let ranges: Vec<String> = (0..limits::SEARCH_RANGES).map(|at| format!("({})", range(at))).collect();
        format!("{field}:range{}", ranges.join(","))
    };
    let number = |at: usize| format!("{at}.5 to {at}.75");
    let text = |at: usize| format!("\"z{at}\" to \"z{at}z\"");
    let mut cases = Vec::new();
    for field in ["version", "arrayOfIntExample", "arrayOfFloatExample", "arrayOfTwonumbersExample"] {
        cases.push((format!("{field} ranges"), vec![("filter", ranges(field, &number))], Some(0)));
        cases.push((format!("{field} facet"), vec![("facet", ranges(field, &number))], Some(4)));
    }
    for field in ["id", "custom", "arrayOfStringExample"] {
        cases.push((format!("{field} ranges"), vec![("filter", ranges(field, &text))], Some(0)));
    }
    check(cases);
}

#[test]
fn fifty_facets_of_each_kind_work_under_forty_filters() {
    let mut cases = Vec::new();
    for facet in ["custom", "version", "custom:\"x\"", "arrayOfIntExample:range(0 to 10),(10 to *)", "key"] {
        for kind in ["filter.facets", "filter.query"] {
            let mut parameters: Vec<(&str, String)> =
                (0..limits::SEARCH_FACETS).map(|at| ("facet", format!("{facet} as f{at}"))).collect();
            parameters.extend((0..40).map(|at| (kind, numbered(FILTERS[at % FILTERS.len()].0, at))));
            cases.push((format!("{facet} under {kind}"), parameters, None));
        }
    }
    check(cases);
}

#[test]
fn search_texts_of_the_maximum_length_work() {
    let words: Vec<String> = (0..limits::SEARCH_WORDS / 2).map(|at| format!("{:03}", at + 100)).collect();
    let texts: Vec<String> = words.chunks(64).map(|words| words.join(" ")).collect();
    let mut cases = Vec::new();
    for fuzzy in ["false", "true"] {
        let mut parameters: Vec<(&str, String)> =
            texts.iter().map(|text| ("text.en", text.clone())).collect();
        parameters.push(("fuzzy", fuzzy.to_owned()));
        cases.push((format!("fuzzy={fuzzy}"), parameters.clone(), Some(0)));
        parameters.push(("facet", "custom".to_owned()));
        parameters.push(("filter", "custom:exists".to_owned()));
        cases.push((format!("fuzzy={fuzzy} with a filter and a facet"), parameters, Some(0)));
    }
    check(cases);
}

#[test]
fn the_maximum_number_of_words_that_all_match_work_fuzzy_or_not() {
    use resource_edge::call::Change;
    use resource_edge::shape::ResourceInput;

    // So different that none is similar to another one.
    let letters = || ('a'..='p').map(|letter| letter.to_string().repeat(4));
    let words: Vec<String> = letters().flat_map(|one| letters().map(move |two| one.clone() + &two)).collect();
    assert_eq!(words.len(), limits::SEARCH_WORDS);
    let mut twin = twin();
    for id in ["e", "f", "g", "h"] {
        let content = [("arrayOfStringExample", json!(words).to_string())].into_iter().collect();
        let body = ResourceInput { id: Some(id.to_owned()), content, ..ResourceInput::default() };
        twin.write(&Change::CreateOrUpdate(body), &super::twin::Tally::default()).expect("a body");
    }
    for fuzzy in ["false", "true"] {
        let mut parameters: Vec<(&str, String)> =
            words.chunks(28).map(|words| ("text.en", words.join(" "))).collect();
        parameters.push(("fuzzy", fuzzy.to_owned()));
        for sorted in [false, true] {
            let page =
                ask(&twin, &parameters, sorted).unwrap_or_else(|error| panic!("fuzzy={fuzzy}: {error}"));
            assert_eq!(page["total"], 4, "fuzzy={fuzzy}");
        }
    }
}
