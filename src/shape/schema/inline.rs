//! Schemas as documents have them: without references. The reader has accepted them, so a reference names a definition,
//! and none contains itself.

use crate::util::json::{self, ObjectWriter, canonical};
use crate::util::text::push_pointer;

/// Where a reference to a definition begins.
pub(super) const DEFINITIONS: &str = "#/$defs/";

/// What remains of a schema without references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// All that its author wrote.
    All,
    /// What readers of a document need of one value: not what only authors read, and not that the value may be null.
    Value,
}

impl Detail {
    fn omits(self, name: &str) -> bool {
        name == "$defs" || (self == Self::Value && matches!(name, "$comment" | "$schema" | "$id"))
    }
}

/// Returns a schema with every reference replaced by what it names. `root` is the whole schema.
pub fn without_references(root: &str, schema: &str, detail: Detail) -> String {
    let mut members = Vec::new();
    collect(root, schema, detail, &mut members);
    let inside = |schema: &str| without_references(root, schema, detail);
    json::object(|object| {
        for (name, value) in members {
            let out = object.member(name);
            match name {
                "items" => out.push_str(&inside(value)),
                "anyOf" if detail == Detail::All => {
                    let parts: Vec<&str> = canonical::items(value).collect();
                    json::array(out, &parts, |out, part| out.push_str(&inside(part)));
                }
                "properties" => {
                    let mut properties = ObjectWriter::open(out);
                    for (name, value) in canonical::members(value) {
                        properties.member(name).push_str(&inside(value));
                    }
                    properties.close();
                }
                _ => out.push_str(value),
            }
        }
    })
}

/// Adds the members of the schema to those of the schema that it names: what is beside a reference replaces them.
fn collect<'t>(root: &'t str, schema: &'t str, detail: Detail, all: &mut Vec<(&'t str, &'t str)>) {
    let definition = canonical::member(schema, "$ref")
        .and_then(canonical::text)
        .and_then(|target| definition(root, target.strip_prefix(DEFINITIONS)?));
    let named = definition.or_else(|| beside_null(schema).filter(|_| detail == Detail::Value));
    if let Some(named) = named {
        collect(root, named, detail, all);
    }
    for (name, value) in canonical::members(schema) {
        let is_replaced = named.is_some() && (name == "$ref" || (name == "anyOf" && detail == Detail::Value));
        if detail.omits(name) || is_replaced {
            continue;
        }
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => all.push((name, value)),
        }
    }
}

/// Returns the definition that a reference names. `pointer`: what follows [`DEFINITIONS`].
pub(super) fn definition<'t>(root: &'t str, pointer: &str) -> Option<&'t str> {
    let is_its = |known: &str| {
        let mut name = String::new();
        push_pointer(known, &mut name);
        name == pointer
    };
    let mut definitions = canonical::members(canonical::member(root, "$defs")?);
    definitions.find(|(known, _)| is_its(known)).map(|(_, definition)| definition)
}

/// Returns the schema that `anyOf` has beside null.
fn beside_null(schema: &str) -> Option<&str> {
    let mut parts = canonical::items(canonical::member(schema, "anyOf")?).filter(|part| !is_null(part));
    let first = parts.next();
    first.filter(|_| parts.next().is_none())
}

/// Returns whether a part of `anyOf` is null.
pub(super) fn is_null(part: &str) -> bool {
    canonical::member(part, "type") == Some("\"null\"") || canonical::member(part, "const") == Some("null")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use serde_json::{Value, json};

    #[test]
    fn references_are_replaced_and_annotations_beside_them_win() {
        let root = json!({
            "properties": {
                "a": { "$ref": "#/$defs/size", "description": "here", "$comment": "x" },
                "b": { "type": "array", "items": { "$ref": "#/$defs/size" } },
                "c": { "anyOf": [{ "type": "string", "title": "inner" }, { "type": "null" }], "title": "outer" },
                "d": { "anyOf": [{ "const": 1 }, { "const": 2 }] },
            },
            "$defs": {
                "size": {
                    "type": "object",
                    "description": "there",
                    "properties": { "width": { "$ref": "#/$defs/cm" } },
                },
                "cm": { "type": "number", "minimum": 0 },
            },
        });
        let text = root.to_string();
        let size = |about: &str| {
            json!({ "type": "object", "description": about,
                "properties": { "width": { "type": "number", "minimum": 0 } } })
        };
        for (name, expected) in [
            ("a", size("here")),
            ("b", json!({ "type": "array", "items": size("there") })),
            ("c", json!({ "type": "string", "title": "outer" })),
            ("d", root["properties"]["d"].clone()),
        ] {
            let found: Value =
                without_references(&text, &root["properties"][name].to_string(), Detail::Value)
                    .parse()
                    .unwrap();
            assert_eq!(found, expected, "{name}");
        }
    }
}
