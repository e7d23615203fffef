//! Schemas as documents have them: without references. The reader has accepted them, so a reference names a definition,
//! and none contains itself.

use crate::util::json::{self, ObjectWriter, canonical};
use crate::util::text::push_pointer;

/// Where a reference to a definition begins.
pub(super) const DEFINITIONS: &str = "#/$defs/";

/// Returns a schema with every reference replaced by what it names. `root` is the whole schema.
pub fn without_references(root: &str) -> String {
    inlined(root, root)
}

fn inlined(root: &str, schema: &str) -> String {
    let mut members = Vec::new();
    collect(root, schema, &mut members);
    json::object(|object| {
        for (name, value) in members {
            let out = object.member(name);
            match name {
                "items" => out.push_str(&inlined(root, value)),
                "anyOf" => {
                    let parts: Vec<&str> = canonical::items(value).collect();
                    json::array(out, &parts, |out, part| out.push_str(&inlined(root, part)));
                }
                "properties" => {
                    let mut properties = ObjectWriter::open(out);
                    for (name, value) in canonical::members(value) {
                        properties.member(name).push_str(&inlined(root, value));
                    }
                    properties.close();
                }
                _ => out.push_str(value),
            }
        }
    })
}

/// Adds the members of the schema to those of the schema that it names: what is beside a reference replaces them.
fn collect<'t>(root: &'t str, schema: &'t str, all: &mut Vec<(&'t str, &'t str)>) {
    let named = canonical::member(schema, "$ref")
        .and_then(canonical::text)
        .and_then(|target| definition(root, target.strip_prefix(DEFINITIONS)?));
    if let Some(named) = named {
        collect(root, named, all);
    }
    for (name, value) in canonical::members(schema) {
        if name == "$defs" || (name == "$ref" && named.is_some()) {
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
                "a": { "$ref": "#/$defs/size", "description": "here" },
                "b": { "type": "array", "items": { "$ref": "#/$defs/size" } },
                "c": { "anyOf": [{ "type": "string", "title": "inner" }, { "type": "null" }], "title": "outer" },
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
        let found: Value = without_references(&root.to_string()).parse().unwrap();
        let size = |about: &str| {
            json!({ "type": "object", "description": about,
                "properties": { "width": { "type": "number", "minimum": 0 } } })
        };
        for (name, expected) in [
            ("a", size("here")),
            ("b", json!({ "type": "array", "items": size("there") })),
            ("c", root["properties"]["c"].clone()),
        ] {
            assert_eq!(found["properties"][name], expected, "{name}");
        }
        assert_eq!(found.get("$defs"), None);
    }
}
