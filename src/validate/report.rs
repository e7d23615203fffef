//! What issues are made of: where they are, what was expected and what was found, written only when listed.

use super::cursor::Kind;
use crate::contract::schema::Union;
use crate::contract::text::quoted;
use crate::contract::{json, limits};

/// A value as it stands in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    /// Its text.
    pub(super) text: &'a str,
    /// Its kind.
    pub(super) kind: Kind,
    /// Whether every reader of JSON takes it: it is no number beyond doubles, nor a string with half a surrogate pair.
    pub(super) quotable: bool,
}

impl Source<'_> {
    /// Appends the value as JSON, a long one as a string of its beginning; `false` where it is none to be shown.
    pub(super) fn push_value(&self, out: &mut String) -> bool {
        if matches!(self.kind, Kind::Array | Kind::Object | Kind::Foreign(_)) {
            return false;
        }
        let cut = cut(self.text);
        if self.quotable && cut.len() == self.text.len() {
            out.push_str(cut);
        } else {
            json::string(out, cut);
        }
        true
    }
}

/// What should have stood.
#[derive(Debug, Clone, Copy)]
pub(super) enum Expected {
    /// As the sentence says.
    Plain(&'static str),
    /// An integer within bounds.
    Between(i64, i64),
    /// An array of no items or of that many.
    NoneOr(usize),
    /// An array of that many items at most.
    AtMost(usize),
    /// The name of a variant.
    TagOf(&'static Union),
}

impl Expected {
    /// What should have stood instead of the number: an integer, or one within the bounds.
    pub(super) fn integer(found: f64, min: i64, max: i64) -> Self {
        if found.is_finite() && found.fract() != 0.0 {
            Self::Plain("an integer")
        } else {
            Self::Between(min, max)
        }
    }

    pub(super) fn push(self, out: &mut String) {
        match self {
            Self::Plain(sentence) => out.push_str(sentence),
            Self::Between(min, max) => {
                out.push_str("an integer from ");
                json::integer(out, min);
                out.push_str(" to ");
                json::integer(out, max);
            }
            Self::NoneOr(count) => {
                out.push_str("no items or exactly ");
                json::integer(out, count as i64);
            }
            Self::AtMost(count) => {
                out.push_str("no more items than ");
                json::integer(out, count as i64);
            }
            Self::TagOf(union) => {
                out.push_str("one of");
                for (at, (name, _)) in union.variants.iter().enumerate() {
                    out.push_str(if at == 0 { " '" } else { ", '" });
                    out.push_str(name);
                    out.push('\'');
                }
            }
        }
    }
}

/// What stood instead.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    /// The value, quoted.
    Value,
    /// A value of that kind.
    Kind,
    /// The value, quoted, as an earlier item had it.
    Again,
    /// That many items.
    Count(usize),
}

impl Found {
    pub(super) fn push(self, value: Option<Source<'_>>, out: &mut String) {
        match (self, value) {
            (Self::Count(count), _) => json::integer(out, count as i64),
            (Self::Kind, Some(value)) => out.push_str(value.kind.name()),
            (_, Some(value)) => push_quote(value.text, out),
            (_, None) => {}
        }
        if matches!(self, Self::Again) {
            out.push_str(" again");
        }
    }
}

/// The beginning of a text, as much as is quoted (D10).
fn cut(text: &str) -> &str {
    // A character takes a byte at least.
    if text.len() <= limits::QUOTED_CHARS { text } else { quoted(text) }
}

/// Appends the text, or its beginning and an ellipsis (D10).
pub(super) fn push_quote(text: &str, out: &mut String) {
    let cut = cut(text);
    out.push_str(cut);
    if cut.len() < text.len() {
        out.push('…');
    }
}

/// A place in a body, as a chain up to the root that lives on the stack: nothing is written until an issue needs it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'p> {
    /// The whole body.
    Root,
    /// A member.
    Member(&'p Place<'p>, &'p str),
    /// An item.
    Item(&'p Place<'p>, usize),
}

impl Place<'_> {
    /// Appends the JSON Pointer. The chain is as deep as the schema.
    pub(super) fn push_pointer(&self, out: &mut String) {
        match self {
            Self::Root => {}
            Self::Member(parent, name) => {
                parent.push_pointer(out);
                out.push('/');
                if !name.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
                    return out.push_str(name);
                }
                for char in name.chars() {
                    match char {
                        '~' => out.push_str("~0"),
                        '/' => out.push_str("~1"),
                        _ => out.push(char),
                    }
                }
            }
            Self::Item(parent, index) => {
                parent.push_pointer(out);
                out.push('/');
                json::integer(out, *index as i64);
            }
        }
    }

    /// The name of the field here, or of the array that the item is of.
    pub(super) fn field(&self) -> Option<&str> {
        match self {
            Self::Root => None,
            Self::Member(_, name) => Some(name),
            Self::Item(parent, _) => parent.field(),
        }
    }
}
