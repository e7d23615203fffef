//! Generates what JavaScript has to know to pass values to the validator.

use resource_edge::contract::limits;
use resource_edge::shape::types::{Object, Type};
use resource_edge::shape::{ObjectId, Shape};
use resource_edge::validate::{FOREIGN, FOREIGN_FROM};
use serde_json::json;

use super::head;
use super::names::camel;

/// Returns the text of `kinds.ts`.
pub(super) fn typescript(shape: &Shape) -> String {
    let kinds: Vec<String> = ObjectId::BODIES.iter().map(|id| camel(id.name())).collect();
    let foreign: String = FOREIGN
        .iter()
        .zip(FOREIGN_FROM..)
        .map(|(name, byte)| format!("  \"{name}\": \"\\x{byte:02x}\",\n"))
        .collect();
    let head = head("the schema (src/shape/built_in.rs)");
    format!(
        "{head}
/** The kinds of bodies, by the numbers that they have in the WebAssembly. */
export const kinds = [\"{}\"];

/** The largest body, in bytes (D10). */
export const BODY_BYTES = {};

/** The deepest array or object that a body may have; what is deeper is never looked into. */
export const DEPTH = {};

/** The same in a body of a resource that a deployment declares. */
export const DECLARED_DEPTH = {};

/** The characters that replace what JSON cannot write. */
export const foreign: {{ readonly [kind: string]: string }} = {{
{foreign}}};
",
        kinds.join("\", \""),
        limits::BODY_BYTES,
        deepest(shape),
        deepest(&nested()),
    )
}

/// Returns the most levels that a body of the shape has.
fn deepest(shape: &Shape) -> usize {
    ObjectId::BODIES.iter().map(|id| 1 + fields(shape.object(*id))).max().unwrap()
}

/// Returns the shape of a resource with as many levels as a deployment may declare.
fn nested() -> Shape {
    let mut schema = json!({ "type": "object" });
    let mut last = Shape::of_schema(&schema.to_string()).unwrap();
    loop {
        schema = json!({ "type": "object", "properties": { "inner": schema } });
        match Shape::of_schema(&schema.to_string()) {
            Ok(shape) => last = shape,
            Err(_) => return last,
        }
    }
}

fn fields(object: &Object) -> usize {
    object.fields.iter().map(|field| depth(&field.ty)).max().unwrap_or(0)
}

fn depth(ty: &Type) -> usize {
    match ty {
        Type::Integer { .. } | Type::Number | Type::Boolean | Type::String(_) => 0,
        Type::Array(array) => 1 + depth(&array.items),
        Type::Object(object) => 1 + fields(object),
        Type::Union(union) => {
            1 + union.variants.iter().map(|variant| fields(&variant.object)).max().unwrap_or(0)
        }
    }
}
