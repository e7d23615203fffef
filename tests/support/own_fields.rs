//! Tables of own fields (D37), and values of their fields, for tests that draw them.

use std::collections::BTreeMap;
use std::rc::Rc;

use resource_edge::shape::{Shape, kinds};
use serde_json::{Value, json};

use super::random::Random;

/// A table as text: a line with the name and the type of each field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table(String);

/// Returns the names of the types.
pub fn kinds() -> Vec<String> {
    kinds::all().map(|(name, _)| name).collect()
}

impl Table {
    pub fn of(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Returns a table with a field of each type.
    pub fn of_each_type() -> Self {
        kinds().iter().fold(Self::default(), |table, _| table.longer())
    }

    /// Returns a table with a field of each of some types that follow each other, or an empty one.
    pub fn draw(random: &Random) -> Self {
        let kinds = kinds();
        let types = kinds.len() as u64;
        let (first, count) = (random.below(types), random.below(2 * types).saturating_sub(types));
        let first = Self::of(&format!("own0 {}\n", kinds[first as usize]));
        if count == 0 { Self::default() } else { (1..count).fold(first, |table, _| table.longer()) }
    }

    /// Returns the table with another field at its end: of the type after that of its last one.
    #[must_use]
    pub fn longer(&self) -> Self {
        let last = self.fields().last();
        let kinds = kinds();
        let at = last.and_then(|(_, last)| kinds.iter().position(|kind| *kind == last));
        let kind = &kinds[at.map_or(0, |at| (at + 1) % kinds.len())];
        Self(format!("{}own{} {kind}\n", self.0, self.fields().count()))
    }

    /// Returns the name and the type of each field.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.lines().filter_map(|line| line.split_once(' '))
    }

    /// Returns the shape of a declared resource with these fields and a text.
    pub fn declared(&self) -> Rc<Shape> {
        let mut properties = json!({ "custom": { "type": "string" } });
        for (name, kind) in self.fields() {
            let single = match kind.trim_end_matches("[]") {
                "text" => json!({ "type": "string" }),
                "datetime" => json!({ "type": "string", "format": "date-time" }),
                other => json!({ "type": other }),
            };
            properties[name] =
                if kind.ends_with("[]") { json!({ "type": "array", "items": single }) } else { single };
        }
        let schema = json!({ "type": "object", "properties": properties }).to_string();
        Rc::new(Shape::of_schema(&schema).unwrap_or_else(|refused| panic!("{schema}: {refused:?}")))
    }

    /// Returns the shape of the interface with these fields.
    pub fn shape(&self) -> Rc<Shape> {
        Rc::new(Shape::with_fields(&self.0).unwrap_or_else(|wrong| panic!("{wrong} {}", self.0)))
    }
}

/// Returns one of a few values of a type. An array may be empty.
pub fn value(kind: &str, random: &Random) -> Value {
    if let Some(item) = kind.strip_suffix("[]") {
        return (0..random.below(3)).map(|_| value(item, random)).collect();
    }
    let values = match kind {
        "text" => [json!("red"), json!("Blue"), json!("")],
        "integer" => [json!(-1), json!(0), json!(7)],
        "number" => [json!(-0.5), json!(0.1), json!(1234.5)],
        "boolean" => [json!(true), json!(false), json!(true)],
        "datetime" => ["2026-01-31T00:00:00.000Z", "2023-12-31T23:59:59.999Z", "1969-07-20T20:17:40.000Z"]
            .map(Value::from),
        other => panic!("no type of own fields: {other}"),
    };
    random.pick(&values).clone()
}

/// Returns whether it is a value: null and empty arrays are none.
pub fn has_value(value: &Value) -> bool {
    !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty())
}

/// Returns the own fields of a body or a record that have values.
pub fn values_of(record: &Value) -> BTreeMap<&str, &Value> {
    let members = record.as_object().into_iter().flatten();
    members
        .filter(|(name, value)| name.starts_with("own") && has_value(value))
        .map(|(name, value)| (name.as_str(), value))
        .collect()
}

/// Returns whether a field has a value, or an array of it has the value as an item.
pub fn has(record: &Value, name: &str, wanted: &Value) -> bool {
    match &record[name] {
        Value::Array(items) => items.contains(wanted),
        found => found == wanted,
    }
}
