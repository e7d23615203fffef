//! The fields of a declared resource as JSON Schema 2020-12: what the deployment wrote, with what the service adds.
//! Null means absent, and objects have no further members in a body.

use crate::shape::rules::Rules;
use crate::shape::types::{Field, Object, Type};
use crate::util::json::{self, ObjectWriter, canonical};

use super::json_value::{JsonObject, JsonText, JsonValue};
use super::parts::{TEXT, bounds, object};

/// Returns a schema of the deployment without references: tools would look for the definitions in the document. `root`
/// is the whole schema, which the reader has accepted: no definition contains itself.
pub(super) fn without_references(root: &str, schema: &str) -> String {
    let mut members = Vec::new();
    collect(root, schema, &mut members);
    json::object(|object| {
        for (name, value) in members {
            let out = object.member(name);
            match name {
                "items" => out.push_str(&without_references(root, value)),
                "anyOf" => {
                    let parts: Vec<&str> = canonical::items(value).collect();
                    json::array(out, &parts, |out, part| out.push_str(&without_references(root, part)));
                }
                "properties" => {
                    let mut properties = ObjectWriter::open(out);
                    for (name, value) in canonical::members(value) {
                        properties.member(name).push_str(&without_references(root, value));
                    }
                    properties.close();
                }
                _ => out.push_str(value),
            }
        }
    })
}

/// Adds the members of the schema to those of the definition that it names: what is beside a reference replaces them.
fn collect<'t>(root: &'t str, schema: &'t str, all: &mut Vec<(&'t str, &'t str)>) {
    if let Some(target) = canonical::member(schema, "$ref").and_then(canonical::text) {
        let name = target.strip_prefix("#/$defs/").unwrap_or_default().replace("~1", "/").replace("~0", "~");
        let definitions = canonical::member(root, "$defs").unwrap_or_default();
        if let Some((_, definition)) = canonical::members(definitions).find(|(known, _)| *known == name) {
            collect(root, definition, all);
        }
    }
    for (name, value) in canonical::members(schema).filter(|(name, _)| !matches!(*name, "$ref" | "$defs")) {
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => all.push((name, value)),
        }
    }
}

/// What the object of a field is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldUse {
    /// A body that may create the resource.
    Creation,
    /// Another body, or an update action.
    Change,
    /// A response. A later version may add members.
    Response,
}

/// Returns the schema of a field. `text` is that of the deployment, without references.
pub(super) fn of_field(field: &Field, text: &str, used: FieldUse) -> JsonValue {
    let null = !field.required && used != FieldUse::Response;
    of(&field.ty, &field.rules, text, null, used)
}

/// Returns the schema of a list of items of a field, without the rules of the field itself.
pub(super) fn of_list(field: &Field, text: &str) -> JsonValue {
    let Type::Array(array) = &field.ty else { return object! {} };
    let items = canonical::member(text, "items").unwrap_or_default();
    object! { "type" => "array", "items" => of(&array.items, &array.item_rules, items, false, FieldUse::Change) }
}

fn of(ty: &Type, rules: &Rules, text: &str, null: bool, used: FieldUse) -> JsonValue {
    let mut schema = JsonObject::default();
    let name = name_of(ty);
    schema.insert("type", if null { vec![name, "null"].into() } else { name.into() });
    for (name, value) in canonical::members(text) {
        if !is_ours(name, ty) && (name != "default" || used == FieldUse::Creation) {
            schema.insert(name.to_owned(), JsonValue::Written(value.to_owned()));
        }
    }
    if let Some(choices) = rules.get().and_then(|rules| rules.choices.as_ref()) {
        let null = null.then(|| "null".to_owned());
        let choices = choices.iter().cloned().chain(null).map(JsonValue::Written);
        schema.insert("enum", choices.collect::<Vec<_>>().into());
    } else if matches!(ty, Type::String(_)) && canonical::member(text, "pattern").is_none() {
        schema.insert("pattern", TEXT.into());
    }
    match ty {
        Type::Integer { min, max } => schema.extend(bounds(*min, *max)),
        Type::Number => schema.insert("format", "double".into()),
        Type::Array(array) => {
            let text = canonical::member(text, "items").unwrap_or_default();
            schema.insert("items", of(&array.items, &array.item_rules, text, false, used));
        }
        Type::Object(object) => add_members(&mut schema, object, text, used),
        Type::Boolean | Type::String(_) | Type::Union(_) => {}
    }
    schema.into()
}

fn add_members(schema: &mut JsonObject, object: &Object, text: &str, used: FieldUse) {
    let texts = canonical::member(text, "properties").unwrap_or_default();
    let property = |field: &Field| {
        let text = canonical::member(texts, &field.name).unwrap_or_default();
        (field.name.clone(), of_field(field, text, used))
    };
    let required = object.fields.iter().filter(|field| field.required);
    let required: Vec<JsonText> = required.map(|field| field.name.clone()).collect();
    if !required.is_empty() {
        schema.insert("required", required.into());
    }
    schema.insert("properties", object.fields.iter().map(property).collect());
    if used != FieldUse::Response {
        schema.insert("additionalProperties", false.into());
    }
}

const fn name_of(ty: &Type) -> &'static str {
    match ty {
        Type::Integer { .. } => "integer",
        Type::Number => "number",
        Type::Boolean => "boolean",
        Type::String(_) => "string",
        Type::Array(_) => "array",
        Type::Object(_) | Type::Union(_) => "object",
    }
}

/// Returns whether the value of the keyword is not what the deployment wrote.
fn is_ours(keyword: &str, ty: &Type) -> bool {
    match keyword {
        "type"
        | "enum"
        | "const"
        | "anyOf"
        | "properties"
        | "required"
        | "additionalProperties"
        | "items" => true,
        // The bounds of the type are all of them.
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => matches!(ty, Type::Integer { .. }),
        _ => false,
    }
}
