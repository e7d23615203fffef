//! The bodies and records of a resource that a deployment declares as JSON Schema (D38).

use std::borrow::Cow;
use std::sync::Arc;

use super::bodies::{self, Parts, VERSION, action_tag, object_of, set_action, system, system_fields};
use super::rules::Rules;
use super::schema::{self, Refused, SchemaForm};
use super::types::{ActionEffect, ArrayRule, Field, Lacks, Object, Role, Type, Union, Variant, array_of};
use crate::contract::prose;
use crate::contract::resource::{ObjectId, System};
use crate::util::json::{self, canonical};
use crate::util::text::concat;

/// What a shape says about a field of the content beside its values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Declared {
    pub(super) name: String,
    /// Its JSON Schema, which says each rule in one way, without references.
    pub(super) schema: String,
    /// The value of a creation without the field, as canonical JSON.
    pub(super) default: Option<String>,
}

/// Reads the schema of a resource. Returns its objects in the order of [`ObjectId`], and what it says about its fields.
pub(super) fn read(text: &str) -> Result<(Vec<Arc<Object>>, Vec<Declared>), Refused> {
    let schema = schema::read(text, SchemaForm::Described)?;
    let content = schema::plain::read(&schema, Role::Content);
    let properties = canonical::members(canonical::member(&schema, "properties").unwrap_or_default());
    let declared = properties.zip(&content).map(|((name, schema), field)| Declared {
        name: name.to_owned(),
        schema: schema.to_owned(),
        default: canonical::member(schema, "default").map(|value| ordered(&field.ty, value)),
    });
    let declared = declared.collect();
    Ok((objects(content), declared))
}

/// Returns a value with the members of its objects in the order of the shape, and without null, as it is stored. What
/// does not fit the shape stays, to be refused.
fn ordered(ty: &Type, value: &str) -> String {
    match ty {
        Type::Array(array) if value.starts_with('[') => {
            let items: Vec<String> =
                canonical::items(value).map(|item| ordered(&array.items, item)).collect();
            concat(&["[", &items.join(","), "]"])
        }
        Type::Object(object) if value.starts_with('{') => json::object(|out| {
            let known = object.fields.iter();
            for (field, value) in
                known.filter_map(|field| Some((field, canonical::member(value, &field.name)?)))
            {
                if value != "null" {
                    out.member(&field.name).push_str(&ordered(&field.ty, value));
                }
            }
            for (name, value) in canonical::members(value).filter(|(name, _)| object.field(name).is_none()) {
                out.member(name).push_str(value);
            }
        }),
        _ => value.to_owned(),
    }
}

/// Returns the objects of the plain form of a schema, in the order of [`ObjectId`].
pub(super) fn of_plain(schema: &str) -> Vec<Arc<Object>> {
    objects(schema::plain::read(schema, Role::Content))
}

fn objects(content: Vec<Field>) -> Vec<Arc<Object>> {
    let mut complex = system_fields(false, system(System::Version, VERSION, false));
    complex.extend_from_slice(&content);
    let empty = |id| object_of(id, Vec::new(), Lacks::Absent);
    bodies::objects(Parts {
        wrappers: [Vec::new(), Vec::new()],
        complex,
        arrays: [empty(ObjectId::Arrays), empty(ObjectId::StoredArrays)],
        actions: actions(&content),
        content,
        lacks: [Lacks::WithVersion, Lacks::Kept],
    })
}

/// Returns the update actions: one that sets each field, and two that add to an array of single values and remove from
/// it.
fn actions(content: &[Field]) -> Union {
    let mut variants: Vec<Variant> = content.iter().map(set_action).collect();
    for field in content {
        let Type::Array(array) = &field.ty else { continue };
        if matches!(array.items, Type::Object(_)) {
            continue;
        }
        for (verb, about, effect) in [
            ("add", "Adds items to `", ActionEffect::Add),
            ("remove", "Removes items from `", ActionEffect::Remove),
        ] {
            // The values of the list, each by the rules of an item.
            let ty = array_of(array.items.clone(), array.item_rules.clone(), ArrayRule::Any);
            let rules = Rules::default();
            let listed = Field { ty, required: true, has_default: false, rules, ..field.clone() };
            variants.push(bodies::action(verb, [about, "`."], listed, effect));
        }
    }
    Union { name: Cow::Borrowed(prose("ResourceUpdateAction")), tag: action_tag(), variants }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use crate::test;
    use serde_json::{Value, json};

    fn refusal(schema: &Value) -> (String, String) {
        let Refused { at, message } = Shape::of_schema(&schema.to_string()).unwrap_err();
        (at, message)
    }

    #[test]
    fn a_resource_has_the_fields_of_the_system_and_those_of_its_schema() {
        let schema = json!({
            "type": "object",
            "required": ["title"],
            "properties": {
                "title": { "type": "string", "minLength": 1, "x-title": true },
                "price": { "type": ["number", "null"], "minimum": 0, "default": 1 },
                "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
                "size": { "type": "object", "properties": { "width": { "type": "integer" } } },
            },
        });
        let shape = Shape::of_schema(&schema.to_string()).unwrap();
        let names = |id| -> Vec<String> {
            shape.object(id).fields.iter().map(|field| field.name.to_string()).collect()
        };
        let system = ["id", "version", "key", "createdAt", "createdBy", "lastModifiedAt", "lastModifiedBy"];
        let all: Vec<&str> = system.into_iter().chain(["title", "price", "tags", "size"]).collect();
        for id in [ObjectId::Draft, ObjectId::Overwrite, ObjectId::Complex, ObjectId::Record] {
            assert_eq!(names(id), all);
        }
        let tags: Vec<&str> = shape.actions().iter().map(|variant| variant.tag.as_ref()).collect();
        assert_eq!(tags, ["setTitle", "setPrice", "setTags", "setSize", "addTags", "removeTags"]);
        assert!(shape.is_declared() && shape.marks_at("title").title && !shape.marks_at("price").title);
        assert_eq!((shape.default_of("price"), shape.default_of("title")), (Some("1"), None));
        let paths: Vec<String> = shape
            .query_fields()
            .into_iter()
            .filter_map(|field| field.path)
            .map(|path| path.to_string())
            .collect();
        assert!(paths.contains(&"size.width".to_owned()), "{paths:?}");
        assert!(!paths.contains(&"custom".to_owned()), "{paths:?}");
    }

    #[test]
    fn a_default_is_stored_in_the_order_of_the_shape() {
        let size = json!({ "type": "object", "properties": {
            "width": { "type": "number" }, "unit": { "type": "string" }, "height": { "type": "number" } } });
        let sizes = json!({ "type": "array", "items": size, "default": [{ "height": 2, "width": 1.5 }, {}] });
        let mut schema = json!({ "type": "object", "properties": { "size": size, "sizes": sizes } });
        schema["properties"]["size"]["default"] = json!({ "height": 2, "unit": null, "width": 1 });
        let shape = Shape::of_schema(&schema.to_string()).unwrap();
        assert_eq!(shape.default_of("size"), Some(r#"{"width":1,"height":2}"#));
        assert_eq!(shape.default_of("sizes"), Some(r#"[{"width":1.5,"height":2},{}]"#));
    }

    #[test]
    fn what_libraries_print_has_its_meaning() {
        let literals = json!([{ "type": "string", "const": "a" }, { "const": "b" }]);
        for (schema, same) in [
            (json!({ "anyOf": literals }), json!({ "enum": ["a", "b"] })),
            (json!({ "anyOf": [{ "enum": ["a"] }, { "const": "b" }] }), json!({ "enum": ["a", "b"] })),
            (
                json!({ "anyOf": [{ "anyOf": literals }, { "type": "null" }] }),
                json!({ "enum": ["a", "b", null] }),
            ),
            (
                json!({ "anyOf": [{ "anyOf": literals }, { "const": "c" }] }),
                json!({ "enum": ["a", "b", "c"] }),
            ),
            (
                json!({ "anyOf": [{ "const": null }, { "type": "string" }] }),
                json!({ "type": ["null", "string"] }),
            ),
            (
                json!({ "anyOf": [{ "type": "number", "const": 1 }, { "const": 2 }] }),
                json!({ "type": "number", "enum": [1, 2] }),
            ),
            (json!({ "const": 1_u64 << 53 }), json!({ "type": "number", "enum": [1_u64 << 53] })),
            (
                json!({ "type": "string", "format": "starts_with", "pattern": "^a" }),
                json!({ "type": "string", "pattern": "^a" }),
            ),
        ] {
            let read = |schema: &Value| {
                let shape = json!({ "type": "object", "required": ["a"], "properties": { "a": schema } });
                let shape = Shape::of_schema(&shape.to_string()).unwrap();
                shape.content_field("a").unwrap().clone()
            };
            assert_eq!(read(&schema), read(&same), "{schema}");
        }
    }

    #[test]
    fn a_value_that_may_be_null_is_not_required() {
        for (schema, required) in [
            (json!({ "type": "string" }), true),
            (json!({ "type": ["string", "null"] }), false),
            (json!({ "enum": ["a", null] }), false),
            (json!({ "type": ["string", "null"], "enum": ["a"] }), true),
            (json!({ "type": ["string", "null"], "const": "a" }), true),
            (json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }), false),
            (json!({ "$ref": "#/$defs/b" }), false),
        ] {
            let shape = json!({ "type": "object", "required": ["a"], "properties": { "a": schema },
                "$defs": { "b": { "type": ["null", "number"] } } });
            let shape = Shape::of_schema(&shape.to_string()).unwrap();
            assert_eq!(shape.content_field("a").unwrap().required, required, "{schema}");
        }
    }

    #[test]
    #[allow(clippy::too_many_lines, reason = "a table of cases")]
    fn what_is_not_supported_is_refused_with_its_place() {
        let property = |schema: Value| json!({ "type": "object", "properties": { "a": schema } });
        for (schema, at, part) in [
            (json!({ "type": "string" }), "", "A resource is an object"),
            (json!({ "$ref": "#/$defs/a", "$defs": { "a": {} } }), "/$ref", "the resource itself"),
            (
                property(json!({ "oneOf": [] })),
                "/properties/a/oneOf",
                "\"oneOf\" is not supported. Write one type",
            ),
            (property(json!({ "type": "string", "colour": 1 })), "/properties/a/colour", "is not supported"),
            (property(json!({ "type": "string", "minimum": 1 })), "/properties/a/minimum", "the type string"),
            (property(json!({ "type": ["string", "number"] })), "/properties/a/type", "Expected one of"),
            (
                property(json!({ "type": "string", "pattern": "[" })),
                "/properties/a/pattern",
                "regular expression",
            ),
            (
                property(json!({ "type": "string", "format": "iri" })),
                "/properties/a/format",
                "The formats are date-time",
            ),
            (property(json!({ "type": "array" })), "/properties/a", "\"items\""),
            (
                property(json!({ "type": "integer", "minimum": 2, "maximum": 1 })),
                "/properties/a",
                "No integer",
            ),
            (property(json!({ "$ref": "#/$defs/b" })), "/properties/a/$ref", "Expected a reference"),
            (property(json!({ "const": { "b": 1 } })), "/properties/a/const", "Only texts, numbers"),
            (property(json!({ "enum": ["a", 1] })), "/properties/a", "Expected a \"type\""),
            (property(json!({ "enum": ["a", "b\0"] })), "/properties/a/enum", "No text has U+0000"),
            (
                property(json!({ "anyOf": [{ "const": "a" }, { "const": 1 }] })),
                "/properties/a/anyOf",
                "constants of one type",
            ),
            (
                property(
                    json!({ "anyOf": [{ "const": 1 }, { "type": "integer", "const": 2, "minimum": 0 }] }),
                ),
                "/properties/a/anyOf",
                "constants of one type",
            ),
            (
                property(json!({ "anyOf": [{ "const": "a" }, { "const": "b", "maxLength": 2 }] })),
                "/properties/a/anyOf",
                "constants of one type",
            ),
            (
                property(json!({ "anyOf": [{ "type": "null" }, { "const": "b", "colour": 1 }] })),
                "/properties/a/anyOf/1/colour",
                "is not supported",
            ),
            (
                property(json!({ "anyOf": [{ "type": "null" }] })),
                "/properties/a/anyOf",
                "Expected one schema",
            ),
            (
                property(json!({ "type": "string", "format": "slug" })),
                "/properties/a/format",
                "Write a \"pattern\"",
            ),
            (
                property(json!({ "type": "array", "items": { "type": "string" }, "maxLength": 2 })),
                "/properties/a/maxLength",
                "the type array",
            ),
            (
                property(json!({ "type": "array", "items": { "type": "string" }, "x-unique": true })),
                "/properties/a/x-unique",
                "the type array",
            ),
            (
                property(json!({ "type": "array", "items": { "type": "string", "x-unique": true } })),
                "/properties/a/items",
                "Only a property has a default",
            ),
            (
                property(json!({ "type": "array", "items": { "enum": ["a"], "default": "a" } })),
                "/properties/a/items",
                "a keyword that begins with x-",
            ),
            (
                property(json!({ "type": "array", "items": { "type": ["string", "null"] } })),
                "/properties/a/items",
                "cannot be null",
            ),
            (
                property(
                    json!({ "type": "object", "properties": { "b": { "type": "string", "default": "x" } } }),
                ),
                "/properties/a/properties/b/default",
                "Only a field of the resource itself has \"default\"",
            ),
            (
                property(
                    json!({ "type": "object", "properties": { "b": { "type": "string", "x-title": true } } }),
                ),
                "/properties/a/properties/b/x-title",
                "itself has \"x-title\"",
            ),
            (
                property(json!({ "type": "object", "properties": [] })),
                "/properties/a/properties",
                "Expected an object",
            ),
            (
                property(json!({ "type": "object", "required": "b" })),
                "/properties/a/required",
                "Expected a list of names",
            ),
            (
                json!({ "type": "object", "properties": { "id": { "type": "string" } } }),
                "/properties/id",
                "reserved",
            ),
            (
                json!({ "type": "object", "properties": { "nOT": { "type": "string" } } }),
                "/properties/nOT",
                "reserved",
            ),
            (
                json!({ "type": "object", "properties": { "a-b": { "type": "string" } } }),
                "/properties/a-b",
                "letters",
            ),
            (
                json!({ "type": "object", "properties": { "ab": { "type": "string" }, "Ab": { "type": "string" } } }),
                "/properties/Ab",
                "of 'ab'",
            ),
            (json!({ "type": "object", "x-index": false }), "", "Only a property has a default"),
            (json!({ "type": "object", "required": ["a"] }), "/required", "'a' is required"),
            (
                json!({ "type": "object", "additionalProperties": true }),
                "/additionalProperties",
                "Other properties are never allowed",
            ),
        ] {
            let (place, message) = refusal(&schema);
            assert_eq!(place, at, "{schema}: {message}");
            assert!(message.contains(part), "{schema}: {message}");
        }
        let mut deep = json!({ "type": "string" });
        for _ in 0..9 {
            deep = json!({ "type": "object", "properties": { "a": deep } });
        }
        assert!(refusal(&deep).1.contains("8 levels"));
        let many: serde_json::Map<String, Value> =
            (0..201).map(|at| (format!("a{at}"), json!({ "type": "string" }))).collect();
        assert!(refusal(&json!({ "type": "object", "properties": many })).1.contains("The limit is 200"));
        let own = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/b" } },
            "$defs": { "b": { "type": "object", "properties": { "c": { "$ref": "#/$defs/b" } } } } });
        assert!(refusal(&own).1.contains("contains itself"));
    }
}
