//! Texts around the longest key of the index, with the same beginning: tests, orders, and facets of them.

use std::collections::BTreeMap;

use resource_edge::call::{Change, Query};
use resource_edge::predicate::{self, Comparison, Interval, Test, Typed, Value};
use resource_edge::shape::{FieldPath, Person, ResourceInput, Shape, Sort, System};
use serde_json::json;

use super::fields::values;
use super::page::matches;
use super::searches;
use super::twin::{Tally, Twin};

/// The longest key, in bytes.
const KEY: usize = 512;

/// Returns texts, of which the longer ones differ only after the longest key.
fn texts() -> Vec<String> {
    let lengths = [1, KEY - 1, KEY, KEY + 1, KEY + 2];
    let mut texts: Vec<String> = lengths.iter().map(|length| "a".repeat(*length)).collect();
    for (length, end) in
        [(KEY, "b"), (KEY, "c"), (KEY - 1, "é"), (KEY - 1, "éx"), (2 * KEY, "B"), (2 * KEY, "ẞ")]
    {
        texts.push("a".repeat(length) + end);
    }
    texts.extend([String::new(), "b".to_owned(), "A".repeat(2 * KEY + 1)]);
    texts
}

/// Returns the body of the record with this number; `shift` chooses its texts. Some records have more texts than
/// `entries` lists.
fn body(texts: &[String], at: usize, shift: usize) -> ResourceInput {
    let text = |more: usize| texts[(at + shift + more) % texts.len()].clone();
    let mut list: Vec<String> = (0..at % 5).map(|more| text(3 * more)).collect();
    if at.is_multiple_of(3) {
        list.extend((0..40).map(|number| format!("n{number:02}")));
    }
    list.sort();
    list.dedup();
    let content = [("custom", json!(text(0))), ("arrayOfStringExample", json!(list))]
        .map(|(name, value)| (name, value.to_string()))
        .into_iter()
        .collect();
    let created_by = Person { first_name: Some(text(1)), last_name: None };
    let id = Some(format!("r{at}"));
    ResourceInput { id, created_by: Some(created_by), content, ..ResourceInput::default() }
}

fn tests_of(texts: &[String]) -> Vec<Test> {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    let value = |text: &String| Value::Text(text.clone());
    let all: Vec<Value> = texts.iter().map(value).collect();
    let mut found = vec![Test::In(all.clone()), Test::NotIn(all.clone()), Test::ContainsAny(all.clone())];
    found.push(Test::ContainsAll(all));
    for (text, next) in texts.iter().zip(texts.iter().cycle().skip(5)) {
        found.extend([Eq, Ne, Lt, Le, Gt, Ge].map(|comparison| Test::Compare(comparison, value(text))));
        let few = || vec![value(text), value(next)];
        found.extend([
            Test::In(few()),
            Test::NotIn(few()),
            Test::ContainsAny(few()),
            Test::ContainsAll(few()),
        ]);
        found.push(Test::MatchesIgnoreCase(text.to_uppercase()));
        found.push(Test::Between(vec![Interval { from: Some(value(text)), to: Some(value(next)) }]));
        found.push(Test::Between(vec![Interval { from: None, to: Some(value(text)) }]));
    }
    found
}

/// Runs every test of every field of texts, alone and where a scan decides it, in the orders of the field.
fn check(twin: &Twin, texts: &[String]) {
    for name in ["custom", "arrayOfStringExample", "createdBy.firstName"] {
        let path = path(&twin.shape, name);
        let conditions = tests_of(texts).into_iter().map(|test| Typed::Test { path: path.clone(), test });
        let scanned = conditions.clone().map(|test| Typed::Or(vec![test, is_version(7)]));
        conditions.clone().chain(scanned).for_each(|condition| check_page(twin, condition, Vec::new()));
        for condition in conditions.take(5).chain([Typed::True]) {
            for descending in [false, true] {
                check_page(twin, condition.clone(), vec![Sort { path: path.clone(), descending }]);
            }
        }
    }
}

fn path(shape: &Shape, name: &str) -> FieldPath {
    predicate::parse_sort(shape, name).expect("a field with an order").path
}

fn check_page(twin: &Twin, condition: Typed, sort: Vec<Sort>) {
    let query = Query { condition, sort, limit: 3, offset: 2, with_total: true };
    let found = matches(&twin.stored(), &query);
    twin.compare(&query, &found).unwrap_or_else(|error| panic!("{error:.3000}"));
}

fn is_version(version: u32) -> Typed {
    let test = Test::Compare(Comparison::Eq, Value::Number(f64::from(version)));
    Typed::Test { path: FieldPath::of_system(System::Version), test }
}

fn check_facets(twin: &Twin) {
    let facet = |name: &str| ("facet", name.to_owned());
    let parameters = [facet("custom"), facet("arrayOfStringExample")];
    let page = searches::ask(twin, &parameters, false).expect("a page");
    for name in ["custom", "arrayOfStringExample"] {
        let path = path(&twin.shape, name);
        let mut expected: BTreeMap<String, u64> = BTreeMap::new();
        for stored in twin.stored() {
            for value in values(stored.body, &path) {
                let Value::Text(text) = value else { panic!("{name} has texts") };
                *expected.entry(text).or_default() += 1;
            }
        }
        let terms = page["facets"][name]["terms"].as_array().expect("terms");
        let term = |term: &serde_json::Value| {
            (term["term"].as_str().expect("a text").to_owned(), term["count"].as_u64().expect("a count"))
        };
        assert_eq!(terms.iter().map(term).collect::<BTreeMap<_, _>>(), expected, "{name}");
    }
}

#[test]
fn texts_that_differ_after_the_longest_key_are_different_texts() {
    let (mut twin, texts, tally) = (Twin::new(), texts(), Tally::default());
    let count = texts.len();
    let write = |twin: &mut Twin, at, shift| {
        twin.write(&Change::CreateOrUpdate(body(&texts, at, shift)), &tally).expect("a write");
    };
    (0..count).for_each(|at| write(&mut twin, at, 0));
    check(&twin, &texts);
    check_facets(&twin);
    // Other texts replace them, so that the index changes in parts.
    (0..count).for_each(|at| write(&mut twin, at, 1 + at % 3));
    for at in 0..3 {
        let delete = Change::DeleteById { id: format!("r{at}"), version: Some(2) };
        twin.write(&delete, &tally).expect("a deletion");
    }
    check(&twin, &texts);
    check_facets(&twin);
}
