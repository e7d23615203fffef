//! Random texts of valid bodies, and random records.
//!
//! It names the crate's modules through its parent, so that an integration test can include it by path after
//! `use resource_edge::contract::{content, endpoint, limits, model, schema};` and `use resource_edge::util::time;`.

use proptest::collection::{SizeRange, hash_set, vec};
use proptest::prelude::*;
use proptest::sample::select;

use super::content::{Content, FieldValues};
use super::endpoint::is_reserved_id;
use super::limits::INTEGER_MAX;
use super::model::{ObjectItem, Person, Record};
use super::schema::{Array, ArrayRule, Field, FieldId, Format, Object, Type};
use super::time;

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

fn array_text(array: &'static Array) -> BoxedStrategy<String> {
    if let (ArrayRule::Unique, Type::Integer { min, max }) = (array.rule, array.items) {
        let values = proptest::collection::btree_set(integer(min, max), 0..8);
        return values
            .prop_map(|values| values.into_iter().rev().collect::<Vec<_>>())
            .prop_shuffle()
            .prop_map(|values| serde_json::to_string(&values).unwrap())
            .boxed();
    }
    let item = value_text(array.items);
    let items = match array.rule {
        ArrayRule::EmptyOr(count) => prop_oneof![vec(item.clone(), 0), vec(item, count)].boxed(),
        _ => vec(item, 0..8).boxed(),
    };
    (items, space(), space())
        .prop_map(|(items, before, after)| {
            ["[", &before, &items.join(&[&before, ",", &after].concat()), &after, "]"].concat()
        })
        .boxed()
}

fn value_text(ty: Type) -> BoxedStrategy<String> {
    match ty {
        Type::Integer { min, max } => integer(min, max).prop_flat_map(integer_text).boxed(),
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
            let variants = union.variants().iter().map(|(name, object)| {
                members(object, &[(union.tag.name(), serde_json::to_string(name).unwrap())])
            });
            proptest::strategy::Union::new(variants).boxed()
        }
    }
}

/// Generates the text of a member; empty if an optional field is absent.
fn member(field: &'static Field, fixed: Option<String>) -> BoxedStrategy<String> {
    let value = match fixed {
        Some(text) => Just(text).boxed(),
        None if field.required => value_text(field.ty),
        None => prop_oneof![
            4 => value_text(field.ty),
            2 => Just(String::new()),
            1 => Just("null".to_owned()),
        ]
        .boxed(),
    };
    let name = prop_oneof![4 => Just(format!("\"{}\"", field.name())), 1 => string_text(Just(field.name().to_owned()))];
    (name, space(), space(), value)
        .prop_map(
            |(name, before, after, value)| {
                if value.is_empty() { value } else { [&name, &before, ":", &after, &value].concat() }
            },
        )
        .boxed()
}

fn members(object: &'static Object, fixed: &[(&str, String)]) -> BoxedStrategy<String> {
    let members: Vec<_> = object
        .fields()
        .iter()
        .map(|field| {
            let fixed = fixed.iter().find(|(name, _)| *name == field.name());
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
pub(super) fn body(object: &'static Object) -> BoxedStrategy<String> {
    members(object, &[])
}

fn person() -> impl Strategy<Value = Person> {
    (proptest::option::of(text()), proptest::option::of(text()))
        .prop_map(|(first_name, last_name)| Person { first_name, last_name })
}

/// Returns the content of a record: no array is empty.
fn content() -> impl Strategy<Value = Content> {
    let fields = FieldId::all().filter(|id| id.content().is_some());
    fields.fold(Just(Content::default()).boxed(), |content, id| {
        (content, proptest::option::of(values(id)))
            .prop_map(move |(content, values)| match values {
                Some(values) => content.with(id, values),
                None => content,
            })
            .boxed()
    })
}

/// Generates values of a field by its type, as a record may contain them: no array is empty.
fn values(id: FieldId) -> BoxedStrategy<FieldValues> {
    let any_integer = || integer(-INTEGER_MAX, INTEGER_MAX);
    let ty = id.content().unwrap();
    let rule = if let Type::Array(array) = ty { array.rule } else { ArrayRule::EmptyOr(1) };
    let count: SizeRange = match rule {
        ArrayRule::Any | ArrayRule::Unique => (1..6).into(),
        ArrayRule::EmptyOr(count) => count.into(),
        ArrayRule::AtMost(max) => (1..=max).into(),
    };
    match ty.item() {
        Type::Integer { min, max } if rule == ArrayRule::Unique => hash_set(integer(min, max), count)
            .prop_map(|set| FieldValues::Integers(set.into_iter().collect()))
            .boxed(),
        Type::Integer { min, max } => vec(integer(min, max), count).prop_map(FieldValues::Integers).boxed(),
        Type::String(Format::DateTime) => {
            vec(-62_135_596_800_000..253_402_300_800_000_i64, count).prop_map(FieldValues::DateTimes).boxed()
        }
        Type::String(_) => vec(text(), count).prop_map(FieldValues::Texts).boxed(),
        Type::Number => vec(number(), count).prop_map(FieldValues::Numbers).boxed(),
        Type::Boolean => vec(any::<bool>(), count).prop_map(FieldValues::Booleans).boxed(),
        Type::Object(_) => {
            let item = (proptest::option::of(any_integer()), proptest::option::of(any::<i32>())).prop_map(
                |(integer_example, integer_example_int32)| ObjectItem {
                    integer_example,
                    integer_example_int32,
                },
            );
            vec(item, count).prop_map(FieldValues::Objects).boxed()
        }
        Type::Array(_) | Type::Union(_) => panic!("{id:?}"),
    }
}

/// Generates a record that the store may contain.
pub(super) fn record() -> impl Strategy<Value = Record> {
    let who = (proptest::option::of(person()), proptest::option::of(person()));
    let names = (name(), proptest::option::of(name()));
    let numbers = (1..=INTEGER_MAX.unsigned_abs(), instant(), instant());
    (names, numbers, who, content()).prop_map(
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
