//! The rules on strings (D3, D6, D7) and on the number of an array's items.

use super::report::Expected;
use super::string::{Flaw, Text};
use crate::contract::path::is_name;
use crate::contract::schema::{ArrayRule, Format, Type};
use crate::contract::{operation, time};

/// The kind of value that a type takes, with its article.
pub(super) fn type_name(ty: &Type) -> &'static str {
    match ty {
        Type::Integer { .. } => "an integer",
        Type::Number => "a number",
        Type::String(_) => "a string",
        Type::Array(_) => "an array",
        Type::Object(_) | Type::Union(_) => "an object",
    }
}

/// What the string should have been; `None` where it has the format and no flaw.
pub(super) fn wanted(format: Format, text: &Text<'_>) -> Option<&'static str> {
    match text.flaw {
        Some(Flaw::Nul) => return Some("a string without U+0000"),
        Some(Flaw::LoneSurrogate) => return Some("a string without lone surrogates"),
        None => {}
    }
    let value = text.value.as_ref();
    let fits = match format {
        Format::Text => true,
        Format::Id => is_name(value) && !operation::hides_id(value),
        Format::Key => is_name(value),
        Format::DateTime => time::is_valid(value),
    };
    (!fits).then_some(match format {
        Format::Id if is_name(value) => "an id that stands for no other path",
        Format::Id | Format::Key => NAME,
        Format::Text | Format::DateTime => "a real date and time of the form 2024-01-31T23:59:59.999Z",
    })
}

/// What an id or a key should have been; a test ties it to [`limits::NAME_BYTES`].
const NAME: &str = "1 to 256 bytes without control characters, other than '.' and '..'";

/// What an array should have had instead of that many items; `None` where its rule is kept.
pub(super) fn wanted_count(rule: ArrayRule, count: usize) -> Option<Expected> {
    match rule {
        ArrayRule::EmptyOr(exact) if count != 0 && count != exact => Some(Expected::NoneOr(exact)),
        ArrayRule::AtMost(most) if count > most => Some(Expected::AtMost(most)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::limits;

    #[test]
    fn the_sentence_on_names_states_the_limit() {
        assert!(NAME.contains(&format!(" {} ", limits::NAME_BYTES)));
    }
}
