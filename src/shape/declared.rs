//! The bodies and records of a resource that a deployment declares as JSON Schema (D38).

use std::borrow::Cow;
use std::sync::Arc;

use super::bodies::{
    self, STORED_VERSION, VERSION, action_tag, object_of, set_action, system, system_fields,
};
use super::rules::Rules;
use super::schema::{self, Marks, Node, Refused};
use super::types::{
    ActionEffect, ArrayRule, Field, Lacks, NOT, Object, Type, Union, Variant, array_of, ruled_array, titled,
};
use crate::contract::limits;
use crate::contract::resource::{ObjectId, System};
use crate::util::json::canonical;
use crate::util::text::concat;

/// Whether the build prints documents. A page does not.
const HAS_DOCUMENTS: bool = cfg!(any(not(target_arch = "wasm32"), feature = "worker"));

/// What a shape says about a field of the content beside its values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Declared {
    pub(super) name: String,
    /// Its JSON Schema, without references.
    pub(super) schema: String,
    /// The value of a creation without the field, as canonical JSON.
    pub(super) default: Option<String>,
    pub(super) marks: Marks,
}

/// Reads the schema of a resource. Returns its objects in the order of [`ObjectId`], and what it says about its fields.
pub(super) fn read(text: &str) -> Result<(Vec<Arc<Object>>, Vec<Declared>), Refused> {
    let fields = schema::read(text).map_err(|refused| *refused)?;
    check_names(&fields)?;
    let content: Vec<Field> = fields.iter().map(|(field, _)| field.clone()).collect();
    let properties = canonical::member(text, "properties").unwrap_or_default();
    let schema_of = |name: &str| canonical::member(properties, name).unwrap_or_default();
    let declared = fields.into_iter().map(|(field, node)| Declared {
        schema: if HAS_DOCUMENTS { schema::inlined(text, schema_of(&field.name)) } else { String::new() },
        name: field.name.into_owned(),
        default: node.default,
        marks: node.marks,
    });
    Ok((objects(&content), declared.collect()))
}

/// Refuses names of the system, and two fields that one action would set.
fn check_names(fields: &[(Field, Node)]) -> Result<(), Refused> {
    let refuse = |name: &str, message: &str| Refused {
        at: concat(&["/properties/", name]),
        message: message.to_owned(),
    };
    for (at, (field, _)) in fields.iter().enumerate() {
        let name = field.name.as_ref();
        if System::ALL.iter().any(|system| system.name() == name) || name.eq_ignore_ascii_case(NOT) {
            return Err(refuse(name, "The name is reserved. Choose another one."));
        }
        let same = fields.iter().take(at).find(|(other, _)| titled(&other.name) == titled(name));
        if let Some((other, _)) = same {
            let message = concat(&[
                "The update actions of this property and of '",
                &other.name,
                "' would have the same name. Choose another one.",
            ]);
            return Err(refuse(name, &message));
        }
    }
    Ok(())
}

fn objects(content: &[Field]) -> Vec<Arc<Object>> {
    let version = |required| system(System::Version, VERSION, required);
    let union = Type::Union(Arc::new(actions(content)));
    let actions = ruled_array(union, ArrayRule::AtMost(limits::ACTIONS));
    let stored_version = system(System::Version, STORED_VERSION, true);
    let update = vec![version(true), system(System::Actions, actions, true)];
    let whole = |generated, version| whole(content, generated, version);
    vec![
        object_of(ObjectId::Draft, whole(false, version(false)), Lacks::WithVersion),
        object_of(ObjectId::Overwrite, whole(false, version(true)), Lacks::Absent),
        object_of(ObjectId::Update, update, Lacks::Absent),
        object_of(ObjectId::Complex, whole(false, version(false)), Lacks::Kept),
        object_of(ObjectId::Record, whole(true, stored_version), Lacks::Absent),
        // A declared resource has no wrapper.
        object_of(ObjectId::Arrays, Vec::new(), Lacks::Absent),
        object_of(ObjectId::StoredArrays, Vec::new(), Lacks::Absent),
        bodies::deleted(),
    ]
}

/// Returns the fields of the system, and the content.
#[inline(never)]
fn whole(content: &[Field], generated: bool, version: Field) -> Vec<Field> {
    let mut fields = system_fields(generated, version);
    fields.extend_from_slice(content);
    fields
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
        for (verb, effect) in [("add", ActionEffect::Add), ("remove", ActionEffect::Remove)] {
            // The values of the list, each by the rules of an item.
            let ty = array_of(array.items.clone(), array.item_rules.clone(), ArrayRule::Any);
            let listed = Field { ty, required: true, rules: Rules::default(), ..field.clone() };
            let fields = vec![action_tag(), listed];
            let (name, about) = (Cow::Borrowed(""), Cow::Borrowed(""));
            let object = Arc::new(Object { name, about, fields, lacks: Lacks::Absent });
            let tag = Cow::Owned(concat(&[verb, &titled(&field.name)]));
            variants.push(Variant { tag, object, effect });
        }
    }
    Union { name: Cow::Borrowed(""), tag: action_tag(), variants }
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
        assert!(shape.is_declared() && shape.marks("title").title && !shape.marks("price").title);
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
            (
                json!({ "type": "object", "properties": { "id": { "type": "string" } } }),
                "/properties/id",
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
