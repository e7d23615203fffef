//! The values of a resource at a field's path: of its text as JSON, whatever its shape was when it was written.

use std::cmp::Ordering;

use resource_edge::predicate::Value;
use resource_edge::shape::built_in::WRAPPER;
use resource_edge::shape::{FieldPath, ValueForm};
use resource_edge::util::time::rfc3339::instant;
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

/// What a resource, or an item of an array, has of a field.
pub struct Found<'j> {
    /// The values: those of an array are its items.
    values: Vec<&'j Json>,
    has_array: bool,
    form: ValueForm,
}

/// Returns what a resource has of a field, or an item of the array that so many names of the path lead to. An array on
/// the way leads to all its items.
pub fn find<'j>(about: &'j Json, path: &FieldPath, depth: usize) -> Found<'j> {
    let wrapped = about.get(WRAPPER).filter(|_| depth == 0 && about.get(path.outer()).is_none());
    let mut found = Found { values: vec![wrapped.unwrap_or(about)], has_array: false, form: path.form };
    for name in path.name().split('.').skip(depth) {
        let inside = std::mem::take(&mut found.values).into_iter().filter_map(|value| value.get(name));
        found.has_array = false;
        for value in inside {
            match value {
                Json::Array(items) => {
                    found.has_array = true;
                    found.values.extend(items);
                }
                value => found.values.push(value),
            }
        }
    }
    found
}

impl<'j> Found<'j> {
    /// Returns the values that are of the field's type. Others are older than the type.
    pub fn values(&self) -> Vec<Value> {
        self.values.iter().filter_map(|value| read(value, self.form)).collect()
    }

    /// Returns the values that are objects.
    pub fn objects(&self) -> impl Iterator<Item = &'j Json> {
        self.values.iter().copied().filter(|value| value.is_object())
    }

    pub fn is_empty(&self) -> bool {
        if self.form == ValueForm::Object {
            self.objects().next().is_none()
        } else {
            self.values().is_empty()
        }
    }

    /// Returns whether there is a value, or an array, which may be empty.
    pub fn is_defined(&self) -> bool {
        self.has_array || !self.is_empty()
    }
}

/// Returns the values of a field of a resource.
pub fn values(body: &Json, path: &FieldPath) -> Vec<Value> {
    find(body, path, 0).values()
}

fn read(value: &Json, form: ValueForm) -> Option<Value> {
    match form {
        ValueForm::Text => value.as_str().map(|text| Value::Text(text.to_owned())),
        ValueForm::Integer | ValueForm::Point => {
            let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() < WHOLE;
            value.as_f64().filter(is_whole).map(Value::Number)
        }
        ValueForm::Number => value.as_f64().map(Value::Number),
        ValueForm::Boolean => value.as_bool().map(Value::Boolean),
        ValueForm::DateTime => value.as_str().and_then(instant).map(Value::DateTime),
        ValueForm::Object => None,
    }
}
