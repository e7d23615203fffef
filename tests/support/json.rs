//! Compares JSON with the expectation of a case (tests/cases/README.md, Matchers).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use resource_edge::shape::Shape;
use serde_json::{Map, Value};

/// Returns the names of the arrays that a team has added to the resource. Cases do not name them, and they are empty
/// there.
pub fn added_arrays() -> impl Iterator<Item = &'static str> {
    static ADDED: LazyLock<Vec<String>> = LazyLock::new(|| {
        let shape = Shape::built_in();
        let further = shape.content().skip(shape.arrays().len());
        further.filter(|field| field.ty.is_array()).map(|field| field.name.to_string()).collect()
    });
    ADDED.iter().map(String::as_str)
}

/// Returns where and how `found` differs from `expected`; `None` if it does not.
pub fn mismatch(expected: &Value, found: &Value) -> Option<String> {
    differ(expected, found, "")
}

fn differ(expected: &Value, found: &Value, at: &str) -> Option<String> {
    let fail = |what: &str| {
        Some(format!("{}: expected {what}, found {found}", if at.is_empty() { "/" } else { at }))
    };
    match (expected, found) {
        (Value::Object(members), _)
            if members.keys().any(|name| name.starts_with('$') && name != "$partial") =>
        {
            match members.iter().find(|(name, argument)| !holds(name, argument, found)) {
                None => None,
                Some((name, argument)) => fail(&format!("{name} {argument}")),
            }
        }
        (Value::Object(wanted), Value::Object(had)) => objects(wanted, had, at),
        (Value::Array(wanted), Value::Array(had)) if wanted.len() == had.len() => wanted
            .iter()
            .zip(had)
            .enumerate()
            .find_map(|(index, (wanted, had))| differ(wanted, had, &format!("{at}/{index}"))),
        (Value::Number(wanted), Value::Number(had)) if wanted.as_f64() == had.as_f64() => None,
        _ if expected == found => None,
        _ => fail(&expected.to_string()),
    }
}

fn objects(wanted: &Map<String, Value>, had: &Map<String, Value>, at: &str) -> Option<String> {
    let partial = wanted.contains_key("$partial");
    let missing =
        wanted.iter().filter(|(name, _)| *name != "$partial").find_map(|(name, value)| match had.get(name) {
            Some(found) => differ(value, found, &format!("{at}/{name}")),
            None => Some(format!("{at}/{name}: expected {value}, found nothing")),
        });
    let is_added = |name: &str, value: &Value| {
        *value == Value::Array(Vec::new()) && added_arrays().any(|one| one == name)
    };
    missing.or_else(|| {
        had.iter()
            .find(|(name, value)| !partial && !wanted.contains_key(*name) && !is_added(name, value))
            .map(|(name, value)| format!("{at}/{name}: expected nothing, found {value}"))
    })
}

fn holds(name: &str, argument: &Value, found: &Value) -> bool {
    match name {
        "$any" => is_a(argument.as_str().unwrap_or_default(), found),
        "$like" => found.as_str().is_some_and(|text| like(argument.as_str().unwrap_or_default(), text)),
        "$length" => length(found) == argument.as_u64(),
        "$above" => matches!((number(argument), number(found)), (Some(min), Some(had)) if had > min),
        "$list" => {
            list(found) == argument.as_array().map(|items| items.iter().filter_map(Value::as_str).collect())
        }
        "$not" => mismatch(argument, found).is_some(),
        _ => panic!("unknown matcher {name}"),
    }
}

/// Returns the items of a header that is a list.
fn list(value: &Value) -> Option<BTreeSet<&str>> {
    Some(value.as_str()?.split(',').map(str::trim).collect())
}

/// Returns a number, or a text that is one: headers are texts.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

fn length(value: &Value) -> Option<u64> {
    let length = match value {
        Value::Array(items) => items.len(),
        Value::String(text) => text.chars().count(),
        _ => return None,
    };
    Some(length as u64)
}

fn is_a(kind: &str, found: &Value) -> bool {
    let text = found.as_str();
    match kind {
        "string" => text.is_some(),
        "integer" => found.as_i64().is_some(),
        "number" => found.is_number(),
        "boolean" => found.is_boolean(),
        "array" => found.is_array(),
        "object" => found.is_object(),
        "uuidv7" => text.is_some_and(|text| has_form(text, "xxxxxxxx-xxxx-7xxx-xxxx-xxxxxxxxxxxx")),
        "time" => text.is_some_and(|text| has_form(text, "dddd-dd-ddTdd:dd:dd.dddZ")),
        _ => panic!("unknown kind {kind}"),
    }
}

/// Returns whether the text has the form. In the form, `d` means a digit and `x` a lower-case hexadecimal digit.
fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.chars().zip(form.chars()).all(|(char, wanted)| match wanted {
            'd' => char.is_ascii_digit(),
            'x' => char.is_ascii_digit() || ('a'..='f').contains(&char),
            other => char == other,
        })
}

/// Returns whether the text matches the pattern, in which `*` means any text.
pub fn like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, rest)) => text.strip_prefix(before).is_some_and(|after| {
            (0..=after.len()).filter(|at| after.is_char_boundary(*at)).any(|at| like(rest, &after[at..]))
        }),
    }
}

/// Returns the names of the members of a JSON object, in the order of its text.
pub fn member_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut start, mut escaped) = (0, None, false);
    let mut before_value = true;
    for (at, char) in text.char_indices() {
        match (start, char) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(from), '"') => {
                if depth == 1 && before_value {
                    names.push(text[from + 1..at].to_owned());
                }
                start = None;
            }
            (None, '"') => start = Some(at),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => depth -= 1,
            (None, ':') if depth == 1 => before_value = false,
            (None, ',') if depth == 1 => before_value = true,
            _ => {}
        }
    }
    names
}

/// Returns the text with every byte percent-encoded.
pub fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat()
}

pub fn at<'v>(value: &'v Value, pointer: &str) -> &'v Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}
