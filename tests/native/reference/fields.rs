//! The values of a record at a field's path.

use std::cmp::Ordering;

use resource_edge::contract::resource::schema::Type;
use resource_edge::contract::resource::{FieldId, FieldPath, FieldValues, ObjectItem, Person, Record};
use resource_edge::predicate::Value;

/// Compares two values of one field; texts by code point (D27).
pub fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Text(one), Value::Text(other)) => one.chars().cmp(other.chars()),
        (Value::Number(one), Value::Number(other)) => {
            one.partial_cmp(other).expect("numbers are finite (D7)")
        }
        (Value::Boolean(one), Value::Boolean(other)) => one.cmp(other),
        (Value::DateTime(one), Value::DateTime(other)) => one.cmp(other),
        _ => panic!("{one:?} and {other:?} are of different types"),
    }
}

/// Returns the field's values: none if it is absent, one for a single value, the items of an array. For a field of the
/// items of `arrayOfObjectType`: the values of all items, or of `item`.
pub fn values(record: &Record, path: FieldPath, item: Option<&ObjectItem>) -> Vec<Value> {
    match (path.outer, path.inner) {
        (FieldId::Id, None) => vec![Value::Text(record.id.clone())],
        (FieldId::Key, None) => texts(&record.key),
        (FieldId::Version, None) => vec![Value::Number(record.version as f64)],
        (FieldId::CreatedAt, None) => vec![Value::DateTime(record.created_at as i64)],
        (FieldId::LastModifiedAt, None) => vec![Value::DateTime(record.revision as i64)],
        (FieldId::CreatedBy, Some(inner)) => name(record.created_by.as_ref(), inner),
        (FieldId::LastModifiedBy, Some(inner)) => name(record.last_modified_by.as_ref(), inner),
        (FieldId::ArrayOfObjectType, Some(inner)) => match item {
            Some(item) => number(item, inner).into_iter().collect(),
            None => record.content.objects().iter().filter_map(|item| number(item, inner)).collect(),
        },
        (id, None) => of_content(record, id),
        (outer, Some(inner)) => panic!("{outer:?} has no field {inner:?}"),
    }
}

/// Returns whether the field is present and not null; arrays always are (D1).
pub fn is_defined(record: &Record, path: FieldPath, item: Option<&ObjectItem>) -> bool {
    match (path.outer, path.inner) {
        (FieldId::CreatedBy, None) => record.created_by.is_some(),
        (FieldId::LastModifiedBy, None) => record.last_modified_by.is_some(),
        (outer, None) if is_array(outer) => true,
        _ => !values(record, path, item).is_empty(),
    }
}

/// Returns whether the array has no items.
pub fn is_empty(record: &Record, path: FieldPath) -> bool {
    match (path.outer, path.inner) {
        (FieldId::ArrayOfObjectType, None) => record.content.objects().is_empty(),
        (outer, None) if is_array(outer) => values(record, path, None).is_empty(),
        _ => panic!("{path} is no array"),
    }
}

fn is_array(id: FieldId) -> bool {
    id.content().is_some_and(Type::is_array)
}

fn texts<'r>(texts: impl IntoIterator<Item = &'r String>) -> Vec<Value> {
    texts.into_iter().cloned().map(Value::Text).collect()
}

fn of_content(record: &Record, id: FieldId) -> Vec<Value> {
    assert!(id.content().is_some(), "{id:?} is no field of the content");
    let number = |integer: &i64| Value::Number(*integer as f64);
    match record.content.get(id) {
        None => Vec::new(),
        Some(FieldValues::Texts(found)) => texts(found),
        Some(FieldValues::Integers(found)) => found.iter().map(number).collect(),
        Some(FieldValues::Numbers(found)) => found.iter().copied().map(Value::Number).collect(),
        Some(FieldValues::Booleans(found)) => found.iter().copied().map(Value::Boolean).collect(),
        Some(FieldValues::DateTimes(found)) => found.iter().copied().map(Value::DateTime).collect(),
        Some(FieldValues::Objects(_)) => panic!("objects have no order"),
    }
}

fn name(person: Option<&Person>, id: FieldId) -> Vec<Value> {
    // An absent person is one without fields.
    let person = person.cloned().unwrap_or_default();
    match id {
        FieldId::FirstName => texts(&person.first_name),
        FieldId::LastName => texts(&person.last_name),
        other => panic!("a person has no {other:?}"),
    }
}

fn number(item: &ObjectItem, id: FieldId) -> Option<Value> {
    match id {
        FieldId::IntegerExample => item.integer_example.map(|number| Value::Number(number as f64)),
        FieldId::IntegerExampleInt32 => {
            item.integer_example_int32.map(|number| Value::Number(f64::from(number)))
        }
        other => panic!("an item has no {other:?}"),
    }
}
