//! Merges tests without changing their meaning: a chain about one field becomes one test with a list. So the longest
//! chains stay within the platform's limit on statements, and cost little per row.

use core::cmp::Ordering;

use crate::predicate::{Comparison, Test, Typed, Value};
use crate::shape::FieldPath;

/// Returns the condition with duplicate parts removed, the values of a field in one list, and only the widest or
/// narrowest of its bounds.
pub(crate) fn merge(condition: &Typed) -> Typed {
    match condition {
        Typed::And(parts) => Typed::all(merge_parts(parts, true)),
        Typed::Or(parts) => Typed::any(merge_parts(parts, false)),
        Typed::Not(inner) => negate(merge(inner)),
        Typed::Element { path, condition } => {
            Typed::Element { path: path.clone(), condition: Box::new(merge(condition)) }
        }
        Typed::True | Typed::False | Typed::Test { .. } => condition.clone(),
    }
}

fn merge_parts(parts: &[Typed], all: bool) -> Vec<Typed> {
    let mut found: Vec<Typed> = Vec::with_capacity(parts.len());
    // The conditions on the items of each array.
    let mut items: Vec<(&FieldPath, Vec<Typed>)> = Vec::new();
    for part in parts {
        if let Some((path, condition)) = of_item(part, all) {
            match items.iter_mut().find(|(other, _)| *other == path) {
                Some((_, conditions)) => conditions.push(condition.clone()),
                None => items.push((path, vec![condition.clone()])),
            }
            continue;
        }
        let part = merge(part);
        if !found.iter_mut().any(|other| absorbs(other, &part, all)) {
            found.push(part);
        }
    }
    found.extend(items.into_iter().map(|(path, conditions)| {
        let condition = Box::new(Typed::any(merge_parts(&conditions, false)));
        let element = Typed::Element { path: path.clone(), condition };
        if all { element.negated() } else { element }
    }));
    found
}

/// Returns an array of objects and the condition on an item: in a chain of `or` an item must satisfy it, in a chain of
/// `and` no item may.
fn of_item(part: &Typed, all: bool) -> Option<(&FieldPath, &Typed)> {
    match (part, all) {
        (Typed::Element { path, condition }, false) => Some((path, condition)),
        (Typed::Not(inner), true) => of_item(inner, false),
        _ => None,
    }
}

/// Negates a condition; uses the counterpart of a test if there is one.
fn negate(condition: Typed) -> Typed {
    let Typed::Test { path, test } = condition else { return condition.negated() };
    let test = match test {
        Test::Compare(Comparison::Eq, value) => Test::Compare(Comparison::Ne, value),
        Test::Compare(Comparison::Ne, value) => Test::Compare(Comparison::Eq, value),
        Test::In(values) | Test::ContainsAny(values) => Test::NotIn(values),
        Test::NotIn(values) => Test::In(values),
        Test::IsEmpty => Test::IsNotEmpty,
        Test::IsNotEmpty => Test::IsEmpty,
        Test::IsDefined => Test::IsNotDefined,
        Test::IsNotDefined => Test::IsDefined,
        other => return Typed::Test { path, test: other }.negated(),
    };
    Typed::Test { path, test }
}

/// Extends the first part so that it means both, joined by `and` or by `or`. Returns whether that was possible.
fn absorbs(one: &mut Typed, other: &Typed, all: bool) -> bool {
    if one == other {
        return true;
    }
    match (one, other) {
        (Typed::Test { path, test }, Typed::Test { path: same, test: more }) if path == same => {
            merge_tests(test, more, all)
        }
        _ => false,
    }
}

fn merge_tests(one: &mut Test, other: &Test, all: bool) -> bool {
    match (&mut *one, other) {
        (Test::Compare(comparison, value), Test::Compare(same, bound)) if comparison == same => {
            let wider = match comparison {
                Comparison::Lt | Comparison::Le => Ordering::Greater,
                Comparison::Gt | Comparison::Ge => Ordering::Less,
                Comparison::Eq | Comparison::Ne => return merge_lists(one, other, all),
            };
            // For an array, the smallest or the largest item decides, so all of its bounds are bounds of one value.
            if (bound.compare(value) == wider) != all {
                *value = bound.clone();
            }
            true
        }
        (Test::ContainsAll(values), Test::ContainsAll(more)) if all => {
            values.extend_from_slice(more);
            true
        }
        _ => merge_lists(one, other, all),
    }
}

/// Merges tests of equality in the same way. Their values become one list.
fn merge_lists(one: &mut Test, other: &Test, all: bool) -> bool {
    let (Some(_), Some(more)) = (values(one, all), values(other, all)) else { return false };
    if let Test::Compare(_, value) = one {
        let value = core::mem::replace(value, Value::Number(0.0));
        *one = if all { Test::NotIn(vec![value]) } else { Test::In(vec![value]) };
    }
    match one {
        Test::In(values) | Test::ContainsAny(values) | Test::NotIn(values) => values.extend_from_slice(more),
        _ => return false,
    }
    true
}

/// Returns the values of a test that fit a list: one of them must be equal, or none in a chain of `and`.
fn values(test: &Test, all: bool) -> Option<&[Value]> {
    match (test, all) {
        (Test::Compare(Comparison::Eq, value), false) | (Test::Compare(Comparison::Ne, value), true) => {
            Some(core::slice::from_ref(value))
        }
        (Test::In(values) | Test::ContainsAny(values), false) | (Test::NotIn(values), true) => Some(values),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::{self, Variables};
    use crate::shape::Shape;
    use crate::test;

    #[test]
    fn a_chain_about_one_field_becomes_one_test() {
        let read = |text: &str| predicate::read(&Shape::built_in(), [text], &Variables::default()).unwrap();
        for (chain, merged) in [
            ("custom > \"b\" or custom > \"a\" or custom > \"c\"", "custom > \"a\""),
            ("custom > \"b\" and custom > \"a\" and custom > \"c\"", "custom > \"c\""),
            ("version <= 1 or version <= 2", "version <= 2"),
            ("version <= 2 and version <= 1 and key = \"k\"", "version <= 1 and key = \"k\""),
            ("id = \"a\" or id = \"b\"", "id in (\"a\", \"b\")"),
        ] {
            assert_eq!(merge(&read(chain)), read(merged), "{chain}");
        }
    }
}
