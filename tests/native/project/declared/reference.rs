//! The semantics of conditions on declared resources a second time, as simply as possible: over bodies as JSON.

use std::cmp::Ordering;

use resource_edge::predicate::{Comparison, Test, Typed, Value};
use resource_edge::search::fold;
use resource_edge::shape::{FieldPath, ValueForm};
use resource_edge::util::time;
use serde_json::Value as Json;

/// What a resource, or an item of an array, has of a field.
struct Found<'j> {
    /// The values: those of an array are its items.
    values: Vec<&'j Json>,
    has_array: bool,
}

/// Returns what the names lead to. An array on the way leads to all its items.
fn follow<'j>(from: &'j Json, names: &[&str]) -> Found<'j> {
    let mut found = Found { values: vec![from], has_array: false };
    for name in names {
        let inside = found.values.into_iter().filter_map(|value| value.get(name));
        let (mut values, mut has_array) = (Vec::new(), false);
        for value in inside {
            match value {
                Json::Array(items) => {
                    has_array = true;
                    values.extend(items);
                }
                value => values.push(value),
            }
        }
        found = Found { values, has_array };
    }
    found
}

/// Returns whether the condition is true for a resource, or for an item of the array that so many names lead to.
pub(super) fn holds(condition: &Typed, about: &Json, depth: usize) -> bool {
    let inside = |path: &FieldPath| -> Found<'_> {
        let names: Vec<&str> = path.name().split('.').skip(depth).collect();
        follow(about, &names)
    };
    match condition {
        Typed::True => true,
        Typed::False => false,
        Typed::And(parts) => parts.iter().all(|part| holds(part, about, depth)),
        Typed::Or(parts) => parts.iter().any(|part| holds(part, about, depth)),
        Typed::Not(inner) => !holds(inner, about, depth),
        Typed::Element { path, condition } => {
            let items = inside(path).values;
            let depth = path.name().split('.').count();
            items.into_iter().filter(|item| item.is_object()).any(|item| holds(condition, item, depth))
        }
        Typed::Test { path, test } => test_holds(test, path, &inside(path)),
    }
}

fn test_holds(test: &Test, path: &FieldPath, found: &Found<'_>) -> bool {
    let values: Vec<Value> = found.values.iter().filter_map(|value| read(value, path.form)).collect();
    let count = match path.form {
        ValueForm::Object => found.values.iter().filter(|value| value.is_object()).count(),
        _ => values.len(),
    };
    let has = |wanted: &Value| values.iter().any(|value| compare(value, wanted) == Ordering::Equal);
    match test {
        Test::Compare(Comparison::Eq, wanted) => has(wanted),
        Test::Compare(Comparison::Ne, wanted) => !has(wanted),
        Test::Compare(comparison, wanted) => values.iter().any(|value| {
            let order = compare(value, wanted);
            match comparison {
                Comparison::Lt => order.is_lt(),
                Comparison::Le => order.is_le(),
                Comparison::Gt => order.is_gt(),
                _ => order.is_ge(),
            }
        }),
        Test::In(wanted) | Test::ContainsAny(wanted) => wanted.iter().any(has),
        Test::NotIn(wanted) => !wanted.iter().any(has),
        Test::ContainsAll(wanted) => wanted.iter().all(has),
        Test::IsEmpty => count == 0,
        Test::IsNotEmpty => count > 0,
        Test::IsDefined => count > 0 || found.has_array,
        Test::IsNotDefined => count == 0 && !found.has_array,
        Test::MatchesIgnoreCase(wanted) => {
            values.iter().any(|value| matches!(value, Value::Text(written) if fold(written) == fold(wanted)))
        }
        Test::Between(intervals) => intervals.iter().any(|interval| {
            values.iter().any(|value| {
                interval.from.as_ref().is_none_or(|from| compare(value, from).is_ge())
                    && interval.to.as_ref().is_none_or(|to| compare(value, to).is_le())
            })
        }),
        Test::WithinCircle { .. } | Test::ContainsItems(_) => panic!("only the interface has {test:?}"),
    }
}

/// Reads a value. One of another type is none of the field: it is older than the field's type.
fn read(value: &Json, form: ValueForm) -> Option<Value> {
    match form {
        ValueForm::Text => value.as_str().map(|text| Value::Text(text.to_owned())),
        ValueForm::Integer => value.as_f64().filter(|number| number.fract() == 0.0).map(Value::Number),
        ValueForm::Number => value.as_f64().map(Value::Number),
        ValueForm::Boolean => value.as_bool().map(Value::Boolean),
        ValueForm::DateTime => value.as_str().and_then(time::parse_signed).map(Value::DateTime),
        ValueForm::Point | ValueForm::Object => None,
    }
}

pub(super) fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Text(one), Value::Text(other)) => one.cmp(other),
        (Value::Number(one), Value::Number(other)) => one.partial_cmp(other).expect("finite numbers"),
        (Value::Boolean(one), Value::Boolean(other)) => one.cmp(other),
        (Value::DateTime(one), Value::DateTime(other)) => one.cmp(other),
        _ => panic!("{one:?} and {other:?} are of different types"),
    }
}

/// Returns the values of a field of a resource, in ascending order.
pub(super) fn values(body: &Json, path: &FieldPath) -> Vec<Value> {
    let names: Vec<&str> = path.name().split('.').collect();
    let found = follow(body, &names).values;
    let mut values: Vec<Value> = found.into_iter().filter_map(|value| read(value, path.form)).collect();
    values.sort_by(compare);
    values
}
