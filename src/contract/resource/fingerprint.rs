//! A number of the schema, which the version of the index contains.
#![allow(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, where a wrong index does not compile"
)]

use super::schema::{FieldId, Format, Type};

/// A number that changes whenever a field of the content, its type, or its place changes.
pub const FINGERPRINT: u32 = fingerprint();

/// FNV-1a over the names and types of the content.
const fn fingerprint() -> u32 {
    let mut hash = 0x811c_9dc5;
    let mut at = 0;
    while at < FieldId::ALL.len() {
        let id = FieldId::ALL[at];
        let name = id.name().as_bytes();
        let mut byte = 0;
        while byte < name.len() {
            hash = (hash ^ name[byte] as u32).wrapping_mul(0x0100_0193);
            byte += 1;
        }
        hash = (hash ^ type_number(id.content())).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// Returns a number for the form of a type in the index.
const fn type_number(ty: Option<Type>) -> u32 {
    let Some(ty) = ty else { return 0 };
    let item = match ty.item() {
        Type::Integer { .. } => 2,
        Type::Number => 4,
        Type::Boolean => 6,
        Type::String(Format::DateTime) => 8,
        Type::String(_) => 10,
        Type::Array(_) | Type::Object(_) | Type::Union(_) => 12,
    };
    item + ty.is_array() as u32
}
