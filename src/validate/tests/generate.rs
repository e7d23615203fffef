//! Random texts of valid bodies, and random records.
//!
//! It names the crate's modules through its parent, so that an integration test can include it by path after
//! `use resource_edge::contract::api::endpoint;`, and so on.

use proptest::collection::{SizeRange, hash_set, vec};
use proptest::prelude::*;
use proptest::sample::select;

use super::Shape;
use super::content::Content;
use super::endpoint::is_reserved_id;
use super::json;
use super::limits::INTEGER_MAX;
use super::model::{Person, Record};
use super::time;
use super::types::{Array, ArrayRule, Field, Format, Object, Type};

/// Generates white space that JSON allows.
fn space() -> impl Strategy<Value = String> {
    prop_oneof![8 => Just(String::new()), 1 => "[ \n\r\t]{0,3}"]
}

/// Generates a text that a string may contain: no U+0000.
pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9 ]{0,12}",
        any::<String>().prop_map(|text| text.replace('\0', "")),
        "[\u{1}-\u{20}\"\\\\/é😀\u{e000}]{0,8}",
    ]
}

/// Generates an ID or a key.
pub(super) fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z0-9_-]{1,20}", "[ -~é😀]{1,20}"]
        .prop_filter("a name", |name| !matches!(name.as_str(), "." | "..") && !is_reserved_id(name))
}

/// Generates an integer that a body may contain.
pub(super) fn integer(min: i64, max: i64) -> impl Strategy<Value = i64> {
    prop_oneof![min..=max, min.max(-9)..=max.min(9), select(vec![min, max])]
}

/// Generates a number that a body may contain, never −0.
pub(super) fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
        (-1_000_000_i32..1_000_000).prop_map(|value| f64::from(value) / 100.0),
    ]
    .prop_map(|value| if value == 0.0 { 0.0 } else { value })
}

/// Generates an instant of the years 1970 to 9999.
pub(super) fn instant() -> impl Strategy<Value = u64> {
    0_u64..253_402_300_800_000
}

/// Generates the JSON text of a string, with random characters escaped.
fn string_text(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (value, any::<u64>()).prop_map(|(value, choices)| {
        let mut out = String::from("\"");
        for (at, char) in value.chars().enumerate() {
            if (choices >> (at % 64)).trailing_zeros() > 1 {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    out.extend(["\\u", &format!("{unit:04x}")]);
                }
            } else {
                let quoted = serde_json::to_string(&char).unwrap();
                out.push_str(quoted.get(1..quoted.len() - 1).unwrap());
            }
        }
        out.push('"');
        out
    })
}

/// Returns whether `serde_json`, the other reader in the tests, reads the text as that number: sometimes it is off by
/// one ulp.
fn reads_exactly(text: &str, value: f64) -> bool {
    serde_json::from_str::<f64>(text).is_ok_and(|read| read.to_bits() == value.to_bits())
}

/// Generates the JSON text of an integer, in one of several spellings.
fn integer_text(value: i64) -> impl Strategy<Value = String> {
    let spellings = [format!("{value}.0"), format!("{value}e0"), format!("{value}0E-1")];
    let plain = format!("{value}");
    let exact = spellings.into_iter().filter(|text| reads_exactly(text, value as f64)).chain([plain]);
    select(exact.collect::<Vec<_>>())
}

fn number_text(value: f64) -> String {
    let text = serde_json::to_string(&value).unwrap();
    if reads_exactly(&text, value) { text } else { "0.5".to_owned() }
}

fn array_text(array: &Array) -> BoxedStrategy<String> {
    if let (ArrayRule::Unique, Type::Integer { min, max }) = (array.rule, &array.items) {
        let values = proptest::collection::btree_set(integer(*min, *max), 0..8);
        return values
            .prop_map(|values| values.into_iter().rev().collect::<Vec<_>>())
            .prop_shuffle()
            .prop_map(|values| serde_json::to_string(&values).unwrap())
            .boxed();
    }
    let item = value_text(&array.items);
    let items = match array.rule {
        ArrayRule::EmptyOr(count) => prop_oneof![vec(item.clone(), 0), vec(item, count)].boxed(),
        ArrayRule::OneTo(_) => vec(item, 1..8).boxed(),
        _ => vec(item, 0..8).boxed(),
    };
    (items, space(), space())
        .prop_map(|(items, before, after)| {
            ["[", &before, &items.join(&[&before, ",", &after].concat()), &after, "]"].concat()
        })
        .boxed()
}

fn value_text(ty: &Type) -> BoxedStrategy<String> {
    match ty {
        Type::Integer { min, max } => integer(*min, *max).prop_flat_map(integer_text).boxed(),
        Type::Number => number().prop_map(number_text).boxed(),
        Type::Boolean => any::<bool>().prop_map(|truth| truth.to_string()).boxed(),
        Type::String(Format::Text) => {
            prop_oneof![3 => string_text(text()), 1 => string_text("0{0,2}[0-9]{1,17}")].boxed()
        }
        Type::String(Format::Id | Format::Key) => string_text(name()).boxed(),
        Type::String(Format::DateTime) => string_text(instant().prop_map(time::format)).boxed(),
        Type::Array(array) => array_text(array),
        Type::Object(object) => body(object),
        Type::Union(union) => {
            let variants = union.variants.iter().map(|variant| {
                members(&variant.object, &[(&union.tag.name, serde_json::to_string(&variant.tag).unwrap())])
            });
            proptest::strategy::Union::new(variants).boxed()
        }
    }
}

/// Generates the text of a member; empty if an optional field is absent.
fn member(field: &Field, fixed: Option<String>) -> BoxedStrategy<String> {
    let value = match fixed {
        Some(text) => Just(text).boxed(),
        None if field.required => value_text(&field.ty),
        None => prop_oneof![
            4 => value_text(&field.ty),
            2 => Just(String::new()),
            1 => Just("null".to_owned()),
        ]
        .boxed(),
    };
    let name =
        prop_oneof![4 => Just(format!("\"{}\"", field.name)), 1 => string_text(Just(field.name.to_string()))];
    (name, space(), space(), value)
        .prop_map(
            |(name, before, after, value)| {
                if value.is_empty() { value } else { [&name, &before, ":", &after, &value].concat() }
            },
        )
        .boxed()
}

fn members(object: &Object, fixed: &[(&str, String)]) -> BoxedStrategy<String> {
    let members: Vec<_> = object
        .fields
        .iter()
        .map(|field| {
            let fixed = fixed.iter().find(|(name, _)| *name == field.name);
            member(field, fixed.map(|(_, text)| text.clone()))
        })
        .collect();
    (prop_oneof![members.clone(), members.prop_shuffle()], space(), space())
        .prop_map(|(members, before, after)| {
            let members: Vec<String> = members.into_iter().filter(|member| !member.is_empty()).collect();
            let comma = [&after, ",", &before].concat();
            ["{", &before, &members.join(&comma), &after, "}"].concat()
        })
        .boxed()
}

/// Generates the text of a valid body of the shape, with random order of members, nulls, white space, and spellings.
pub(super) fn body(object: &Object) -> BoxedStrategy<String> {
    members(object, &[])
}

fn person() -> impl Strategy<Value = Person> {
    (proptest::option::of(text()), proptest::option::of(text()))
        .prop_map(|(first_name, last_name)| Person { first_name, last_name })
}

/// Returns the content of a record: no array is empty.
fn content(shape: &Shape) -> impl Strategy<Value = Content> + use<> {
    shape.content().fold(Just(Content::default()).boxed(), |content, field| {
        let name = field.name.to_string();
        (content, proptest::option::of(value(&field.ty)))
            .prop_map(move |(content, value)| match value {
                Some(value) => content.with(&name, &value),
                None => content,
            })
            .boxed()
    })
}

fn json_text<T>(write: impl Fn(&mut String, T)) -> impl Fn(T) -> String {
    move |value| {
        let mut out = String::new();
        write(&mut out, value);
        out
    }
}

fn array_value(array: &Array) -> BoxedStrategy<String> {
    let count: SizeRange = match array.rule {
        ArrayRule::Any | ArrayRule::Unique => (1..6).into(),
        ArrayRule::EmptyOr(count) => count.into(),
        ArrayRule::AtMost(max) | ArrayRule::OneTo(max) => (1..=max).into(),
    };
    let items = if array.rule == ArrayRule::Unique {
        hash_set(value(&array.items), count).prop_map(|set| set.into_iter().collect()).boxed()
    } else {
        vec(value(&array.items), count).boxed()
    };
    items.prop_map(|items: Vec<String>| format!("[{}]", items.join(","))).boxed()
}

/// Generates a value by its type as canonical JSON, as a record may contain it: no array is empty.
fn value(ty: &Type) -> BoxedStrategy<String> {
    match ty {
        Type::Integer { min, max } => integer(*min, *max).prop_map(json_text(json::integer)).boxed(),
        Type::String(Format::DateTime) => (-62_135_596_800_000..253_402_300_800_000_i64)
            .prop_map(json_text(|out: &mut String, instant| {
                out.push('"');
                time::push_signed(out, instant);
                out.push('"');
            }))
            .boxed(),
        Type::String(_) => {
            text().prop_map(json_text(|out: &mut String, text: String| json::string(out, &text))).boxed()
        }
        Type::Number => number().prop_map(json_text(json::number)).boxed(),
        Type::Boolean => any::<bool>().prop_map(|truth| truth.to_string()).boxed(),
        Type::Object(object) => {
            let members: Vec<_> = object
                .fields
                .iter()
                .map(|field| {
                    let name = field.name.to_string();
                    proptest::option::of(value(&field.ty))
                        .prop_map(move |value| value.map(|value| format!("\"{name}\":{value}")))
                })
                .collect();
            members
                .prop_map(|members| {
                    format!("{{{}}}", members.into_iter().flatten().collect::<Vec<_>>().join(","))
                })
                .boxed()
        }
        Type::Array(array) => array_value(array),
        Type::Union(_) => panic!("no field of the content is a union"),
    }
}

/// Generates a record that the store may contain.
pub(super) fn record(shape: &Shape) -> impl Strategy<Value = Record> + use<> {
    let who = (proptest::option::of(person()), proptest::option::of(person()));
    let names = (name(), proptest::option::of(name()));
    let numbers = (1..=INTEGER_MAX.unsigned_abs(), instant(), instant());
    (names, numbers, who, content(shape)).prop_map(
        |((id, key), (version, created_at, revision), (created_by, last_modified_by), content)| Record {
            id,
            version,
            key,
            created_at,
            created_by,
            revision,
            last_modified_by,
            content,
        },
    )
}
