//! Schemas of fields as documents have them: without references, and without what only authors read.

use crate::util::json::{self, ObjectWriter, canonical};

/// What no document needs.
const OMITTED: [&str; 4] = ["$comment", "$schema", "$id", "$defs"];

/// Returns the schema of a value with every reference replaced by what it names. `root` is the whole schema, which the
/// reader has accepted: a reference names a definition, and none contains itself.
pub(in crate::shape) fn inlined(root: &str, schema: &str) -> String {
    let mut members = Vec::new();
    collect(root, schema, &mut members);
    json::object(|object| {
        for (name, value) in members {
            let out = object.member(name);
            match name {
                "items" => out.push_str(&inlined(root, value)),
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
    let named = named(root, schema);
    if let Some(named) = named {
        collect(root, named, all);
    }
    for (name, value) in canonical::members(schema) {
        if OMITTED.contains(&name) || (named.is_some() && matches!(name, "$ref" | "anyOf")) {
            continue;
        }
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => all.push((name, value)),
        }
    }
}

/// Returns the definition of a reference, or the schema that `anyOf` has beside null.
fn named<'t>(root: &'t str, schema: &'t str) -> Option<&'t str> {
    if let Some(reference) = canonical::member(schema, "$ref") {
        let reference = canonical::text(reference)?;
        let name = reference.strip_prefix("#/$defs/")?.replace("~1", "/").replace("~0", "~");
        let mut definitions = canonical::members(canonical::member(root, "$defs")?);
        return definitions.find(|(known, _)| *known == name).map(|(_, definition)| definition);
    }
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
            let found: Value = inlined(&text, &root["properties"][name].to_string()).parse().unwrap();
            assert_eq!(found, expected, "{name}");
        }
    }
}
