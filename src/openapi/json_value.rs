//! The document as a value until it is written. Objects keep the order of their members, and what is JSON already stays
//! as it is.

use std::borrow::Cow;

use crate::util::json;

/// The name of a member, or a text: most are constants.
pub(super) type JsonText = Cow<'static, str>;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum JsonValue {
    Null,
    Boolean(bool),
    Integer(i64),
    Number(f64),
    Text(JsonText),
    Array(Vec<Self>),
    Object(JsonObject),
    /// The JSON of a value.
    Written(String),
}

/// The members of an object, each name once.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct JsonObject(Vec<(JsonText, JsonValue)>);

impl JsonObject {
    /// Adds a member, or replaces its value.
    pub(super) fn insert(&mut self, name: impl Into<JsonText>, value: JsonValue) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }
}

impl JsonValue {
    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Boolean(truth) => json::boolean(out, *truth),
            Self::Integer(integer) => json::integer(out, *integer),
            Self::Number(number) => json::number(out, *number),
            Self::Text(text) => json::string(out, text),
            Self::Array(items) => json::array(out, items, |out, item| item.write(out)),
            Self::Object(JsonObject(members)) => {
                let members = members.iter().map(|(name, value)| (name.as_ref(), value));
                json::members(out, members, |out, value| value.write(out));
            }
            Self::Written(json) => out.push_str(json),
        }
    }

    pub(super) fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// Returns the value as JSON without white space.
    pub(super) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

macro_rules! from {
    ($($type:ty: |$value:ident| $of:expr,)*) => {
        $(impl From<$type> for JsonValue {
            fn from($value: $type) -> Self {
                $of
            }
        })*
    };
}

from! {
    bool: |value| Self::Boolean(value),
    i32: |value| Self::Integer(value.into()),
    i64: |value| Self::Integer(value),
    f64: |value| Self::Number(value),
    &'static str: |value| Self::Text(JsonText::Borrowed(value)),
    String: |value| Self::Text(JsonText::Owned(value)),
    JsonText: |value| Self::Text(value),
    JsonObject: |value| Self::Object(value),
}

impl<T: Into<Self>> From<Option<T>> for JsonValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for JsonValue {
    fn from(values: Vec<T>) -> Self {
        Self::Array(values.into_iter().map(Into::into).collect())
    }
}

impl IntoIterator for JsonObject {
    type Item = (JsonText, JsonValue);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<N: Into<JsonText>> FromIterator<(N, JsonValue)> for JsonObject {
    fn from_iter<I: IntoIterator<Item = (N, JsonValue)>>(members: I) -> Self {
        let mut object = Self::default();
        object.extend(members);
        object
    }
}

impl<N: Into<JsonText>> Extend<(N, JsonValue)> for JsonObject {
    fn extend<I: IntoIterator<Item = (N, JsonValue)>>(&mut self, members: I) {
        members.into_iter().for_each(|(name, value)| self.insert(name, value));
    }
}

impl<N: Into<JsonText>> FromIterator<(N, JsonValue)> for JsonValue {
    fn from_iter<I: IntoIterator<Item = (N, JsonValue)>>(members: I) -> Self {
        Self::Object(members.into_iter().collect())
    }
}
