//! A place in a body.

use super::violation::PlaceKind;
use crate::contract::resource::schema::FieldId;

/// A place in a body, as a chain up to the root on the stack. Nothing is written until an issue needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'p> {
    Root,
    Member(&'p Place<'p>, FieldId),
    Unknown(&'p Place<'p>, &'p str),
    Item(&'p Place<'p>, usize),
}

/// Marks a part of a place that is the number of a field in [`FieldId::ALL`]. A smaller part is an index.
pub const FIELD: u32 = 1 << 31;

/// Marks a part of a place whose name is in the text.
pub const NAMED: u32 = u32::MAX;

impl Place<'_> {
    /// Returns the number of parts. The chain is as deep as the schema.
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Self::Root => 0,
            Self::Member(parent, _) | Self::Unknown(parent, _) | Self::Item(parent, _) => parent.depth() + 1,
        }
    }

    pub(crate) fn push_parts(&self, parts: &mut Vec<u32>) {
        match self {
            Self::Root => {}
            Self::Member(parent, id) => {
                parent.push_parts(parts);
                parts.push(FIELD | *id as u32);
            }
            Self::Unknown(parent, _) => {
                parent.push_parts(parts);
                parts.push(NAMED);
            }
            Self::Item(parent, index) => {
                parent.push_parts(parts);
                parts.push(*index as u32);
            }
        }
    }

    /// Returns the field here, or the field that the item belongs to.
    pub(crate) fn id(&self) -> Option<FieldId> {
        match self {
            Self::Root | Self::Unknown(..) => None,
            Self::Member(_, id) => Some(*id),
            Self::Item(parent, _) => parent.id(),
        }
    }

    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Unknown(_, name) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn position(&self) -> PlaceKind {
        match self {
            Self::Root => PlaceKind::Root,
            Self::Member(..) | Self::Unknown(..) => PlaceKind::Member,
            Self::Item(..) => PlaceKind::Item,
        }
    }
}

/// Appends a name as a part of a JSON Pointer.
pub(crate) fn push_pointer(name: &str, out: &mut String) {
    out.push('/');
    // Between escapes the name is copied whole, because most names have none.
    let mut from = 0;
    for (at, byte) in name.bytes().enumerate() {
        let escape = match byte {
            b'~' => "~0",
            b'/' => "~1",
            _ => continue,
        };
        out.push_str(name.get(from..at).unwrap_or_default());
        out.push_str(escape);
        from = at + 1;
    }
    out.push_str(name.get(from..).unwrap_or_default());
}
