//! The types that JSON Schema names.

use super::place::{BoxedRefusal, SchemaPlace};
use crate::shape::rules::RuleSet;
use crate::util::json::canonical;

/// The type of a value, as `type` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaType {
    Text,
    Number,
    Integer,
    Boolean,
    Array,
    Object,
}

/// The types, by their names.
pub const KINDS: [(&str, SchemaType); 6] = [
    ("string", SchemaType::Text),
    ("number", SchemaType::Number),
    ("integer", SchemaType::Integer),
    ("boolean", SchemaType::Boolean),
    ("array", SchemaType::Array),
    ("object", SchemaType::Object),
];

impl SchemaType {
    /// Reads `type`: a name, or a list of one name and `null`, which every optional field may be.
    pub(super) fn read(value: &str, at: &SchemaPlace<'_>) -> Result<Self, BoxedRefusal> {
        let names: Vec<&str> =
            if value.starts_with('[') { canonical::items(value).collect() } else { vec![value] };
        let mut others = names.iter().filter(|name| **name != "\"null\"");
        let known = |name: &str| {
            let name = canonical::text(name)?;
            KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
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
    pub(super) fn of_rules(schema: &str, rules: &RuleSet) -> Option<Self> {
        if let Some(choices) = &rules.choices {
            let mut kinds = choices.iter().map(|choice| Self::of_value(choice));
            let first = kinds.next()?;
            return kinds.try_fold(first, Self::widened);
        }
        let has = |name| canonical::member(schema, name).is_some();
        if has("properties") {
            Some(Self::Object)
        } else if has("items") {
            Some(Self::Array)
        } else {
            None
        }
    }

    fn of_value(value: &str) -> Self {
        match value.as_bytes().first() {
            Some(b'"') => Self::Text,
            Some(b't' | b'f') => Self::Boolean,
            Some(b'[') => Self::Array,
            Some(b'{') => Self::Object,
            _ if canonical::integer(value).is_some() => Self::Integer,
            _ => Self::Number,
        }
    }

    /// Returns the type of values of both types; `None` if there is none.
    fn widened(self, other: Self) -> Option<Self> {
        match (self, other) {
            (one, other) if one == other => Some(one),
            (Self::Integer, Self::Number) | (Self::Number, Self::Integer) => Some(Self::Number),
            _ => None,
        }
    }
}
