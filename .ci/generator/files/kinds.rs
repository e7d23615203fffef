//! Generates what JavaScript has to know to pass values to the validator.

use resource_edge::contract::limits;
use resource_edge::contract::resource::schema::{BODIES, Object, Type};
use resource_edge::validate::{FOREIGN, FOREIGN_FROM};

use super::head;
use super::names::camel;

/// Returns the text of `kinds.ts`.
pub(super) fn typescript() -> String {
    let kinds: Vec<String> = BODIES.iter().map(|object| camel(object.name)).collect();
    let depth = BODIES.iter().map(|object| depth(&Type::Object(object))).max().unwrap();
    let foreign: String = FOREIGN
        .iter()
        .zip(FOREIGN_FROM..)
        .map(|(name, byte)| format!("  \"{name}\": \"\\x{byte:02x}\",\n"))
        .collect();
    let head = head("the schema (src/contract/resource/schema.rs)");
    format!(
        "{head}
/** The kinds of bodies, by the numbers that they have in the WebAssembly. */
export const kinds = [\"{}\"];

/** The largest body, in bytes (D10). */
export const BODY_BYTES = {};

/** The deepest array or object that a body may have; what is deeper is never looked into. */
export const DEPTH = {depth};

/** The characters that replace what JSON cannot write. */
export const foreign: {{ readonly [kind: string]: string }} = {{
{foreign}}};
",
        kinds.join("\", \""),
        limits::BODY_BYTES,
    )
}

fn depth(ty: &Type) -> usize {
    let fields = |object: &Object| object.fields().iter().map(|field| depth(&field.ty)).max().unwrap_or(0);
    match ty {
        Type::Integer { .. } | Type::Number | Type::Boolean | Type::String(_) => 0,
        Type::Array(array) => 1 + depth(&array.items),
        Type::Object(object) => 1 + fields(object),
        Type::Union(union) => {
            1 + union.variants().iter().map(|(_, object)| fields(object)).max().unwrap_or(0)
        }
    }
}
