//! The JSON Schemas of the bodies, from the OpenAPI document.

use resource_edge::openapi;
use resource_edge::shape::{ObjectId, Shape};
use serde_json::{Map, Value};

use super::head;

const HEAD: &str = "
/** JSON Schemas (2020-12) of the bodies and of what is in them, by their names. */
export const schemas: { readonly [name: string]: object } = {
";

/// Returns the text of `json-schemas.ts`.
pub(super) fn typescript(shape: &Shape) -> String {
    let document: Value = serde_json::from_str(&openapi::document(shape)).unwrap();
    let mut schemas = Map::new();
    for body in ObjectId::BODIES {
        add(&mut schemas, &document, body.name());
    }
    let lines: String = schemas.iter().map(|(name, schema)| format!("  {name}: {schema},\n")).collect();
    head("the OpenAPI document's schemas (src/openapi)") + HEAD + &lines + "};\n"
}

/// Adds a schema and all that it refers to.
fn add(schemas: &mut Map<String, Value>, document: &Value, name: &str) {
    if schemas.contains_key(name) {
        return;
    }
    let schema = plain(&document["components"]["schemas"][name]);
    schemas.insert(name.to_owned(), schema.clone());
    for reference in schema.to_string().split("\"#/$defs/").skip(1) {
        add(schemas, document, reference.split('"').next().unwrap());
    }
}

/// Returns the schema without the parts that only OpenAPI defines: the formats of numbers, and discriminators.
fn plain(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let is_plain = |name: &str, value: &Value| match name {
                "format" => !["int32", "int64", "double"].iter().any(|format| value == format),
                _ => name != "discriminator",
            };
            let members = members.iter().filter(|(name, value)| is_plain(name, value));
            members.map(|(name, value)| (name.clone(), plain(value))).collect()
        }
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::String(text) => text.replace("#/components/schemas/", "#/$defs/").into(),
        other => other.clone(),
    }
}
