//! Values as JSON Schema 2020-12: of a field that a deployment has declared, what it wrote, with what the service adds.
//! Null means absent (D8), and objects have no further members in a body.

use crate::contract::api::endpoint;
use crate::contract::limits;
use crate::shape::types::{ArrayRule, Field, Format, Object, Type};
use crate::util::json::canonical;

use super::json_value::{JsonObject, JsonText, JsonValue};
use super::parts::{TEXT, bounds, join, object, reference};

/// `YYYY-MM-DDThh:mm:ss.mmmZ` (D6). The format excludes days that do not exist.
const DATE_TIME: &str = "^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{3}Z$";
/// The characters of IDs and keys (D3).
const NAME: &str = "[^\\u0000-\\u001f\\u007f-\\u009f]+$";

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

/// Returns the schema of a declared field. `text` is that of [`crate::shape::Shape::schema_of`].
pub(super) fn of_field(field: &Field, text: &str, used: FieldUse) -> JsonValue {
    of(&field.ty, text, None, !field.required && used != FieldUse::Response, used)
}

/// Returns the schema of a list of items of a field, without the rules of the field itself.
pub(super) fn of_list(field: &Field, text: &str) -> JsonValue {
    let Type::Array(array) = &field.ty else { return object! {} };
    let items = canonical::member(text, "items").unwrap_or_default();
    object! { "type" => "array", "items" => of(&array.items, items, None, false, FieldUse::Change) }
}

/// Returns the schema of a value that is not null.
pub(super) fn of_type(ty: &Type) -> JsonValue {
    of(ty, "", None, false, FieldUse::Change)
}

/// Returns the schema of what no text has (D7). Generators pass over it, and it is no second pattern. Without the type,
/// null would match it.
fn with_nul() -> JsonValue {
    object! { "type" => "string", "pattern" => "\\u0000" }
}

/// Returns the schema of a value; with `null` it may be null. `text`: what the deployment wrote of it, if it did.
pub(super) fn of(
    ty: &Type,
    text: &str,
    about: Option<&'static str>,
    null: bool,
    used: FieldUse,
) -> JsonValue {
    match ty {
        Type::Object(object) if text.is_empty() => return named(&object.name, null),
        Type::Union(union) => return named(&union.name, null),
        _ => {}
    }
    let has = |keyword| canonical::member(text, keyword).is_some();
    let mut schema = JsonObject::default();
    if let Some(about) = about {
        schema.insert("description", about.into());
    }
    schema.insert("type", if null { vec![ty.name(), "null"].into() } else { ty.name().into() });
    add_written(&mut schema, text, null, used);
    match ty {
        Type::Integer { min, max } => schema.extend(bounds(*min, *max)),
        Type::Number => schema.insert("format", "double".into()),
        Type::String(Format::Text) if has("enum") => {}
        Type::String(Format::Text) if has("pattern") => schema.insert("not", with_nul()),
        Type::String(Format::Text) => schema.insert("pattern", TEXT.into()),
        Type::String(Format::DateTime) => {
            schema.extend([("format", "date-time".into()), ("pattern", DATE_TIME.into())]);
        }
        Type::String(format @ (Format::Id | Format::Key)) => {
            if about.is_none() {
                let about = format!("At most {} bytes of UTF-8.", limits::NAME_BYTES);
                schema.insert("description", about.into());
            }
            let most = limits::NAME_BYTES as i64;
            let pattern = name_pattern(*format).into();
            schema.extend([("minLength", 1.into()), ("maxLength", most.into()), ("pattern", pattern)]);
        }
        Type::Array(array) => {
            let items = canonical::member(text, "items").unwrap_or_default();
            schema.insert("items", of(&array.items, items, None, false, used));
            add_rule(&mut schema, array.rule);
        }
        Type::Object(object) => add_members(&mut schema, object, text, used),
        Type::Boolean | Type::Union(_) => {}
    }
    schema.into()
}

/// Adds what the deployment wrote, except what the type of the field says.
fn add_written(schema: &mut JsonObject, text: &str, null: bool, used: FieldUse) {
    for (name, value) in canonical::members(text) {
        match name {
            "enum" if null => {
                let choices = canonical::items(value).chain(["null"]).map(str::to_owned);
                schema.insert("enum", choices.map(JsonValue::Written).collect::<Vec<_>>().into());
            }
            "default" if used != FieldUse::Creation => {}
            "type" | "items" | "properties" | "required" => {}
            _ => schema.insert(name.to_owned(), JsonValue::Written(value.to_owned())),
        }
    }
}

fn named(name: &str, null: bool) -> JsonValue {
    let reference = reference("schemas", name);
    if null {
        object! { "anyOf" => vec![reference, object! { "type" => "null" }] }
    } else {
        reference
    }
}

fn add_rule(schema: &mut JsonObject, rule: ArrayRule) {
    match rule {
        ArrayRule::Any => {}
        ArrayRule::Unique => schema.insert("uniqueItems", true.into()),
        ArrayRule::AtMost(max) => schema.insert("maxItems", (max as i64).into()),
        ArrayRule::OneTo(max) => {
            schema.extend([("minItems", 1.into()), ("maxItems", (max as i64).into())]);
        }
        // Each alternative is a whole schema, because generators do not add what is beside the alternatives.
        ArrayRule::EmptyOr(exact) => {
            let exact = exact as i64;
            let counts = [object! { "maxItems" => 0 }, object! { "minItems" => exact, "maxItems" => exact }];
            let whole = counts.map(|count| join(schema.clone().into(), count));
            schema.insert("anyOf", whole.to_vec().into());
        }
    }
}

/// Returns the pattern of an ID or a key: no control characters, not `.` or `..`, and not a reserved ID (D3).
fn name_pattern(format: Format) -> String {
    let mut pattern = "^(?!\\.{1,2}$)".to_owned();
    if format == Format::Id {
        for (part, beginning) in endpoint::reserved_id_parts() {
            pattern.extend(["(?!", part, if beginning { ")" } else { "$)" }]);
        }
    }
    pattern.push_str(NAME);
    pattern
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
