//! JSON as written: members in order, including duplicates.

use core::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Json {
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
    Array(Vec<Json>),
    #[serde(deserialize_with = "members")]
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses the text; `None` if it has a lone surrogate, or a number beyond the range of doubles.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the first member with the name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns whether any object has duplicate members.
    pub fn repeats(&self) -> bool {
        match self {
            Self::Array(items) => items.iter().any(Self::repeats),
            Self::Object(members) => members.iter().enumerate().any(|(at, (name, value))| {
                members[..at].iter().any(|(before, _)| before == name) || value.repeats()
            }),
            _ => false,
        }
    }
}

/// Returns how deep the bytes nest if they are JSON by the grammar of RFC 8259 with any values, in UTF-8.
pub fn grammar(bytes: &[u8]) -> Option<usize> {
    core::str::from_utf8(bytes).ok()?;
    serde_json::from_slice::<IgnoredAny>(bytes).ok()?;
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    Some(deepest)
}

/// Reads the members of an object as they are written. A map would have the last of several with one name.
fn members<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, Json)>, D::Error> {
    struct Members;

    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, Json)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(entry) = entries.next_entry()? {
                members.push(entry);
            }
            Ok(members)
        }
    }

    deserializer.deserialize_map(Members)
}
