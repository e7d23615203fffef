//! The type of the values that a schema describes.

use super::place::{BoxedRefusal, SchemaPlace};
use crate::contract::limits;
use crate::shape::rules::RuleSet;
use crate::shape::types::JsonType;
use crate::util::json::canonical;

/// Reads `type`: a name, or a list of one name and `null`, which every optional field may be.
pub(super) fn read(value: &str, at: &SchemaPlace<'_>) -> Result<JsonType, BoxedRefusal> {
    let names: Vec<&str> =
        if value.starts_with('[') { canonical::items(value).collect() } else { vec![value] };
    let mut others = names.iter().filter(|name| **name != "\"null\"");
    let known = |name: &str| {
        let name = canonical::text(name)?;
        JsonType::ALL.iter().copied().find(|known| known.name() == name)
    };
    match (others.next().and_then(|name| known(name)), others.next()) {
        (Some(kind), None) => Ok(kind),
        _ => Err(at.refuse(
            "Expected one of \"string\", \"number\", \"integer\", \"boolean\", \"array\", \"object\", or a list of \
             one of them and \"null\".",
        )),
    }
}

/// Returns the type that the other keywords of a schema without `type` are for.
pub(super) fn of_rules(schema: &str, rules: &RuleSet) -> Option<JsonType> {
    if let Some(choices) = &rules.choices {
        let mut kinds = choices.iter().map(|choice| of_value(choice));
        let first = kinds.next()?;
        return kinds.try_fold(first, JsonType::or);
    }
    let has = |name| canonical::member(schema, name).is_some();
    if has("properties") { Some(JsonType::Object) } else { has("items").then_some(JsonType::Array) }
}

fn of_value(value: &str) -> JsonType {
    // What no integer field may have is a number.
    let is_integer = |value: i64| (-limits::INTEGER_MAX..=limits::INTEGER_MAX).contains(&value);
    match value.as_bytes().first() {
        Some(b'"') => JsonType::String,
        Some(b't' | b'f') => JsonType::Boolean,
        _ if canonical::integer(value).is_some_and(is_integer) => JsonType::Integer,
        _ => JsonType::Number,
    }
}

impl JsonType {
    /// Returns the type of values of both types; `None` if there is none.
    pub(super) fn or(self, other: Self) -> Option<Self> {
        match (self, other) {
            (one, other) if one == other => Some(one),
            (Self::Integer, Self::Number) | (Self::Number, Self::Integer) => Some(Self::Number),
            _ => None,
        }
    }
}
