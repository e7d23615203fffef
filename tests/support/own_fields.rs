//! Tables of own fields (D37), and values of their fields, for tests that draw them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use resource_edge::contract::resource::OwnFields;
use resource_edge::contract::resource::own::KINDS;
use serde_json::{Value, json};

use super::random::Random;

thread_local! {
    /// Every table that the thread has used, because a table is never freed.
    static TABLES: RefCell<BTreeMap<String, &'static OwnFields>> = RefCell::default();
}

/// A table as text: a line with the name and the type of each field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table(String);

/// While it lives, the thread uses a table. Then it uses none, because it may run another test.
pub struct InUse;

impl Drop for InUse {
    fn drop(&mut self) {
        Table::default().install();
    }
}

impl Table {
    pub fn of(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Returns a table with a field of each type.
    pub fn of_each_type() -> Self {
        KINDS.iter().fold(Self::default(), |table, _| table.longer())
    }

    /// Returns a table with a field of each of some types that follow each other, or an empty one.
    pub fn draw(random: &Random) -> Self {
        let kinds = KINDS.len() as u64;
        let (first, count) = (random.below(kinds), random.below(2 * kinds).saturating_sub(kinds));
        let first = Self::of(&format!("own0 {}\n", KINDS[first as usize].0));
        if count == 0 { Self::default() } else { (1..count).fold(first, |table, _| table.longer()) }
    }

    /// Returns the table with another field at its end: of the type after that of its last one.
    #[must_use]
    pub fn longer(&self) -> Self {
        let last = self.fields().last();
        let at = last.and_then(|(_, last)| KINDS.iter().position(|(kind, _)| *kind == last));
        let kind = KINDS[at.map_or(0, |at| (at + 1) % KINDS.len())].0;
        Self(format!("{}own{} {kind}\n", self.0, self.fields().count()))
    }

    /// Returns a table that does not begin with this one, if this one has fields: without some of them, in another
    /// order, or with another type.
    #[must_use]
    pub fn broken(&self, random: &Random) -> Self {
        let mut lines: Vec<&str> = self.0.lines().collect();
        let other = lines.first().map(|first| match first.strip_suffix("[]") {
            Some(single) => single.to_owned(),
            None => format!("{first}[]"),
        });
        match random.below(4) {
            0 => lines.clear(),
            1 => lines.truncate(lines.len().saturating_sub(1)),
            2 if lines.len() > 1 => lines.reverse(),
            _ => lines.splice(..lines.len().min(1), other.as_deref()).for_each(drop),
        }
        Self(lines.iter().flat_map(|line| [line, "\n"]).collect())
    }

    /// Returns whether the table begins with another one.
    pub fn continues(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }

    /// Returns the name and the type of each field.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.lines().filter_map(|line| line.split_once(' '))
    }

    /// Lets the thread use the table from now on.
    pub fn install(&self) {
        let parse = || OwnFields::parse(&self.0).unwrap_or_else(|wrong| panic!("{wrong} {}", self.0));
        let table = TABLES.with_borrow_mut(|all| *all.entry(self.0.clone()).or_insert_with(parse));
        table.install();
    }

    /// Lets the thread use the table while the result lives.
    pub fn in_use(&self) -> InUse {
        self.install();
        InUse
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
