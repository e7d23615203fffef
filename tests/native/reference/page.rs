//! The order of results, and the pages of it (D21, D27).

use std::cmp::Ordering;

use resource_edge::call::Query;
use resource_edge::predicate::Value;
use resource_edge::shape::{Record, Shape, Sort};

use super::evaluate::holds;
use super::fields::{compare as compare_values, values};

/// Returns all matches of a query in its order. The records are in the order of creation.
pub fn matches<'r>(records: &'r [Record], query: &Query) -> Vec<&'r Record> {
    let mut found: Vec<&Record> = records.iter().filter(|record| holds(&query.condition, record)).collect();
    // A stable sort keeps ties in the order of creation.
    found.sort_by(|one, other| compare(one, other, &query.sort));
    found
}

fn compare(one: &Record, other: &Record, sort: &[Sort]) -> Ordering {
    sort.iter()
        .map(|sort| match (key(one, sort), key(other, sort)) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(one), Some(other)) if sort.descending => compare_values(&other, &one),
            (Some(one), Some(other)) => compare_values(&one, &other),
        })
        .find(|order| *order != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}

/// Returns the value that the record is sorted by: the smallest item of an array, or the largest if descending.
fn key(record: &Record, sort: &Sort) -> Option<Value> {
    let values = values(record, &sort.path, None).into_iter();
    if sort.descending { values.max_by(compare_values) } else { values.min_by(compare_values) }
}

/// Returns the page as the service writes it, with the text of each record. A page of operation 1 also has the arrays
/// of its first result.
pub fn page(
    shape: &Shape,
    found: &[&Record],
    text: &dyn Fn(&Record) -> String,
    query: &Query,
    with_first: bool,
) -> String {
    let results: Vec<&Record> =
        found.iter().skip(query.offset as usize).take(query.limit as usize).copied().collect();
    let bodies: Vec<String> = results.iter().map(|record| text(record)).collect();
    let total = if query.with_total { format!(r#""total":{},"#, found.len()) } else { String::new() };
    let first = if with_first {
        let arrays = results.first().map(|record| record.content.clone()).unwrap_or_default();
        let mut out = String::new();
        arrays.write_arrays(shape, &mut out);
        format!(",{}", out.trim_start_matches('{').trim_end_matches('}'))
    } else {
        String::new()
    };
    format!(
        r#"{{"limit":{},"offset":{},"count":{},{total}"results":[{}]{first}}}"#,
        query.limit,
        query.offset,
        bodies.len(),
        bodies.join(",")
    )
}
