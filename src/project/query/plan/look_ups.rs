//! The values that conditions look up in the index.

use std::borrow::Cow;

use crate::predicate::{Comparison, Test, Typed};
use crate::search::fold;
use crate::shape::FieldPath;

use super::walk;
use crate::project::query::sql::condition::SEEKS;
use crate::project::store::index::values::{IndexValue, column, folded, long};

/// Returns the values that the conditions look up in the index, each with the number of its field.
pub(crate) fn look_ups<'q>(
    conditions: impl Iterator<Item = &'q Typed>,
) -> Vec<(IndexValue<'q>, IndexValue<'q>)> {
    let mut found = Vec::new();
    let mut add = |code: u16, value: IndexValue<'q>| {
        let (code, value) = if value.is_long() { (long(code), value.into_key()) } else { (code, value) };
        found.push((IndexValue::Integer(i64::from(code)), value));
    };
    let mut each = |path: &FieldPath, test: &'q Test, of_item| {
        let values = match test {
            _ if of_item || !path.by_value => return,
            Test::MatchesIgnoreCase(written) => {
                let text = IndexValue::Text(Cow::Owned(fold(written)));
                add(path.number, text.clone());
                return add(folded(path.number), text);
            }
            _ if column(path).is_some() => return,
            Test::Compare(Comparison::Eq | Comparison::Ne, value) => core::slice::from_ref(value),
            Test::In(values) | Test::NotIn(values) | Test::ContainsAny(values) => values,
            Test::ContainsAll(values) if values.len() <= SEEKS => values,
            Test::Compare(..)
            | Test::ContainsAll(_)
            | Test::ContainsItems(_)
            | Test::Between(_)
            | Test::IsEmpty
            | Test::IsNotEmpty
            | Test::IsDefined
            | Test::IsNotDefined
            | Test::WithinCircle { .. } => return,
        };
        for value in IndexValue::all_of(path, values) {
            add(path.number, value);
        }
    };
    conditions.for_each(|condition| walk::visit(condition, false, &mut each));
    found
}
