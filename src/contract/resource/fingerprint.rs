//! A number of the schema, which the version of the index contains.

use super::schema::{FieldId, Format, Type};
use crate::util::fnv;

/// A number that changes whenever a field of the content, its type, or its place changes: FNV-1a over the names and
/// types of the content.
pub const FINGERPRINT: u32 = {
    let (mut hash, mut fields) = (fnv::START, (FieldId::FIXED, FieldId::NAMES));
    while let ([id, more_ids @ ..], [name, more_names @ ..]) = fields {
        let mut name = name.as_bytes();
        while let [byte, more_bytes @ ..] = name {
            hash = fnv::add(hash, *byte as u32);
            name = more_bytes;
        }
        hash = fnv::add(hash, type_number(id.fixed_content()));
        fields = (more_ids, more_names);
    }
    hash
};

/// Returns a number for the form of a type in the index.
pub(super) const fn type_number(ty: Option<Type>) -> u32 {
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
