//! The values of keywords.

use std::borrow::Cow;

use super::place::{Refused, SchemaPlace};
use crate::shape::rules::TextFormat;
use crate::util::json::canonical;
use crate::util::text::{append, concat};

/// What to write instead of a keyword that is not supported.
const ADVICE: [(&str, &str); 17] = [
    ("oneOf", "Write one type, or \"enum\" for a choice of values."),
    ("allOf", "Write its rules beside each other."),
    ("not", "Say what is allowed, with \"enum\" or \"pattern\"."),
    ("if", "Write the rule that always holds, and check the other in your own code."),
    ("then", "Write the rule that always holds, and check the other in your own code."),
    ("else", "Write the rule that always holds, and check the other in your own code."),
    ("patternProperties", "Name each property in \"properties\"."),
    ("propertyNames", "Name each property in \"properties\"."),
    ("unevaluatedProperties", "Write \"additionalProperties\": false, which always holds."),
    ("dependentRequired", "Write the property in \"required\", or check it in your own code."),
    ("dependentSchemas", "Write the rule that always holds, and check the other in your own code."),
    ("prefixItems", "Write one schema for all \"items\"."),
    ("contains", "Write one schema for all \"items\"."),
    ("minProperties", "Name the properties in \"required\"."),
    ("maxProperties", "Name the properties in \"properties\"."),
    ("contentEncoding", "Say it in \"description\"."),
    ("definitions", "Write \"$defs\"."),
];

pub(super) fn unsupported(name: &str, at: &SchemaPlace<'_>) -> Refused {
    let advice = ADVICE.iter().find(|(known, _)| *known == name).map(|(_, advice)| *advice);
    let mut message = concat(&["The keyword \"", name, "\" is not supported. "]);
    message.push_str(advice.unwrap_or("Remove it, or write it in \"$comment\"."));
    at.refuse(&message)
}

pub(super) fn text(value: &str, at: &SchemaPlace<'_>) -> Result<String, Refused> {
    canonical::text(value).map(Cow::into_owned).ok_or_else(|| at.refuse("Expected a text."))
}

pub(super) fn number(value: &str, at: &SchemaPlace<'_>) -> Result<f64, Refused> {
    canonical::number(value).ok_or_else(|| at.refuse("Expected a number."))
}

pub(super) fn count(value: &str, at: &SchemaPlace<'_>) -> Result<usize, Refused> {
    let count = canonical::integer(value).and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| at.refuse("Expected a whole number, at least 0."))
}

pub(super) fn flag(value: &str, at: &SchemaPlace<'_>) -> Result<bool, Refused> {
    canonical::boolean(value).ok_or_else(|| at.refuse("Expected true or false."))
}

pub(super) fn format(value: &str, at: &SchemaPlace<'_>) -> Result<TextFormat, Refused> {
    let name = text(value, at)?;
    TextFormat::from_name(&name).ok_or_else(|| {
        let mut message = "The format is not supported. The formats are ".to_owned();
        for (place, format) in TextFormat::ALL.iter().enumerate() {
            append(&mut message, &[if place == 0 { "" } else { ", " }, format.name()]);
        }
        message.push_str(". Write a \"pattern\" for another one.");
        at.refuse(&message)
    })
}

/// Reads the possible values, without null, which every optional field may be.
pub(super) fn choices(value: &str, at: &SchemaPlace<'_>) -> Result<Vec<String>, Refused> {
    let choices: Vec<String> =
        canonical::items(value).filter(|choice| *choice != "null").map(str::to_owned).collect();
    if choices.is_empty() { Err(at.refuse("Expected a list of the possible values.")) } else { Ok(choices) }
}
