//! Bodies: the validator over bytes against `serde_json` and a simple reading of the schemas; what is accepted against
//! the record that it becomes.

use std::cell::RefCell;

use resource_edge::contract::model::{Arrays, Record, ResourceInput};
use resource_edge::contract::schema::{
    Array, ArrayRule, BODIES, Format, OBJECT_TEST_TYPE, Object, RESOURCE_OVERWRITE, RESOURCE_UPDATE, Type,
};
use resource_edge::contract::{limits, operation};
use resource_edge::validate::{self, FOREIGN_FROM, Listing, Rejection, validate};

use super::input::Input;
use super::json::{Json, grammar};

thread_local! {
    static LISTINGS: RefCell<[Listing; 2]> = const { RefCell::new([Listing::new(), Listing::new()]) };
}

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let kind = input.choice(BODIES.len() + 1);
    check(BODIES.get(kind).copied().unwrap_or(&OBJECT_TEST_TYPE), input.0);
}

fn check(schema: &'static Object, body: &[u8]) {
    let verdict = validate(schema, body, &mut ());
    let depth = grammar(body);
    let is_json = depth.is_some_and(|depth| depth <= limits::BODY_DEPTH);
    let says_json = !matches!(verdict, Err(Rejection::NotJson { .. }));
    assert_eq!(says_json, is_json, "{verdict:?}");
    // A number that no double holds, or half a surrogate pair, is JSON, and in no valid body.
    let value = Json::parse(body).filter(|value| is_json && !value.repeats());
    let expected = value.is_some_and(|value| is_object(schema, &value));
    assert_eq!(verdict.is_ok(), expected, "{verdict:?}");
    assert_eq!(validate::is_valid(schema, body), expected);
    listed(schema, body, &verdict);
    if expected {
        accepted(schema, body);
    }
}

/// The list of issues is bounded, and the same in each of its forms.
fn listed(schema: &'static Object, body: &[u8], verdict: &Result<(), Rejection>) {
    let (count, more) = match verdict {
        Ok(()) => (0, 0),
        Err(Rejection::NotJson { .. }) => (1, 0),
        Err(Rejection::Issues { issues, more }) => {
            for issue in issues {
                assert!(issue.message.len() < 2_000, "{issue:?}");
                let shown = issue.invalid_value.as_deref();
                assert!(
                    shown.is_none_or(|shown| serde_json::from_str::<serde_json::Value>(shown).is_ok()),
                    "{issue:?}"
                );
                assert!(
                    shown.is_none_or(|shown| shown.chars().count() <= 2 * limits::QUOTED_CHARS + 2),
                    "{issue:?}"
                );
            }
            (issues.len(), *more)
        }
    };
    assert!(count <= limits::ISSUES && (more == 0 || count == limits::ISSUES), "{count} and {more} more");
    assert!(verdict.is_ok() == (count == 0));
    LISTINGS.with_borrow_mut(|[bytes, object]| {
        validate::list(schema, body, bytes);
        assert_eq!((bytes.count(), bytes.more()), (count, more));
        // Where nothing stands for what JSON cannot write, an object's text has the issues of the bytes.
        let foreign = FOREIGN_FROM..FOREIGN_FROM + validate::FOREIGN.len() as u8;
        if !body.iter().any(|byte| foreign.contains(byte)) {
            validate::list_object(schema, body, object);
            assert_eq!((object.text(), object.parts()), (bytes.text(), bytes.parts()));
        }
    });
}

/// What is accepted becomes a record whose JSON is read back as itself, and may be sent back (D9).
fn accepted(schema: &'static Object, body: &[u8]) {
    if core::ptr::eq(schema, &raw const OBJECT_TEST_TYPE) {
        validate::arrays_input(body).expect("a valid body");
        return;
    }
    if core::ptr::eq(schema, &raw const RESOURCE_UPDATE) {
        validate::update_input(body).expect("a valid body");
        return;
    }
    let input = validate::resource_input(schema, body).expect("a valid body");
    let record = record(input);
    let written = record.to_json();
    assert_eq!(validate::stored_record(written.as_bytes()), Some(record), "{written}");
    assert!(validate::is_valid(&RESOURCE_OVERWRITE, written.as_bytes()), "{written}");
    assert!(serde_json::from_str::<serde_json::Value>(&written).is_ok(), "{written}");
}

fn record(input: ResourceInput) -> Record {
    let mut arrays = Arrays::default();
    input.arrays.merge_into(&mut arrays);
    Record {
        id: input.id.unwrap_or_else(|| "id".to_owned()),
        version: input.version.filter(|version| *version < 1 << 53).unwrap_or(1),
        key: input.key,
        created_at: 0,
        created_by: input.created_by,
        revision: 1,
        last_modified_by: input.last_modified_by,
        arrays,
        texts: input.texts,
    }
}

/// Whether the value has the shape, as the contract says it (D7 to D9).
fn is_object(object: &Object, value: &Json) -> bool {
    let Json::Object(members) = value else { return false };
    let known = |name: &str| object.fields.iter().find(|field| field.name() == name);
    members.iter().all(|(name, value)| {
        known(name).is_some_and(|field| *value == Json::Null && !field.required || is(&field.ty, value))
    }) && object.fields.iter().all(|field| !field.required || value.get(field.name()).is_some())
}

fn is(ty: &Type, value: &Json) -> bool {
    match (ty, value) {
        (Type::Integer { min, max }, Json::Number(number)) => {
            number.fract() == 0.0 && (*min as f64..=*max as f64).contains(number)
        }
        (Type::Number, Json::Number(number)) => number.is_finite(),
        (Type::String(format), Json::Text(text)) => !text.contains('\0') && has_format(*format, text),
        (Type::Array(array), Json::Array(items)) => is_array(array, items),
        (Type::Object(object), value) => is_object(object, value),
        (Type::Union(union), value) => {
            let tag = value.get(union.tag.name()).and_then(Json::text);
            let variant = union.variants.iter().find(|(name, _)| Some(*name) == tag);
            variant.is_some_and(|(_, object)| is_object(object, value))
        }
        _ => false,
    }
}

fn is_array(array: &Array, items: &[Json]) -> bool {
    let repeats = || items.iter().enumerate().any(|(at, item)| items[..at].contains(item));
    items.iter().all(|item| is(&array.items, item))
        && match array.rule {
            ArrayRule::Any => true,
            ArrayRule::Unique => !repeats(),
            ArrayRule::EmptyOr(count) => items.is_empty() || items.len() == count,
            ArrayRule::AtMost(most) => items.len() <= most,
        }
}

fn has_format(format: Format, text: &str) -> bool {
    let name = || {
        (1..=256).contains(&text.len()) && !matches!(text, "." | "..") && !text.chars().any(char::is_control)
    };
    match format {
        Format::Text => true,
        Format::Key => name(),
        Format::Id => name() && !operation::hides_id(text),
        Format::DateTime => is_moment(text),
    }
}

/// Whether the text is a real moment in the form of D6, by counting days.
fn is_moment(text: &str) -> bool {
    let digits = |range: core::ops::Range<usize>| -> Option<u32> {
        let part = text.get(range)?;
        if part.bytes().all(|byte| byte.is_ascii_digit()) { part.parse().ok() } else { None }
    };
    let marks = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "."), (23, "Z")];
    let formed = text.len() == 24 && marks.iter().all(|(at, mark)| text.get(*at..at + 1) == Some(*mark));
    let numbers = (
        digits(0..4),
        digits(5..7),
        digits(8..10),
        digits(11..13),
        digits(14..16),
        digits(17..19),
        digits(20..23),
    );
    let (Some(year), Some(month), Some(day), Some(hour), Some(minute), Some(second), Some(_)) = numbers
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let date = year >= 1 && (1..=12).contains(&month) && (1..=days).contains(&day);
    formed && date && hour < 24 && minute < 60 && second < 60
}
