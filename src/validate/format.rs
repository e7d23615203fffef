//! The rules on strings (D3, D6, D7) and on the number of an array's items.

use super::issues::violation::Violation;
use super::json::string::{Flaw, Text};
use crate::contract::api::endpoint;
use crate::contract::api::path::is_name;
use crate::contract::limits;
use crate::shape::types::{ArrayRule, Format};
use crate::util::time;

/// Returns the rule that the string breaks; `None` if it has the format and no flaw.
pub(super) fn broken(format: Format, text: &Text<'_>) -> Option<Violation<'static>> {
    match text.flaw {
        Some(Flaw::Nul) => return Some(Violation::Nul),
        Some(Flaw::LoneSurrogate) => return Some(Violation::LoneSurrogate),
        None => {}
    }
    let value = text.value.as_ref();
    match format {
        Format::Text => None,
        Format::Id if is_name(value) && endpoint::is_reserved_id(value) => Some(Violation::ReservedId),
        Format::Id | Format::Key if is_name(value) => None,
        Format::Id | Format::Key if !(1..=limits::NAME_BYTES).contains(&value.len()) => {
            Some(Violation::NameLength)
        }
        Format::Id | Format::Key if matches!(value, "." | "..") => Some(Violation::Dots),
        Format::Id | Format::Key => Some(Violation::NameCharacters),
        Format::DateTime => (!time::is_valid(value)).then_some(Violation::DateTime),
    }
}

/// Returns the rule that an array with `count` items breaks; `None` if it breaks none.
pub(super) fn broken_count(rule: ArrayRule, count: usize) -> Option<Violation<'static>> {
    match rule {
        ArrayRule::EmptyOr(exact) if count != 0 && count != exact => Some(Violation::NoneOr(exact)),
        ArrayRule::AtMost(max) if count > max => Some(Violation::AtMost(max)),
        ArrayRule::OneTo(max) if count == 0 || count > max => Some(Violation::OneTo(max)),
        _ => None,
    }
}
