//! The operations as tools of the Model Context Protocol. The parameters of an operation and its body are the arguments
//! of its tool, with the schemas of the OpenAPI document.

use serde_json::{Map, Value};

use crate::contract::api::endpoint::{Access, BODY_ARGUMENT, Endpoint, operations};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::path::Variable;
use crate::contract::resource::own::KINDS;

use super::parts::{join, object};
use super::{parameters, schema};

/// The last member or item of what own fields add to. In the text, a tab is there in its place.
const OWN: &str = "own fields";

/// Returns a tool as JSON for each operation, in their order, each on a line. A tab, which is white space in JSON, is
/// where own fields belong.
pub fn tools() -> String {
    let schemas = schema::all().into_iter().collect();
    let mut lines: String = operations().map(|row| tool(row, &schemas).to_string() + "\n").collect();
    for place in [format!(",\"{OWN}\":null"), format!(",\"{OWN}\"")] {
        lines = lines.replace(&place, "\t");
    }
    lines
}

/// Returns the schema of each type of own fields, in their order, each on a line.
pub fn own_types() -> String {
    KINDS.iter().map(|(_, ty)| inlined(&schema::or_null(ty), &Value::Null).to_string() + "\n").collect()
}

fn tool(row: &'static Endpoint, schemas: &Value) -> Value {
    let only_reads = row.access() == Some(Access::Read);
    object! {
        "name" => row.name,
        "description" => row.summary,
        "inputSchema" => input(row, schemas),
        "annotations" => object! {
            "readOnlyHint" => only_reads,
            "destructiveHint" => (!only_reads).then_some(true),
            "openWorldHint" => false,
        },
    }
}

/// Returns the schema of the arguments. It has no references, because not every client follows them.
fn input(row: &'static Endpoint, schemas: &Value) -> Value {
    let parameters = parameters::all();
    let variables = parameters::of_path(row.path).into_iter();
    let mut required: Vec<&str> = variables.filter(|name| *name != Variable::ProjectKey.name()).collect();
    let params = row.params().map(parameters::name);
    let headers = row.argument_headers().map(RequestHeader::name);
    let names = required.iter().copied().chain(params).chain(headers);
    let mut properties: Map<String, Value> =
        names.map(|name| (name.to_owned(), property(get(&parameters, name), schemas))).collect();
    if let Some(body) = row.json_body() {
        let mut schema = inlined(get(schemas, body.name), schemas);
        if let Some(Value::Array(actions)) = schema.pointer_mut("/properties/actions/items/oneOf") {
            actions.push(OWN.into());
        } else if let Some(Value::Object(fields)) = schema.get_mut("properties") {
            fields.insert(OWN.to_owned(), Value::Null);
        }
        properties.insert(BODY_ARGUMENT.to_owned(), schema);
        required.push(BODY_ARGUMENT);
    }
    object! {
        "type" => "object",
        "properties" => properties,
        "required" => Some(required).filter(|required| !required.is_empty()),
        "additionalProperties" => false,
    }
}

/// Returns the schema of a parameter, with the description of the parameter.
fn property(parameter: &Value, schemas: &Value) -> Value {
    let json = || parameter.pointer("/content/application~1json/schema");
    let schema = inlined(parameter.get("schema").or_else(json).unwrap_or(&Value::Null), schemas);
    join(schema, object! { "description" => get(parameter, "description").clone() })
}

/// Returns a member, null if there is none.
fn get<'v>(object: &'v Value, name: &str) -> &'v Value {
    object.get(name).unwrap_or(&Value::Null)
}

/// Returns the schema with what its references name in their place, and without what only programs use: clients send
/// the schemas to a model with each question.
fn inlined(schema: &Value, schemas: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let reference = members.get("$ref").and_then(Value::as_str);
            if let Some((_, name)) = reference.and_then(|reference| reference.rsplit_once('/')) {
                return inlined(get(schemas, name), schemas);
            }
            let is_kept = |(name, _): &(&String, &Value)| {
                !["format", "pattern", "discriminator"].contains(&name.as_str())
            };
            let member = |(name, value): (&String, &Value)| {
                let value = match (name.as_str(), value) {
                    // Its members are fields, whatever their names are.
                    ("properties", Value::Object(fields)) => {
                        fields.iter().map(|(name, field)| (name.clone(), inlined(field, schemas))).collect()
                    }
                    ("propertyNames", names) => names.clone(),
                    (_, value) => inlined(value, schemas),
                };
                (name.clone(), value)
            };
            members.iter().filter(is_kept).map(member).collect()
        }
        Value::Array(items) => items.iter().map(|item| inlined(item, schemas)).collect(),
        other => other.clone(),
    }
}
