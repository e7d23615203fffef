//! Operation 4: filters, facets, and words as a query string. They are decoded or rejected, printed and decoded again,
//! and have the same results on SQLite as in a simple reading of section 6.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use resource_edge::call::{Call, CallResult, Message, Read, Search, wire};
use resource_edge::contract::param;
use resource_edge::predicate::{Interval, Test, Typed, Value, parse_sort};
use resource_edge::search::{self, Criteria, Matcher, PREFIX, parse_facet, parse_filter, words};
use resource_edge::shape::Shape;
use resource_edge::util::{json, time};
use serde_json::Value as Answer;

use super::input::{Input, lossy};
use super::queries::twins;
use crate::native::reference::evaluate::holds;
use crate::native::reference::fields::values;
use crate::native::reference::page::Stored;
use crate::native::reference::random::values::START;
use crate::native::reference::twin::Twin;
use crate::native::reference::words::texts;
use crate::support::schemas::Design;

thread_local! {
    static TWINS: OnceCell<Vec<Twin>> = const { OnceCell::new() };
}

/// Runs the target. The input is one expression, or lines with one parameter each.
pub fn run(data: &[u8]) {
    TWINS.with(|cell| cell.get_or_init(twins).iter().for_each(|twin| run_on(twin, data)));
}

fn run_on(twin: &Twin, data: &[u8]) {
    let shape = &twin.shape;
    let mut input = Input(data);
    if input.choice(4) == 0 {
        return expression(shape, &lossy(input.0));
    }
    let order = input.byte();
    let query: Vec<String> = lossy(input.0).split('\n').map(|line| line.replace(' ', "+")).collect();
    let Ok(passed) = param::decode(&[param::SEARCH_PARAMS, param::SEARCH_PAGE], &query.join("&")) else {
        return;
    };
    let Ok(criteria) = search::decode(shape, &passed) else { return };
    let order = (!order.is_multiple_of(2)).then(|| parse_sort(shape, "id desc").expect("an order"));
    let sort = order.into_iter().collect();
    let search = Search { criteria, sort, limit: 500, offset: 0 };
    let message = Message { project: "twin".to_owned(), call: Call::Read(Read::Search(search.clone())) };
    assert_eq!(wire::decode(&wire::encode(&message).expect("a message")), Ok(message));
    answer(twin, search);
}

fn expression(shape: &Shape, text: &str) {
    if let Ok(filter) = parse_filter(shape, text) {
        let printed = printed(&filter);
        assert_eq!(parse_filter(shape, &printed), Ok(filter), "{printed}");
    }
    if let Ok(facet) = parse_facet(shape, text) {
        assert!(!facet.alias.is_empty() && facet.alias.len() <= text.len());
    }
}

fn printed(filter: &Typed) -> String {
    let Typed::Test { path, test } = filter else { panic!("{filter:?}") };
    let value = |value: &Value| {
        let mut out = String::new();
        match value {
            Value::Text(text) => json::string(&mut out, text),
            Value::Number(number) => json::number(&mut out, *number),
            Value::Boolean(truth) => json::boolean(&mut out, *truth),
            Value::DateTime(instant) => json::string(&mut out, &moment(*instant)),
        }
        out
    };
    let bound = |bound: &Option<Value>| bound.as_ref().map_or_else(|| "*".to_owned(), value);
    let test = match test {
        Test::In(values) => values.iter().map(value).collect::<Vec<_>>().join(","),
        Test::Between(intervals) => {
            let range = |range: &Interval| format!("({} to {})", bound(&range.from), bound(&range.to));
            format!("range{}", intervals.iter().map(range).collect::<Vec<_>>().join(","))
        }
        Test::IsDefined | Test::IsNotEmpty => "exists".to_owned(),
        Test::IsNotDefined | Test::IsEmpty => "missing".to_owned(),
        other => panic!("no filter: {other:?}"),
    };
    format!("{path}:{test}")
}

/// Returns the text of an instant, which may be before 1970: 400 years are a whole number of days and weeks.
fn moment(instant: i64) -> String {
    const CYCLE: i64 = 146_097 * 86_400_000;
    let cycles = (-instant).max(0).div_euclid(CYCLE) + i64::from(instant < 0);
    let later = time::format((instant + cycles * CYCLE) as u64);
    let year: i64 = later[..4].parse().expect("a year");
    format!("{:04}{}", year - 400 * cycles, &later[4..])
}

fn answer(twin: &Twin, search: Search) {
    let design = &twin.design;
    let criteria = search.criteria.clone();
    let sorted = !search.sort.is_empty();
    let reply = twin.perform(Call::Read(Read::Search(search)), START).expect("a reply");
    if let CallResult::Error(error) = &reply.head.result {
        assert_eq!(error.status(), 400, "{error:?}");
        return;
    }
    let body = reply.body.expect("a page");
    let page: Answer = serde_json::from_str(&body).expect("a page is JSON");
    let results = page["results"].as_array().expect("results").iter();
    let found: Vec<&str> = results.map(|record| record["id"].as_str().expect("an ID")).collect();
    let stored = twin.stored();
    let expected: Vec<&Stored<'_>> =
        stored.iter().filter(|stored| is_found(design, &criteria, stored.body)).collect();
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<String>>();
    let expected_ids: Vec<&str> = expected.iter().map(|stored| stored.record.id.as_str()).collect();
    assert_eq!(ids(&found), ids(&expected_ids), "{criteria:?}");
    assert_eq!(found.len(), expected.len());
    assert_eq!(page["total"], found.len());
    if sorted {
        assert!(found.is_sorted_by(|one, other| one >= other), "{found:?}");
    } else if criteria.words.is_empty() {
        assert_eq!(found, expected_ids, "not in the order of creation");
    }
    facets(design, &criteria, &stored, &page["facets"]);
}

/// Checks how many records each facet counts, and how many lack its field.
fn facets(design: &Design, criteria: &Criteria, stored: &[Stored<'_>], answers: &Answer) {
    assert_eq!(answers.as_object().expect("facets").len(), criteria.facets.len());
    for facet in &criteria.facets {
        let answer = &answers[&facet.alias];
        let reached = stored.iter().map(|stored| stored.body).filter(|body| {
            has_words(design, criteria, body) && criteria.of_facet(facet).all(|filter| holds(filter, body))
        });
        let reached: Vec<&Answer> = reached.collect();
        match &facet.kind {
            search::FacetKind::Terms => {
                let missing = reached.iter().filter(|body| values(body, &facet.path).is_empty()).count();
                assert_eq!(answer["missing"], missing, "{facet:?} {answer}");
            }
            search::FacetKind::Filtered(wanted) => {
                let filter = Typed::Test { path: facet.path.clone(), test: Test::In(wanted.clone()) };
                let has = |body: &&&Answer| holds(&filter, body);
                assert_eq!(answer["count"], reached.iter().filter(has).count(), "{facet:?} {answer}");
            }
            search::FacetKind::Ranges(ranges) => {
                assert_eq!(
                    answer["ranges"].as_array().map(Vec::len),
                    Some(ranges.len()),
                    "{facet:?} {answer}"
                );
            }
        }
    }
}

fn is_found(design: &Design, criteria: &Criteria, body: &Answer) -> bool {
    has_words(design, criteria, body) && criteria.of_results().all(|filter| holds(filter, body))
}

fn has_words(design: &Design, criteria: &Criteria, body: &Answer) -> bool {
    let words = texts(design, body).into_iter().flat_map(|text| words(&text));
    // The index has also the parts of a word with an apostrophe, a dot, or a comma.
    let own: BTreeSet<String> = words
        .flat_map(|word| {
            word.split(['\'', '.', ',', '\u{66b}', '\u{66c}'])
                .chain([word.as_str()])
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .filter(|part| !part.is_empty())
        .collect();
    criteria.words.iter().all(|word| {
        let is_prefix = word.level & PREFIX != 0;
        let mut matcher = Matcher::new(&word.text, word.level & !PREFIX);
        own.iter().any(|own| matcher.distance(own).is_some() || (is_prefix && own.starts_with(&word.text)))
    })
}
