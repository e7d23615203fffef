//! Strict JSON: duplicate members are errors at every level, because a token or key that two parsers could read
//! differently is not trustworthy.

use core::fmt;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::json;

pub type JsonMembers = BTreeMap<String, Json>;

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
