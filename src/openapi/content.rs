//! The fields of a declared resource as JSON Schema 2020-12: what the deployment wrote, with what the service adds.
//! Null means absent, and objects have no further members in a body.

use crate::shape::rules::Rules;
use crate::shape::types::{Field, Object, Type};
use crate::util::json::canonical;

use super::json_value::{JsonObject, JsonText, JsonValue};
use super::parts::{TEXT, bounds, object};

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
    let name = ty.name();
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
