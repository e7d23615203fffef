//! What an issue is about: a value, and its place in the body.

use super::cursor::Kind;
use super::violation::Position;
use crate::contract::expected::push_all;
use crate::contract::schema::Slot;
use crate::contract::text::quoted;
use crate::contract::{json, limits};

/// A value as written in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    /// Its text.
    pub(super) text: &'a str,
    /// Its kind.
    pub(super) kind: Kind,
    /// Whether every JSON reader accepts it: it is not a number beyond the range of doubles, nor a string with a lone
    /// surrogate.
    pub(super) quotable: bool,
}

impl Source<'_> {
    /// Whether an issue includes it.
    pub(super) fn is_shown(&self) -> bool {
        !matches!(self.kind, Kind::Array | Kind::Object | Kind::Foreign(_))
    }

    /// Whether it is included as written: as JSON, and complete.
    pub(super) fn is_whole(&self) -> bool {
        self.quotable && !is_long(self.text)
    }

    /// Appends the value as JSON. A long one becomes a string of its beginning.
    pub(super) fn push_value(&self, out: &mut String) {
        if self.is_whole() {
            out.push_str(self.text);
        } else {
            json::string(out, quoted(self.text));
        }
    }
}

/// Appends the text, or its beginning and an ellipsis (D10).
pub(super) fn push_quote(text: &str, out: &mut String) {
    push_all(out, &[quoted(text), if is_long(text) { "…" } else { "" }]);
}

/// Whether the text is longer than its quote.
pub(super) fn is_long(text: &str) -> bool {
    // A character has at least one byte.
    text.len() > limits::QUOTED_CHARS && quoted(text).len() < text.len()
}

/// A place in a body, as a chain up to the root on the stack. Nothing is written until an issue needs it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'p> {
    /// The whole body.
    Root,
    /// A field of the schema.
    Member(&'p Place<'p>, Slot),
    /// A member that the schema does not have.
    Unknown(&'p Place<'p>, &'p str),
    /// An item.
    Item(&'p Place<'p>, usize),
}

/// Marks a part of a place that is the number of a field in [`Slot::ALL`]. A smaller part is an index.
pub const FIELD: u32 = 1 << 31;

/// Marks a part of a place whose name is in the text.
pub const NAMED: u32 = u32::MAX;

impl Place<'_> {
    /// Returns the number of parts. The chain is as deep as the schema.
    pub(super) fn depth(&self) -> u32 {
        match self {
            Self::Root => 0,
            Self::Member(parent, _) | Self::Unknown(parent, _) | Self::Item(parent, _) => parent.depth() + 1,
        }
    }

    /// Appends the parts.
    pub(super) fn push_parts(&self, parts: &mut Vec<u32>) {
        match self {
            Self::Root => {}
            Self::Member(parent, slot) => {
                parent.push_parts(parts);
                parts.push(FIELD | *slot as u32);
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
    pub(super) fn slot(&self) -> Option<Slot> {
        match self {
            Self::Root | Self::Unknown(..) => None,
            Self::Member(_, slot) => Some(*slot),
            Self::Item(parent, _) => parent.slot(),
        }
    }

    /// Returns the unknown name here.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Unknown(_, name) => Some(name),
            _ => None,
        }
    }

    /// Returns the kind of the place.
    pub(super) fn position(&self) -> Position {
        match self {
            Self::Root => Position::Root,
            Self::Member(..) | Self::Unknown(..) => Position::Member,
            Self::Item(..) => Position::Item,
        }
    }
}

/// Appends a name as a part of a JSON Pointer.
pub(super) fn push_pointer(name: &str, out: &mut String) {
    out.push('/');
    for char in name.chars() {
        match char {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            _ => out.push(char),
        }
    }
}
