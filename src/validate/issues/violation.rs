//! The rules that a value can break: the reason, the bounds, and the sentence of each (D7 to D10).

use super::location::Place;
use crate::contract::error::{Code, Member, Members, Reason};
use crate::contract::limits;
use crate::shape::rules::RuleSet;
use crate::shape::types::{JsonType, Union};
use crate::util::text::append;
use crate::util::{json, nearest};
use crate::validate::allowed::AllowedFields;
use crate::validate::json::source::Kind;

/// The rule for IDs and keys, as a phrase. A test compares it with [`limits::NAME_BYTES`].
pub(crate) const NAME: &str = "1 to 256 bytes without control characters, other than '.' and '..'";

#[derive(Debug, Clone, Copy)]
pub(crate) enum Violation<'w> {
    /// A value of an unexpected type.
    Type(JsonType, Kind),
    /// A number that is not whole.
    Fraction,
    /// An integer outside the bounds.
    Range(i64, i64),
    /// A number beyond the range of doubles.
    Double,
    /// A string with U+0000.
    Nul,
    LoneSurrogate,
    /// An ID or key that is too short or too long.
    NameLength,
    /// An ID or key with control characters.
    NameCharacters,
    /// The name `.` or `..`.
    Dots,
    /// An ID that a literal path shadows.
    ReservedId,
    DateTime,
    NotUnique,
    /// A number of items that is neither zero nor the given one.
    NoneOr(usize),
    /// More items than the given number.
    AtMost(usize),
    /// No item, or more than the given number.
    OneTo(usize),
    /// A tag that names no variant.
    Tag(&'w Union, Option<&'w str>),
    /// A rule of a shape, and the choice that was probably meant, if any.
    Rule(Reason, &'w RuleSet, Option<&'w str>),
    Required,
    Duplicate,
    /// A field that the object does not have, and the field that was probably meant, if any.
    Unknown(AllowedFields<'w>, Option<&'w str>),
}

impl<'w> Violation<'w> {
    /// Returns the reason. The bounds of [`Self::describe`] depend on it.
    const fn reason(&self) -> Reason {
        match self {
            Self::Type(..) | Self::Fraction => Reason::Type,
            Self::Range(..) => Reason::Range,
            Self::Double | Self::DateTime => Reason::Format,
            Self::Nul | Self::LoneSurrogate | Self::NameCharacters => Reason::Characters,
            Self::NameLength => Reason::Length,
            Self::Dots | Self::ReservedId => Reason::Reserved,
            Self::NotUnique => Reason::NotUnique,
            Self::NoneOr(_) | Self::AtMost(_) | Self::OneTo(_) => Reason::Count,
            Self::Tag(..) => Reason::Enum,
            Self::Rule(broken, ..) => *broken,
            Self::Required => Reason::Required,
            Self::Duplicate => Reason::Duplicate,
            Self::Unknown(..) => Reason::UnknownField,
        }
    }

    pub(crate) const fn code(&self) -> Code {
        if matches!(self, Self::Required) { Code::RequiredField } else { Code::InvalidField }
    }

    /// Returns the name of the code. Includes only the two names, not the whole table.
    pub(crate) const fn code_name(&self) -> &'static str {
        if matches!(self, Self::Required) { Code::RequiredField.wire() } else { Code::InvalidField.wire() }
    }

    /// Adds the members on the wire. `field` is the name of the field at the place, `value` the value as JSON.
    pub(crate) fn describe(
        &self,
        pointer: Option<&str>,
        field: Option<&str>,
        value: Option<&str>,
        members: &mut dyn Members,
    ) {
        members.reason(self.reason());
        if let Some(pointer) = pointer {
            members.text(Member::Path, pointer);
        }
        if let Some(field) = field {
            members.text(Member::Field, field);
        }
        if let Some(value) = value {
            members.json(Member::InvalidValue, value);
        }
        if let Some((min, max)) = self.bounds() {
            let (min_name, max_name) = match self {
                Self::Range(..) => (Member::Minimum, Member::Maximum),
                Self::NameLength => (Member::MinLength, Member::MaxLength),
                _ => (Member::MinItems, Member::MaxItems),
            };
            if let Some(min) = min {
                members.integer(min_name, min);
            }
            members.integer(max_name, max);
        }
        if let Self::Rule(broken, rules, _) = self {
            rules.describe(*broken, members);
        }
        if let Some(expected) = self.expected() {
            members.texts(Member::Expected, &[expected]);
        }
        if let Some(near) = self.describe_names(members) {
            members.text(Member::Suggestion, near);
        }
    }

    /// Adds the names that are allowed. Returns the one that was probably meant, if any.
    fn describe_names(&self, members: &mut dyn Members) -> Option<&'w str> {
        match self {
            Self::Tag(union, near) => {
                let names: Vec<&str> = union.variants.iter().map(|variant| variant.tag.as_ref()).collect();
                members.texts(Member::AllowedValues, &names);
                *near
            }
            Self::Unknown(allowed, near) => {
                members.texts(Member::AllowedValues, &allowed.names());
                *near
            }
            Self::Rule(_, _, near) => *near,
            _ => None,
        }
    }

    /// Returns the minimum, if there is one, and the maximum.
    const fn bounds(&self) -> Option<(Option<i64>, i64)> {
        match self {
            Self::Range(min, max) => Some((Some(*min), *max)),
            Self::NameLength => Some((Some(1), limits::NAME_BYTES as i64)),
            Self::NoneOr(count) => Some((Some(*count as i64), *count as i64)),
            Self::AtMost(count) => Some((None, *count as i64)),
            Self::OneTo(count) => Some((Some(1), *count as i64)),
            _ => None,
        }
    }

    /// Returns the expected type or format.
    const fn expected(&self) -> Option<&'static str> {
        match self {
            Self::Type(ty, _) => Some(ty.name()),
            Self::Fraction => Some("integer"),
            Self::Double => Some("double"),
            Self::DateTime => Some("date-time"),
            _ => None,
        }
    }

    /// Returns the sentence. `quote` is the value, or what is quoted instead.
    pub(crate) fn message(&self, place: &Place<'_>, field: &str, quote: &str) -> String {
        let mut out = String::with_capacity(96);
        let parts = match self {
            Self::Required => ["The field '", field, "' is required."],
            Self::Duplicate => ["Duplicate field '", field, "'."],
            Self::Unknown(..) => ["Unknown field '", field, "'."],
            _ => match place {
                Place::Root => ["Malformed value", "", ""],
                Place::Item(..) | Place::Part(Place::Item(..)) => ["Malformed item of '", field, "'"],
                Place::Member(..) | Place::Unknown(..) | Place::Part(_) => ["Malformed field '", field, "'"],
            },
        };
        append(&mut out, &parts);
        match self {
            Self::Unknown(_, Some(near)) => append(&mut out, &[" Did you mean '", near, "'?"]),
            Self::Required | Self::Duplicate | Self::Unknown(_, None) => {}
            _ => {
                out.push_str(": expected ");
                self.push_expected(&mut out);
                let found = if let Self::Type(_, kind) = self { kind.name() } else { quote };
                let end = if matches!(self, Self::NotUnique) { " again." } else { "." };
                append(&mut out, &[", found ", found, end]);
            }
        }
        out
    }

    fn push_expected(&self, out: &mut String) {
        let phrase = match self {
            Self::Type(ty, _) => return push_type(out, *ty),
            Self::Fraction => return push_type(out, JsonType::Integer),
            Self::Range(min, max) => {
                out.push_str("an integer from ");
                json::integer(out, *min);
                out.push_str(" to ");
                return json::integer(out, *max);
            }
            Self::Rule(broken, rules, _) => return rules.push_expected(*broken, out),
            Self::NoneOr(count) => return push_items(out, "no items or exactly ", *count),
            Self::AtMost(count) => return push_items(out, "at most ", *count),
            Self::OneTo(count) => return push_items(out, "1 to ", *count),
            Self::Tag(union, _) => {
                out.push_str("one of");
                for (at, variant) in union.variants.iter().enumerate() {
                    append(out, &[if at == 0 { " '" } else { ", '" }, &variant.tag, "'"]);
                }
                return;
            }
            Self::Double => "a number that a double can hold",
            Self::Nul => "a string without U+0000",
            Self::LoneSurrogate => "a string without lone surrogates",
            Self::NameLength | Self::NameCharacters | Self::Dots => NAME,
            Self::ReservedId => "an ID that is not reserved",
            Self::DateTime => "a real date and time of the form 2024-01-31T23:59:59.999Z",
            Self::NotUnique => "an item that does not occur earlier",
            // Their sentences have another form.
            Self::Required | Self::Duplicate | Self::Unknown(..) => "",
        };
        out.push_str(phrase);
    }

    /// Returns the rule that the number breaks: it is not an integer within the bounds.
    pub(crate) fn of_integer(found: f64, min: i64, max: i64) -> Self {
        if found.is_finite() && found.fract() != 0.0 { Self::Fraction } else { Self::Range(min, max) }
    }

    /// Returns the rule that the tag breaks: it names no variant.
    pub(crate) fn of_tag(union: &'w Union, found: &str) -> Self {
        let mut names = union.variants.iter().map(|variant| variant.tag.as_ref());
        Self::Tag(union, nearest::nearest(found, &mut || names.next()))
    }
}

/// Appends the name of a type with its article.
fn push_type(out: &mut String, ty: JsonType) {
    let is_consonant = matches!(ty, JsonType::Number | JsonType::String | JsonType::Boolean);
    append(out, &[if is_consonant { "a " } else { "an " }, ty.name()]);
}

#[inline(never)]
fn push_items(out: &mut String, before: &str, count: usize) {
    out.push_str(before);
    json::integer(out, count as i64);
    out.push_str(" items");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn the_sentence_on_names_states_the_limit() {
        assert!(NAME.contains(&format!(" {} ", limits::NAME_BYTES)));
    }
}
