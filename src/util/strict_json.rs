//! Strict JSON: duplicate members are errors at every level, because a token or key that two parsers could read
//! differently is not trustworthy.

use core::fmt;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::json;

pub type JsonMembers = BTreeMap<String, Json>;
/// The members of an object as they are in its text: numbers keep their digits.
pub(crate) type RawMembers = BTreeMap<String, String>;

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
    Array(Vec<Json>),
    Object(JsonMembers),
}

impl Json {
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub fn array(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    pub fn object(&self) -> Option<&JsonMembers> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    pub fn texts(&self) -> Option<Vec<&str>> {
        self.array()?.iter().map(Self::text).collect()
    }

    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// Writes the value as JSON, with the members of objects in the order of their names.
    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Boolean(truth) => json::boolean(out, *truth),
            Self::Number(number) => json::number(out, *number),
            Self::Text(text) => json::string(out, text),
            Self::Array(items) => json::array(out, items, |out, item| item.write(out)),
            Self::Object(members) => {
                let members = members.iter().map(|(name, value)| (name.as_ref(), value));
                json::members(out, members, |out, value| value.write(out));
            }
        }
    }
}

/// Parses one value with nothing after it. The parser limits nesting (128).
pub fn value(bytes: &[u8]) -> Option<Json> {
    serde_json::from_slice(bytes).ok()
}

pub(crate) fn object(bytes: &[u8]) -> Option<JsonMembers> {
    if let Json::Object(members) = value(bytes)? { Some(members) } else { None }
}

/// Returns the members of an object that is known to be strict.
pub(crate) fn member_texts(object: &str) -> Option<RawMembers> {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(object).ok()?;
    Some(members.into_iter().map(|(name, text)| (name, text.get().to_owned())).collect())
}

/// Returns the text that a value is. `None` for another value, of which only the first byte is read.
pub(crate) fn text(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}

pub(crate) fn item_texts(array: &str) -> Option<Vec<&str>> {
    let items: Vec<&RawValue> = serde_json::from_str(array).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// Returns the text of a member that is known to be strict. `None` if it is absent or not a text.
pub(crate) fn raw_text_of(members: &RawMembers, name: &str) -> Option<String> {
    text(members.get(name)?)
}

/// Returns the member's text. `None` if it is absent or not a text.
pub(crate) fn text_of<'m>(members: &'m JsonMembers, name: &str) -> Option<&'m str> {
    members.get(name)?.text()
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonReader)
    }
}

struct JsonReader;

impl<'de> Visitor<'de> for JsonReader {
    type Value = Json;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value whose member names are unique")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Json, E> {
        Ok(Json::Boolean(truth))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut members = JsonMembers::default();
        while let Some((name, value)) = entries.next_entry::<String, Json>()? {
            if members.insert(name, value).is_some() {
                return Err(A::Error::custom("duplicate member"));
            }
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn members_and_items_keep_their_texts() {
        let members =
            member_texts(r#" { "a" : [1, {"b": 2}] , "b\"" : 0.30000000000000004,"c":1e0 } "#).unwrap();
        let expected = [("a", "[1, {\"b\": 2}]"), ("b\"", "0.30000000000000004"), ("c", "1e0")];
        assert_eq!(members, expected.map(|(name, text)| (name.to_owned(), text.to_owned())).into());
        let items = item_texts(r#"[ 1e0 , {"a": "]"} ,[2, 3]]"#);
        assert_eq!(items, Some(vec!["1e0", r#"{"a": "]"}"#, "[2, 3]"]));
        for text in ["", "1", "null", "{]", "{}, 1"] {
            assert_eq!((member_texts(text), item_texts(text)), (None, None), "{text}");
        }
    }
}
