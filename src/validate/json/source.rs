//! A value as it is written in a text: what kind it is, and how an issue quotes it.

use crate::contract::error::quoted;
use crate::contract::limits;
use crate::util::json;
use crate::util::text::append;

/// Values that a JavaScript object can have and JSON cannot, as messages name them. In the text of an object that
/// [`crate::validate::invalid`] accepts, a control character means such a value: [`FOREIGN_FROM`] the first, the next
/// character the second, and so on.
pub const FOREIGN: &[&str] = &[
    "undefined",
    "NaN",
    "Infinity",
    "-Infinity",
    "a bigint",
    "a symbol",
    "a function",
    "a Date",
    "an instance of a class",
    "a value that cannot be read",
];

/// The first of the characters that mean [`FOREIGN`] values: from it on, none is white space.
pub const FOREIGN_FROM: u8 = 0x0e;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
    /// A value that JSON cannot express: the index of its name in [`FOREIGN`].
    Foreign(u8),
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
            Self::Foreign(index) => FOREIGN.get(usize::from(index)).copied().unwrap_or_default(),
        }
    }
}

/// A value as written in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    pub(crate) kind: Kind,
    /// Whether every JSON reader accepts it: it is not a number beyond the range of doubles, nor a string with a lone
    /// surrogate.
    pub(crate) quotable: bool,
}

impl Source<'_> {
    /// Returns whether an issue includes it.
    pub(crate) fn is_shown(&self) -> bool {
        !matches!(self.kind, Kind::Array | Kind::Object | Kind::Foreign(_))
    }

    /// Returns whether it is included as written: as JSON, and complete.
    fn is_whole(&self) -> bool {
        self.quotable && !is_long(self.text)
    }

    /// Returns the value as JSON. A long one becomes a string of its beginning.
    pub(crate) fn json(&self) -> String {
        if self.is_whole() {
            return self.text.to_owned();
        }
        let mut out = String::new();
        json::string(&mut out, quoted(self.text));
        out
    }
}

/// Appends the text, or its beginning and an ellipsis (D10).
pub(crate) fn push_quote(text: &str, out: &mut String) {
    append(out, &[quoted(text), if is_long(text) { "…" } else { "" }]);
}

/// Returns whether the text is longer than its quote.
fn is_long(text: &str) -> bool {
    // A character has at least one byte.
    text.len() > limits::QUOTED_CHARS && quoted(text).len() < text.len()
}
