//! The order of results, and the pages of it (D21, D27).

use std::cmp::Ordering;

use resource_edge::call::Query;
use resource_edge::predicate::Value;
use resource_edge::shape::{Record, Shape, Sort};
use serde_json::Value as Json;

use super::evaluate::holds;
use super::fields::{compare as compare_values, values};

/// A resource as it is stored: a record has its text until its next write, whatever the shape is.
#[derive(Debug, Clone, Copy)]
pub struct Stored<'t> {
    pub record: &'t Record,
    pub text: &'t str,
    pub body: &'t Json,
}

/// Returns all matches of a query in its order. The resources are in the order of creation.
pub fn matches<'t>(stored: &[Stored<'t>], query: &Query) -> Vec<Stored<'t>> {
    let is_match = |stored: &Stored<'_>| holds(&query.condition, stored.body);
    let mut found: Vec<Stored<'t>> = stored.iter().copied().filter(is_match).collect();
    // A stable sort keeps ties in the order of creation.
    found.sort_by(|one, other| compare(one.body, other.body, &query.sort));
    found
}

fn compare(one: &Json, other: &Json, sort: &[Sort]) -> Ordering {
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

/// Returns the value that the resource is sorted by: the smallest item of an array, or the largest if descending.
fn key(body: &Json, sort: &Sort) -> Option<Value> {
    let values = values(body, &sort.path).into_iter();
    if sort.descending { values.max_by(compare_values) } else { values.min_by(compare_values) }
}

/// Returns the page as the service writes it. A page of operation 1 also has the arrays of its first result, if they
/// are resources of the interface.
pub fn page(shape: &Shape, found: &[Stored<'_>], query: &Query, with_first: bool) -> String {
    let results = found.iter().skip(query.offset as usize).take(query.limit as usize);
    let results: Vec<&Stored<'_>> = results.collect();
    let bodies: Vec<&str> = results.iter().map(|stored| stored.text).collect();
    let total = if query.with_total { format!(r#""total":{},"#, found.len()) } else { String::new() };
    let first = if with_first && !shape.is_declared() {
        let arrays = results.first().map(|stored| stored.record.content.clone()).unwrap_or_default();
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
