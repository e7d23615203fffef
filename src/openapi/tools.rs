//! The operations as tools of the Model Context Protocol. The parameters of an operation and its body are the arguments
//! of its tool. Clients send the schemas to a model with each question. If its provider does not support one schema, it
//! refuses all tools. So they have only what every provider supports (tests/native/handler/schemas.rs), and nothing
//! that has no effect. Null means absent (D8), and no schema mentions it.

use crate::contract::api::endpoint::{
    Access, BODY_ARGUMENT, CallId, Endpoint, ResponseBody, Target, operations,
};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::path::{Segment, Variable};
use crate::contract::error::Code;
use crate::contract::limits;
use crate::contract::param::{Param, ParamId, ParamType};
use crate::shape::types::{Array, ArrayRule, Field, Format, Object, Role, Type, Union};
use crate::shape::{Shape, System};

use super::json_value::{JsonObject, JsonText, JsonValue};
use super::parts::{join, object};

/// Returns a tool as JSON for each operation, each on a line that begins with its name. Tools of which another one does
/// the same are last.
pub fn tools() -> String {
    let shape = Shape::built_in();
    let mut rows: Vec<&Endpoint> = operations().collect();
    rows.sort_by_key(|row| advice(row).0);
    rows.into_iter().map(|row| tool(&shape, row).to_json() + "\n").collect()
}

/// Returns whether a model should prefer another tool, and what it has to know besides the summary of the operation.
const fn advice(row: &Endpoint) -> (bool, &'static str) {
    let Target::Project(id, _) = row.target else { return (false, "") };
    match id {
        CallId::Query => (false, " The results satisfy all arguments. To find words, use `search`."),
        CallId::Search => (false, " For conditions on fields, use `query`."),
        CallId::CreateOrUpdate => (
            false,
            " The body's `id`, or else its `key`, names the resource. Without both, a new one is created. Fields that \
             the body lacks keep their values.",
        ),
        CallId::UpdateById => (
            false,
            " Read the resource before, and name the version that you read. If the error has `currentVersion`, read \
             it again. The actions are performed in their order, all or none.",
        ),
        CallId::DeleteById => (
            false,
            " JsonText the version that you read. Without `version`, the resource is deleted whatever others have changed \
             since.",
        ),
        CallId::Overwrite => (
            true,
            " Arrays that the body lacks become empty. To change single fields, use `createOrUpdate` or `updateById`.",
        ),
        CallId::CreateOrOverwrite => {
            (true, " Arrays that the body lacks become empty. To keep them, use `createOrUpdate`.")
        }
        CallId::QuerySorted => (true, " Prefer `query`, which has these arguments and more."),
        CallId::UpdateByPath => (
            true,
            " The parameters of the path are only checked. Prefer `createOrUpdate`, which returns all fields.",
        ),
        CallId::UpdateWithUrnLinks => (true, " The result is the arrays. Prefer `createOrUpdate`."),
        _ => (false, ""),
    }
}

fn tool(shape: &Shape, row: &'static Endpoint) -> JsonValue {
    let only_reads = row.access() == Some(Access::Read);
    object! {
        "name" => row.name,
        "description" => [row.summary, advice(row).1].concat(),
        "inputSchema" => input(shape, row),
        "annotations" => object! {
            "readOnlyHint" => only_reads,
            "destructiveHint" => (!only_reads).then_some(true),
            "openWorldHint" => false,
        },
    }
}

/// Returns the schema of the arguments.
fn input(shape: &Shape, row: &'static Endpoint) -> JsonValue {
    let variables = row.path.iter().copied().filter_map(Segment::variable);
    let variables = variables.filter(|variable| *variable != Variable::ProjectKey);
    let mut required: Vec<JsonText> = variables.clone().map(|variable| variable.name().into()).collect();
    let mut properties: JsonObject =
        variables.map(|variable| (variable.name().to_owned(), about(text(), variable.about()))).collect();
    for param in row.params().filter(|param| has_effect(row, param.id)) {
        let name = param.id.family_name().unwrap_or_else(|| param.id.name());
        properties.insert(name, of_param(shape, param));
    }
    // Preconditions say little more if the resource must exist.
    let needs_resource = row.errors().any(|code| code == Code::ResourceNotFound);
    let is_listed = |header: &RequestHeader| *header == RequestHeader::IdempotencyKey || !needs_resource;
    for header in row.argument_headers().filter(is_listed) {
        properties.insert(header.name(), about(text(), of_header(header)));
    }
    if let Some(body) = row.json_body() {
        properties.insert(BODY_ARGUMENT, of_object(shape.object(body)));
        required.push(BODY_ARGUMENT.into());
    }
    with_properties(properties, required)
}

/// Returns whether a parameter changes what an operation returns. The others are only checked (D14, D23, D24, D25).
fn has_effect(row: &Endpoint, id: ParamId) -> bool {
    match id {
        ParamId::OptionalQueryParameter
        | ParamId::SecondOptionalQueryParameter
        | ParamId::QueryParameterOne
        | ParamId::QueryParameterTwo
        | ParamId::Staged
        | ParamId::Expand => false,
        ParamId::Sort | ParamId::Limit | ParamId::Offset | ParamId::WithTotal => {
            !row.may_return(ResponseBody::Nothing)
        }
        _ => true,
    }
}

fn of_param(shape: &Shape, param: &Param) -> JsonValue {
    let rule = param.id.rule();
    let schema = match (param.id, rule.ty) {
        // Its language tag selects no field.
        (ParamId::Text, _) => {
            return about(text(), "Words that must all occur in the resource's key and texts.");
        }
        // Providers refuse objects without named members, or leave them empty.
        (ParamId::Var, _) => {
            let names = ["name", "value"];
            with_properties(
                names.map(|name| (name.to_owned(), text())).into_iter().collect(),
                names.map(JsonText::from).to_vec(),
            )
        }
        (_, ParamType::String) => text(),
        (_, ParamType::Float) => object! { "type" => "number" },
        (_, ParamType::Whole { min, max }) => integer(min, max),
        (_, ParamType::Boolean) => object! { "type" => "boolean" },
        (_, ParamType::Json(id)) => of_object(shape.object(id)),
    };
    let meaning = match param.id {
        ParamId::Var => "Values of the variables that predicates name, such as `name` for `key = :name`.",
        _ => param.about,
    };
    about(if rule.repeatable { list(schema) } else { schema }, meaning)
}

/// Returns what a header means in a tool, which does not return entity tags.
const fn of_header(header: RequestHeader) -> &'static str {
    match header {
        RequestHeader::IfMatch => "`*`: only if the resource exists.",
        RequestHeader::IfNoneMatch => "`*`: only if the resource does not exist.",
        RequestHeader::IdempotencyKey => {
            "A new text for each write. A repeat with it is not performed again."
        }
        _ => header.about(),
    }
}

fn of(ty: &Type) -> JsonValue {
    match ty {
        Type::Object(object) => of_object(object),
        Type::Union(union) => of_union(union),
        Type::Integer { min, max } => integer(*min, *max),
        Type::Number => object! { "type" => "number" },
        Type::Boolean => object! { "type" => "boolean" },
        Type::String(Format::DateTime) => about(text(), "Such as `2026-11-19T08:00:00.000Z`."),
        Type::String(_) => text(),
        Type::Array(array) => of_array(array),
    }
}

fn of_array(array: &Array) -> JsonValue {
    let list = list(of(&array.items));
    match array.rule {
        ArrayRule::Any => list,
        ArrayRule::Unique => about(list, "None twice."),
        ArrayRule::AtMost(max) => join(list, object! { "maxItems" => max as i64 }),
        ArrayRule::EmptyOr(exact) => about(list, format!("None, or exactly {exact}.")),
    }
}

fn of_object(object: &Object) -> JsonValue {
    // The times are checked, but the server sets them (D6).
    let is_set =
        |field: &&Field| matches!(field.role, Role::System(System::CreatedAt | System::LastModifiedAt));
    let fields = || object.fields.iter().filter(|field| !is_set(field));
    let properties = fields().map(|field| (field.name.clone(), of_field(field))).collect();
    with_properties(
        properties,
        fields().filter(|field| field.required).map(|field| field.name.clone()).collect(),
    )
}

fn of_field(field: &Field) -> JsonValue {
    match (field.role, &field.ty) {
        (Role::System(System::Version), Type::String(_)) => about(text(), "The expected version, in digits."),
        (Role::System(System::Version), ty) => about(of(ty), "The expected version."),
        (_, ty) => of(ty),
    }
}

/// Returns the schema of an object whose shape a member names: the members of all shapes, because not every provider
/// supports alternatives.
fn of_union(union: &Union) -> JsonValue {
    let variants = &union.variants;
    let tags: Vec<JsonText> = variants.iter().map(|variant| variant.tag.clone()).collect();
    let tag = object! { "type" => "string", "enum" => tags };
    let meaning: Vec<String> =
        variants.iter().map(|variant| format!("`{}`: {}", variant.tag, variant.object.about)).collect();
    let fields = variants.iter().flat_map(|variant| &variant.object.fields);
    let mut properties: JsonObject = fields.map(|field| (field.name.clone(), of_field(field))).collect();
    properties.insert(union.tag.name.clone(), about(tag, meaning.join(" ")));
    with_properties(properties, vec![union.tag.name.clone()])
}

fn with_properties(properties: JsonObject, required: Vec<JsonText>) -> JsonValue {
    object! {
        "type" => "object",
        "properties" => properties,
        "required" => Some(required).filter(|required| !required.is_empty()),
    }
}

fn text() -> JsonValue {
    object! { "type" => "string" }
}

/// Returns the schema of an integer. Only a program writes one that no double represents exactly.
fn integer(min: i64, max: i64) -> JsonValue {
    object! {
        "type" => "integer",
        "minimum" => Some(min).filter(|min| *min != -limits::INTEGER_MAX),
        "maximum" => Some(max).filter(|max| *max != limits::INTEGER_MAX),
    }
}

fn list(items: JsonValue) -> JsonValue {
    object! { "type" => "array", "items" => items }
}

fn about(schema: JsonValue, about: impl Into<JsonText>) -> JsonValue {
    join(schema, object! { "description" => about.into() })
}
