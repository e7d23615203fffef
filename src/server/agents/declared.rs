//! The tools of a project whose resource the deployment declares. Their arguments have only what every provider of
//! models supports (`openapi::tools`), so most rules of a field are not in them: a model reads those in the errors.

use crate::contract::api::endpoint::{BODY_ARGUMENT, CallId, Endpoint, Target};
use crate::contract::limits;
use crate::shape::types::{ArrayRule, Field, Format, Object, Role, Type, Union};
use crate::shape::{Shape, System};
use crate::util::json::{self, ObjectWriter, canonical};
use crate::util::text::{append, concat};

/// Returns the tool of an operation, whose line describes it for the resource of the interface.
pub(super) fn tool(shape: &Shape, row: &Endpoint, line: &str) -> String {
    json::object(|tool| {
        for (name, value) in canonical::members(line) {
            match name {
                "description" => match description(row) {
                    Some(text) => tool.text(name, text),
                    None => tool.member(name).push_str(value),
                },
                "inputSchema" => arguments(shape, row, value, tool.member(name)),
                _ => tool.member(name).push_str(value),
            }
        }
    })
}

/// Returns what the operation does with a declared resource, if it is not what it does with that of the interface.
const fn description(row: &Endpoint) -> Option<&'static str> {
    let Target::Project(id, _) = row.target else { return None };
    Some(match id {
        CallId::CreateOrUpdate => {
            "Creates a resource, or changes one. The body's `id`, or else its `key`, names the resource. Without both, \
             a new one is created. Fields that the body lacks keep their values. With `version`, required fields may \
             be absent too."
        }
        CallId::Overwrite => {
            "Replaces the fields of a resource that exists. Fields that the body lacks lose their values. To change \
             single fields, use `createOrUpdate` or `updateById`."
        }
        CallId::CreateOrOverwrite => {
            "Creates a resource, or replaces its fields. Fields that the body lacks lose their values. To keep them, \
             use `createOrUpdate`."
        }
        CallId::UpdateByPath => {
            "Changes the fields that the body has. The parameters of the path are only checked. Prefer \
             `createOrUpdate`."
        }
        CallId::UpdateWithUrnLinks => "Changes the fields that the body has. Prefer `createOrUpdate`.",
        _ => return None,
    })
}

fn arguments(shape: &Shape, row: &Endpoint, schema: &str, out: &mut String) {
    let mut object = ObjectWriter::open(out);
    for (name, value) in canonical::members(schema) {
        let out = object.member(name);
        if name != "properties" {
            out.push_str(value);
            continue;
        }
        let mut properties = ObjectWriter::open(out);
        // The operation parameters name arrays of the interface.
        let has = |row: &Endpoint, name: &str| row.params().any(|param| param.id.name() == name);
        let is_foreign = |name: &str| has(row, name) && !has(row.of_declared(), name);
        for (name, value) in canonical::members(value).filter(|(name, _)| !is_foreign(name)) {
            let out = properties.member(name);
            match row.json_body().filter(|_| name == BODY_ARGUMENT) {
                Some(body) => of_object(shape, out, shape.object(body), None),
                None => out.push_str(value),
            }
        }
        properties.close();
    }
    object.close();
}

/// Writes the schema of an object. `text` is its JSON Schema, if the deployment wrote one.
fn of_object(shape: &Shape, out: &mut String, object: &Object, text: Option<&str>) {
    // The times are checked, but the server sets them (D6).
    let is_set =
        |field: &&Field| matches!(field.role, Role::System(System::CreatedAt | System::LastModifiedAt));
    let fields = || object.fields.iter().filter(|field| !is_set(field));
    let required: Vec<&str> = fields().filter(|field| field.required).map(|field| &*field.name).collect();
    members(out, &required, text, |properties| {
        for field in fields() {
            let inner =
                text.and_then(|text| canonical::member(canonical::member(text, "properties")?, &field.name));
            of_field(shape, properties, field, inner);
        }
    });
}

fn of_field(shape: &Shape, properties: &mut ObjectWriter<'_>, field: &Field, text: Option<&str>) {
    let out = properties.member(&field.name);
    match field.role {
        Role::System(System::Version) => {
            let mut schema = ObjectWriter::open(out);
            schema.text("type", "integer");
            schema.text("description", "The expected version.");
            schema.close();
        }
        Role::Content => of(shape, out, &field.ty, shape.schema_of(&field.name)),
        _ => of(shape, out, &field.ty, text),
    }
}

/// Writes the schema of a value.
fn of(shape: &Shape, out: &mut String, ty: &Type, text: Option<&str>) {
    let about = match ty {
        Type::Object(object) => return of_object(shape, out, object, text),
        Type::Union(union) => return of_union(shape, out, union),
        Type::String(Format::DateTime) => Some("Such as `2026-11-19T08:00:00.000Z`."),
        _ => None,
    };
    let mut schema = ObjectWriter::open(out);
    rules(shape, &mut schema, ty, text);
    match rule(text, "description") {
        Some(text) => schema.member("description").push_str(text),
        None => schema.text_if("description", about),
    }
    schema.close();
}

fn rule<'t>(text: Option<&'t str>, name: &str) -> Option<&'t str> {
    canonical::member(text?, name)
}

/// Writes the type of a value, and those of its rules that every provider supports.
fn rules(shape: &Shape, schema: &mut ObjectWriter<'_>, ty: &Type, text: Option<&str>) {
    let copy = |schema: &mut ObjectWriter<'_>, name| {
        if let Some(bound) = rule(text, name) {
            schema.member(name).push_str(bound);
        }
    };
    match ty {
        Type::Integer { min, max } => {
            schema.text("type", "integer");
            let bounds = [("minimum", min, -limits::INTEGER_MAX), ("maximum", max, limits::INTEGER_MAX)];
            bounds.iter().filter(|(_, bound, none)| *bound != none).for_each(|(name, bound, _)| {
                schema.integer(name, **bound);
            });
        }
        Type::Number => {
            schema.text("type", "number");
            copy(schema, "minimum");
            copy(schema, "maximum");
        }
        Type::Boolean => schema.text("type", "boolean"),
        Type::String(_) => {
            schema.text("type", "string");
            let choices = rule(text, "enum").map(choices).unwrap_or_default();
            if !choices.is_empty() {
                schema.array("enum", &choices, |out, choice| out.push_str(choice));
            }
        }
        Type::Array(array) => {
            schema.text("type", "array");
            of(shape, schema.member("items"), &array.items, rule(text, "items"));
            match array.rule {
                ArrayRule::AtMost(max) => schema.integer("maxItems", max as i64),
                _ => copy(schema, "maxItems"),
            }
        }
        Type::Object(_) | Type::Union(_) => {}
    }
}

/// Writes the schema of an update action: the members of all actions, because not every provider supports alternatives.
fn of_union(shape: &Shape, out: &mut String, union: &Union) {
    let tag = union.tag.name.as_ref();
    let tags: Vec<&str> = union.variants.iter().map(|variant| &*variant.tag).collect();
    members(out, &[tag], None, |properties| {
        let mut schema = ObjectWriter::open(properties.member(tag));
        schema.text("type", "string");
        schema.array("enum", &tags, |out, tag| json::string(out, tag));
        schema.text("description", ABOUT_ACTIONS);
        schema.close();
        shape.content().for_each(|field| of_field(shape, properties, field, None));
    });
}

const ABOUT_ACTIONS: &str = "`set…` sets the field, or removes its value if it is absent. `add…` and `remove…` \
                             change the items of a list.";

/// Writes the schema of an object with these members.
fn members(
    out: &mut String,
    required: &[&str],
    text: Option<&str>,
    write: impl FnOnce(&mut ObjectWriter<'_>),
) {
    let mut schema = ObjectWriter::open(out);
    schema.text("type", "object");
    let mut properties = ObjectWriter::open(schema.member("properties"));
    write(&mut properties);
    properties.close();
    if !required.is_empty() {
        schema.array("required", required, |out, name| json::string(out, name));
    }
    if let Some(about) = text.and_then(|text| canonical::member(text, "description")) {
        schema.member("description").push_str(about);
    }
    schema.close();
}

/// Returns the texts of `enum`. An empty one is no choice for every provider, so then there are none.
fn choices(list: &str) -> Vec<&str> {
    let choices: Vec<&str> = canonical::items(list).filter(|choice| *choice != "null").collect();
    if choices.contains(&"\"\"") { Vec::new() } else { choices }
}

/// Appends what an agent has to know about the fields: examples of predicates, and all fields with their types.
pub(super) fn describe(shape: &Shape, out: &mut String) {
    let fields: Vec<&Field> = shape.content().collect();
    let first = fields.iter().find(|field| matches!(field.ty, Type::String(_)));
    let named = first.map_or("key", |field| &field.name);
    append(out, &[named, " = \"a\", version > 1, ", fields.last().map_or("key", |field| &field.name)]);
    out.push_str(" is defined. The fields of this project's resources are ");
    for (at, field) in fields.iter().enumerate() {
        append(out, &[if at == 0 { "" } else { ", " }, &field.name, " ", &name_of(&field.ty)]);
    }
    out.push_str(". An update action sets each, such as ");
    out.push_str(shape.actions().first().map_or("", |action| &action.tag));
    out.push_str(", or removes its value if it is absent.");
}

fn name_of(ty: &Type) -> String {
    match ty {
        Type::Array(array) => concat(&[&name_of(&array.items), "[]"]),
        Type::Integer { .. } => "integer".to_owned(),
        Type::Number => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::String(Format::DateTime) => "datetime".to_owned(),
        Type::String(_) => "text".to_owned(),
        Type::Object(_) | Type::Union(_) => "object".to_owned(),
    }
}
