//! The keywords of a schema, and those that are rules of a value. `resources.schema.json` is generated from them.
#![allow(clippy::unnecessary_box_returns, reason = "every result of the reader has room for a refusal")]

use std::borrow::Cow;

use super::place::{BoxedRefusal, SchemaPlace};
use crate::contract::error::Member;
use crate::shape::rules::{BOUNDS, Pattern, RuleSet, TextFormat};
use crate::shape::types::JsonType;
use crate::util::json::canonical;
use crate::util::number::text as number_text;
use crate::util::text::{append, concat};

use JsonType as Of;

const TEXT: &[JsonType] = &[Of::String];
const NUMBERS: &[JsonType] = &[Of::Number, Of::Integer];
const SINGLE: &[JsonType] = &[Of::String, Of::Number, Of::Integer, Of::Boolean];
const ARRAY: &[JsonType] = &[Of::Array];
const OBJECT: &[JsonType] = &[Of::Object];
const ALL: &[JsonType] = JsonType::ALL;

/// Every keyword except annotations, and those that name another schema: `$ref`, `$defs`, and `anyOf`. Each has the
/// types of which it says something.
pub const KEYWORDS: [(&str, &[JsonType]); 25] = [
    ("type", ALL),
    ("enum", SINGLE),
    ("const", SINGLE),
    ("default", ALL),
    ("minLength", TEXT),
    ("maxLength", TEXT),
    ("pattern", TEXT),
    ("format", TEXT),
    ("minimum", NUMBERS),
    ("maximum", NUMBERS),
    ("exclusiveMinimum", NUMBERS),
    ("exclusiveMaximum", NUMBERS),
    ("multipleOf", NUMBERS),
    ("items", ARRAY),
    ("minItems", ARRAY),
    ("maxItems", ARRAY),
    ("uniqueItems", ARRAY),
    ("properties", OBJECT),
    ("required", OBJECT),
    ("additionalProperties", OBJECT),
    ("$defs", OBJECT),
    ("x-unique", SINGLE),
    ("x-index", ALL),
    ("x-search", &[Of::String, Of::Array]),
    ("x-title", TEXT),
];

/// The keywords of annotations: they change no rule.
pub const NOTES: [&str; 7] = ["title", "description", "examples", "deprecated", "$comment", "$schema", "$id"];

/// Returns whether a keyword is an annotation.
pub(super) fn is_note(name: &str) -> bool {
    NOTES.contains(&name)
}

/// Returns whether a keyword has a meaning for values of the type.
pub(super) fn has_meaning(name: &str, kind: JsonType) -> bool {
    is_note(name) || KEYWORDS.iter().any(|(known, kinds)| *known == name && kinds.contains(&kind))
}

/// What to write instead of a keyword that is not supported.
const ADVICE: [(&str, &str); 20] = [
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
    ("additionalItems", "Write one schema for all \"items\"."),
    ("contains", "Write one schema for all \"items\"."),
    ("minProperties", "Name the properties in \"required\"."),
    ("maxProperties", "Name the properties in \"properties\"."),
    ("contentEncoding", "Say it in \"description\"."),
    ("nullable", "Write \"type\": [\"string\", \"null\"], or leave the property out of \"required\"."),
    ("readOnly", "Every property can be written. Say in \"description\" who writes it."),
    ("definitions", "Write \"$defs\"."),
];

#[inline(never)]
pub(super) fn unsupported(name: &str, at: &SchemaPlace<'_>) -> BoxedRefusal {
    let advice = ADVICE.iter().find(|(known, _)| *known == name).map(|(_, advice)| *advice);
    let mut message = concat(&["The keyword \"", name, "\" is not supported. "]);
    message.push_str(advice.unwrap_or("Remove it, or write it in \"$comment\"."));
    at.refuse(&message)
}

/// Takes a keyword that is a rule of the value. Returns whether it is one.
#[inline(never)]
pub(super) fn add_rule(
    rules: &mut RuleSet,
    name: &str,
    value: &str,
    at: &SchemaPlace<'_>,
) -> Result<bool, BoxedRefusal> {
    match name {
        "enum" => rules.choices = Some(choices(value, at)?),
        "const" => rules.choices = Some(choices(&concat(&["[", value, "]"]), at)?),
        "uniqueItems" => rules.unique_items = flag(value, at)?,
        "pattern" => rules.pattern = Some(pattern(value, at)?),
        "format" => rules.format = Some(format(value, at)?),
        // Other properties are never allowed, so false adds nothing.
        "additionalProperties" if value == "false" => {}
        "additionalProperties" => {
            return Err(at.refuse("Other properties are never allowed: write false, or leave it out."));
        }
        _ => {
            let Some(keyword) = BOUNDS.into_iter().find(|keyword| keyword.name() == name) else {
                return Ok(false);
            };
            rules.set_bound(keyword, Some(bound(keyword, value, at)?));
        }
    }
    Ok(true)
}

fn bound(keyword: Member, value: &str, at: &SchemaPlace<'_>) -> Result<f64, BoxedRefusal> {
    let bound = canonical::number(value).ok_or_else(|| at.refuse("Expected a number."))?;
    match keyword {
        Member::MultipleOf if bound <= 0.0 => Err(at.refuse("Expected a number above 0.")),
        Member::MinLength | Member::MaxLength | Member::MinItems | Member::MaxItems
            if bound < 0.0 || bound.fract() != 0.0 =>
        {
            Err(at.refuse("Expected a whole number, at least 0."))
        }
        _ => Ok(bound),
    }
}

#[inline(never)]
fn pattern(value: &str, at: &SchemaPlace<'_>) -> Result<Pattern, BoxedRefusal> {
    Pattern::new(&text(value, at)?)
        .ok_or_else(|| at.refuse("The pattern is not a regular expression of ECMAScript with the flag u."))
}

#[inline(never)]
pub(super) fn text(value: &str, at: &SchemaPlace<'_>) -> Result<String, BoxedRefusal> {
    canonical::text(value).map(Cow::into_owned).ok_or_else(|| at.refuse("Expected a text."))
}

#[inline(never)]
pub(super) fn flag(value: &str, at: &SchemaPlace<'_>) -> Result<bool, BoxedRefusal> {
    canonical::boolean(value).ok_or_else(|| at.refuse("Expected true or false."))
}

/// Returns whether the value of `format` is supported.
pub(super) fn is_format(value: &str) -> bool {
    canonical::text(value).is_some_and(|name| TextFormat::from_name(&name).is_some())
}

#[inline(never)]
fn format(value: &str, at: &SchemaPlace<'_>) -> Result<TextFormat, BoxedRefusal> {
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
#[inline(never)]
fn choices(value: &str, at: &SchemaPlace<'_>) -> Result<Vec<String>, BoxedRefusal> {
    let choices: Vec<String> =
        canonical::items(value).filter(|choice| *choice != "null").map(canonical_choice).collect();
    if choices.iter().any(|choice| choice.starts_with(['[', '{'])) {
        return Err(at.refuse("Only texts, numbers, and booleans can be possible values."));
    }
    if choices.iter().any(|choice| canonical::text(choice).is_some_and(|text| text.contains('\0'))) {
        return Err(at.refuse("No text has U+0000. Remove the value."));
    }
    if choices.is_empty() { Err(at.refuse("Expected a list of the possible values.")) } else { Ok(choices) }
}

/// Returns a possible value as bodies are compared with it: a schema may spell a number in several ways.
fn canonical_choice(choice: &str) -> String {
    canonical::number(choice).map_or_else(|| choice.to_owned(), number_text)
}
