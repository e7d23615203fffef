//! The values of a record at a field's path.

use std::cmp::Ordering;

use resource_edge::contract::resource::{FIRST_NAME, LAST_NAME};
use resource_edge::predicate::Value;
use resource_edge::shape::built_in::OBJECTS;
use resource_edge::shape::{FieldPath, Person, Record, System, ValueForm};
use resource_edge::util::time;
use serde_json::Value as Json;

/// Larger numbers of a field that once had any numbers are none of a field of integers. Bodies never have such
/// integers.
const WHOLE: f64 = 2e18;

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
pub fn values(record: &Record, path: &FieldPath, item: Option<&Json>) -> Vec<Value> {
    let is = |system: System| path.outer() == system.name();
    match path.inner() {
        None if is(System::Id) => vec![Value::Text(record.id.clone())],
        None if is(System::Key) => texts(&record.key),
        None if is(System::Version) => vec![Value::Number(record.version as f64)],
        None if is(System::CreatedAt) => vec![Value::DateTime(record.created_at as i64)],
        None if is(System::LastModifiedAt) => vec![Value::DateTime(record.revision as i64)],
        None => of_content(record, path.outer()).iter().filter_map(|value| read(value, path)).collect(),
        Some(inner) if is(System::CreatedBy) => name(record.created_by.as_ref(), inner),
        Some(inner) if is(System::LastModifiedBy) => name(record.last_modified_by.as_ref(), inner),
        Some(inner) => match item {
            Some(item) => read(&item[inner], path).into_iter().collect(),
            None => {
                of_content(record, path.outer()).iter().filter_map(|item| read(&item[inner], path)).collect()
            }
        },
    }
}

/// Returns the items of `arrayOfObjectType`.
pub fn objects(record: &Record) -> Vec<Json> {
    of_content(record, OBJECTS)
}

/// Returns whether the field is present and not null; arrays always are (D1).
pub fn is_defined(record: &Record, path: &FieldPath, item: Option<&Json>) -> bool {
    if path.is(System::CreatedBy) {
        return record.created_by.is_some();
    }
    if path.is(System::LastModifiedBy) {
        return record.last_modified_by.is_some();
    }
    is_array(path) || !values(record, path, item).is_empty()
}

/// Returns whether the array has no items.
pub fn is_empty(record: &Record, path: &FieldPath) -> bool {
    assert!(is_array(path), "{path} is no array");
    if path.form == ValueForm::Object {
        return of_content(record, path.outer()).is_empty();
    }
    values(record, path, None).is_empty()
}

fn is_array(path: &FieldPath) -> bool {
    path.array && path.inner().is_none()
}

fn texts<'r>(texts: impl IntoIterator<Item = &'r String>) -> Vec<Value> {
    texts.into_iter().cloned().map(Value::Text).collect()
}

/// Returns the value of a field of the content, or its items.
fn of_content(record: &Record, name: &str) -> Vec<Json> {
    let value = record.content.get(name).map(|value| serde_json::from_str(value).expect("a value is JSON"));
    match value {
        None => Vec::new(),
        Some(Json::Array(items)) => items,
        Some(value) => vec![value],
    }
}

/// Reads a value of the field. A value of another type is none of the field: it is older than the field's type.
fn read(value: &Json, path: &FieldPath) -> Option<Value> {
    match path.form {
        ValueForm::Text => value.as_str().map(|text| Value::Text(text.to_owned())),
        ValueForm::Integer | ValueForm::Point => {
            let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() < WHOLE;
            value.as_f64().filter(is_whole).map(Value::Number)
        }
        ValueForm::Number => value.as_f64().map(Value::Number),
        ValueForm::Boolean => value.as_bool().map(Value::Boolean),
        ValueForm::DateTime => value.as_str().and_then(time::parse_signed).map(Value::DateTime),
        ValueForm::Object => panic!("objects have no order"),
    }
}

fn name(person: Option<&Person>, inner: &str) -> Vec<Value> {
    // An absent person is one without fields.
    let person = person.cloned().unwrap_or_default();
    match inner {
        FIRST_NAME => texts(&person.first_name),
        LAST_NAME => texts(&person.last_name),
        other => panic!("a person has no {other}"),
    }
}
