//! The rules of values, and whether a value keeps them: a second reading of JSON Schema, as simple as possible.

use serde_json::{Value, json};

use super::super::random::Random;
use super::{kind, properties, required, values};

/// A pattern, and what it means.
type MeantPattern = (&'static str, fn(&str) -> bool);

const PATTERNS: [MeantPattern; 3] = [
    ("^[A-Z]{2}-[0-9]+$", |text| {
        text.split_once('-').is_some_and(|(letters, digits)| {
            letters.len() == 2
                && letters.bytes().all(|byte| byte.is_ascii_uppercase())
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    }),
    ("e", |text| text.contains('e')),
    ("^[^ ]*$", |text| !text.contains(' ')),
];

/// Formats, with the texts of [`values::TEXTS`] that have them.
const FORMATS: [(&str, &[&str]); 4] = [
    ("email", &["a@example.org"]),
    ("date", &["2026-01-31"]),
    (
        "date-time",
        &[
            "2026-01-31T00:00:00.000Z",
            "2026-01-31T01:30:00+01:30",
            "1999-12-31T23:59:59.999Z",
            "1999-12-31t23:59:59.9994z",
        ],
    ),
    ("ipv4", &["192.0.2.1"]),
];

/// Integers are less than that (D7).
const INTEGERS: f64 = 9_007_199_254_740_992.0;

/// Adds random rules for the type of a schema, in the place of those that it has. Some value keeps them.
pub fn add(schema: &mut Value, random: &Random) {
    remove(schema);
    if random.chance(450) {
        return;
    }
    let without = schema.clone();
    for _ in 0..8 {
        let mut ruled = without.clone();
        for _ in 0..=random.below(2) {
            let (keyword, value) = rule(&without, random);
            ruled[keyword] = value;
        }
        if kind(&ruled) == "array" || !values::choices(&ruled).is_empty() {
            *schema = ruled;
            return;
        }
    }
}

/// The keywords of rules of a value itself.
pub const KEYWORDS: [&str; 13] = [
    "enum",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
];

fn remove(schema: &mut Value) {
    schema.as_object_mut().expect("a schema").retain(|keyword, _| !KEYWORDS.contains(&keyword.as_str()));
}

fn rule(schema: &Value, random: &Random) -> (&'static str, Value) {
    match kind(schema) {
        "string" => match random.below(5) {
            0 => ("minLength", json!(1 + random.below(3))),
            1 => ("maxLength", json!(3 + random.below(6))),
            2 => ("pattern", json!(random.pick(&PATTERNS).0)),
            3 => ("format", json!(random.pick(&FORMATS).0)),
            _ => ("enum", some(schema, random)),
        },
        "integer" | "number" => match random.below(6) {
            0 => ("minimum", json!(random.below(3))),
            1 => ("maximum", json!(2 + random.below(4))),
            2 => ("exclusiveMinimum", json!(random.below(2))),
            3 => ("exclusiveMaximum", json!(3.5)),
            4 => ("multipleOf", json!(random.pick(&[0.5, 1.0, 2.0]))),
            _ => ("enum", some(schema, random)),
        },
        "array" => match random.below(3) {
            0 => ("minItems", json!(random.below(2))),
            1 => ("maxItems", json!(2 + random.below(3))),
            _ => ("uniqueItems", json!(true)),
        },
        // Nothing else is possible.
        _ => ("enum", some(schema, random)),
    }
}

/// Returns some of the values of a schema.
fn some(schema: &Value, random: &Random) -> Value {
    let all = values::choices(schema);
    let mut some: Vec<Value> = Vec::new();
    for _ in 0..4 {
        let value = random.pick(&all);
        if !some.contains(value) {
            some.push(value.clone());
        }
    }
    some.into()
}

/// Returns whether a value that is not null keeps the rules of a schema.
pub fn fits(schema: &Value, value: &Value) -> bool {
    let has_type = match kind(schema) {
        "string" => value.as_str().is_some_and(|text| !text.contains('\0')),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0 && number.abs() < INTEGERS),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        _ => value.is_object(),
    };
    has_type
        && KEYWORDS.iter().all(|keyword| schema.get(keyword).is_none_or(|rule| keeps(keyword, rule, value)))
        && value.as_array().is_none_or(|items| items.iter().all(|item| fits(&schema["items"], item)))
        && value.as_object().is_none_or(|members| {
            let of = |name: &str| members.get(name).filter(|value| !value.is_null());
            required(schema).all(|name| of(name).is_some())
                && members.keys().all(|name| schema["properties"].get(name).is_some())
                && properties(schema).all(|(name, inner)| of(name).is_none_or(|value| fits(inner, value)))
        })
}

fn keeps(keyword: &str, rule: &Value, value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let length = || text.chars().count() as u64;
    let count = || value.as_array().map_or(0, Vec::len) as u64;
    let (number, bound) = (value.as_f64().unwrap_or_default(), rule.as_f64().unwrap_or_default());
    let least = rule.as_u64().unwrap_or_default();
    match keyword {
        "enum" => rule.as_array().expect("choices").contains(value),
        "minLength" => length() >= least,
        "maxLength" => length() <= least,
        "pattern" => PATTERNS.iter().any(|(pattern, is_match)| rule == pattern && is_match(text)),
        "format" => FORMATS.iter().any(|(format, texts)| rule == format && texts.contains(&text)),
        "minimum" => number >= bound,
        "maximum" => number <= bound,
        "exclusiveMinimum" => number > bound,
        "exclusiveMaximum" => number < bound,
        // The divisors here are powers of two, so the division is exact.
        "multipleOf" => (number / bound).fract() == 0.0,
        "minItems" => count() >= least,
        "maxItems" => count() <= least,
        "uniqueItems" => {
            let items: Vec<Value> =
                value.as_array().into_iter().flatten().map(values::without_nulls).collect();
            (1..items.len()).all(|at| !items[..at].contains(&items[at]))
        }
        other => panic!("no rule: {other}"),
    }
}
