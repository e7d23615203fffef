//! A place in a body.

use crate::util::json;
use crate::util::text::push_pointer;
use crate::validate::json::source::push_quote;

/// A place in a body, as a chain up to the root on the stack. Nothing is written until an issue needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'p> {
    /// The whole body.
    Root,
    /// A field of the schema.
    Member(&'p Place<'p>, &'p str),
    /// A member that the schema does not have.
    Unknown(&'p Place<'p>, &'p str),
    /// An item.
    Item(&'p Place<'p>, usize),
    /// A part of a body at this place that is validated alone: paths begin there.
    Part(&'p Place<'p>),
}

/// A part of a path.
#[derive(Debug)]
pub(super) enum Part {
    /// The name of a member.
    Name(String),
    /// The index of an item.
    Index(usize),
}

impl Part {
    /// Appends it as JSON.
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Self::Name(name) => json::string(out, name),
            Self::Index(index) => json::integer(out, *index as i64),
        }
    }
}

impl Place<'_> {
    /// Appends the parts of the path. The chain is as deep as the schema.
    pub(super) fn push_parts(&self, parts: &mut Vec<Part>) {
        let (parent, part) = match self {
            Self::Root | Self::Part(_) => return,
            Self::Member(parent, name) | Self::Unknown(parent, name) => {
                (parent, Part::Name((*name).to_owned()))
            }
            Self::Item(parent, index) => (parent, Part::Index(*index)),
        };
        parent.push_parts(parts);
        parts.push(part);
    }

    /// Returns the name of the field here, or of the field that the item belongs to. An unknown name is quoted.
    pub(super) fn field(&self) -> Option<String> {
        match self {
            Self::Root => None,
            Self::Member(_, name) => Some((*name).to_owned()),
            Self::Unknown(_, name) => {
                let mut quote = String::new();
                push_quote(name, &mut quote);
                Some(quote)
            }
            Self::Item(at, _) | Self::Part(at) => at.field(),
        }
    }
}

/// Returns the path as a JSON Pointer (RFC 6901).
pub(super) fn pointer(path: &[Part]) -> String {
    let mut out = String::new();
    for part in path {
        out.push('/');
        match part {
            Part::Name(name) => push_pointer(name, &mut out),
            Part::Index(index) => json::integer(&mut out, *index as i64),
        }
    }
    out
}
