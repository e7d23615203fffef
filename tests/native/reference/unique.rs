//! Values that no two resources may have (D40).

use std::cmp::Ordering;

use resource_edge::predicate::Value;
use resource_edge::shape::FieldPath;
use serde_json::Value as Json;

use super::fields::{compare, values};
use crate::support::schemas::Design;

/// Returns whether another resource has a unique value that a write gives to one. An earlier shape may have allowed the
/// values that the resource has already.
pub fn is_taken<'j>(
    design: &Design,
    before: Option<&Json>,
    after: &Json,
    others: &(impl Iterator<Item = &'j Json> + Clone),
) -> bool {
    let has = |values: &[Value], wanted: &Value| {
        values.iter().any(|value| compare(value, wanted) == Ordering::Equal)
    };
    unique(design).iter().any(|path| {
        let old = before.map(|before| values(before, path)).unwrap_or_default();
        let mut gained = values(after, path);
        gained.retain(|value| !has(&old, value));
        gained.iter().any(|value| others.clone().any(|other| has(&values(other, path), value)))
    })
}

/// Returns the fields whose values no two resources have.
fn unique(design: &Design) -> Vec<FieldPath> {
    let paths = design.shape.query_fields().into_iter().filter_map(|field| field.path);
    paths.filter(|path| design.at(path.name()).is_some_and(|field| field["x-unique"] == true)).collect()
}
