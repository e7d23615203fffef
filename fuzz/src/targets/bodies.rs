//! Bodies: compares the validator with `serde_json` and a simple reading of the schemas, and accepted bodies with the
//! records that they become.

use resource_edge::contract::api::endpoint;
use resource_edge::contract::error::MemberValue;
use resource_edge::contract::limits;
use resource_edge::shape::types::{Array, ArrayRule, Field, Format, Object, Type, Union, Variant};
use resource_edge::shape::{Content, ObjectId, Record, ResourceInput, Shape};
use resource_edge::validate::{self, FOREIGN_FROM, Rejection, Verdict, validate};
use serde_json::Value;

use super::input::Input;
use super::json::{Json, grammar};

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let kind = input.choice(ObjectId::BODIES.len() + 1);
    let id = ObjectId::BODIES.get(kind).copied().unwrap_or(ObjectId::Arrays);
    check(&Shape::built_in(), id, input.0);
}

fn check(shape: &Shape, id: ObjectId, body: &[u8]) {
    let schema = shape.object(id);
    let verdict = validate(schema, body, &mut Verdict);
    let depth = grammar(body);
    let is_json = depth.is_some_and(|depth| depth <= limits::BODY_DEPTH);
    let says_json = !matches!(verdict, Err(Rejection::NotJson { .. }));
    assert_eq!(says_json, is_json, "{verdict:?}");
    // A number beyond the range of doubles, or a lone surrogate, is JSON, but in no valid body.
    let value = Json::parse(body).filter(|_| is_json);
    let wrong = value.map(|value| object(Members::of(schema), &value));
    let expected = wrong == Some(0);
    assert_eq!(verdict.is_ok(), expected, "{verdict:?}");
    if let (Some(wrong), Err(Rejection::Issues { issues, more })) = (wrong, &verdict) {
        assert_eq!(issues.len() + *more as usize, wrong, "{verdict:?}");
    }
    listed(schema, body, &verdict);
    if expected {
        accepted(shape, id, body);
    }
}

/// Checks that the list of issues is bounded, and the same in each of its forms.
fn listed(schema: &Object, body: &[u8], verdict: &Result<(), Rejection>) {
    let (count, more) = match verdict {
        Ok(()) => (0, 0),
        Err(Rejection::NotJson { .. }) => (1, 0),
        Err(Rejection::Issues { issues, more }) => {
            for issue in issues {
                assert!(issue.message.len() < 2_000, "{issue:?}");
                let shown = issue.members.iter().find_map(|(_, value)| match value {
                    MemberValue::Json(value) => Some(value.as_str()),
                    _ => None,
                });
                assert!(shown.is_none_or(|shown| serde_json::from_str::<Value>(shown).is_ok()), "{issue:?}");
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
    let result = validate::invalid(schema, body, false);
    let parsed =
        result.as_ref().map(|result| serde_json::from_str::<Value>(result).expect("the result is JSON"));
    let listed = parsed.as_ref().map_or((0, 0), |result| {
        let issues = result["issues"].as_array().expect("an array");
        (issues.len(), result["more"].as_u64().unwrap_or(0))
    });
    assert_eq!(listed, (count, u64::from(more)), "{result:?}");
    // If the object has nothing that JSON cannot write, an object's text has the issues of the bytes.
    let foreign = FOREIGN_FROM..FOREIGN_FROM + validate::FOREIGN.len() as u8;
    if !body.iter().any(|byte| foreign.contains(byte)) {
        assert_eq!(validate::invalid(schema, body, true), result);
    }
}

/// Checks that an accepted body becomes a record, whose JSON reads back as the same record and is a valid body (D9).
fn accepted(shape: &Shape, id: ObjectId, body: &[u8]) {
    if id == ObjectId::Arrays {
        validate::arrays_input(shape, body).expect("a valid body");
        return;
    }
    if id == ObjectId::Update {
        validate::update_input(shape, body).expect("a valid body");
        return;
    }
    if id == ObjectId::Batch {
        batch(shape, body);
        return;
    }
    let input = validate::resource_input(shape, id, body).expect("a valid body");
    let record = record(shape, input);
    let written = record.to_json(shape);
    assert_eq!(Record::read(shape, &written), Some(record), "{written}");
    let overwrite = shape.object(ObjectId::Overwrite);
    assert!(validate::validate(overwrite, written.as_bytes(), &mut Verdict).is_ok(), "{written}");
    assert!(serde_json::from_str::<Value>(&written).is_ok(), "{written}");
}

/// Checks that each write of an accepted batch is read as the body of its operation is alone.
fn batch(shape: &Shape, body: &[u8]) {
    let value: Value = serde_json::from_slice(body).expect("JSON");
    let writes = value["writes"].as_array().expect("an array");
    let mut at = 0;
    let read = validate::batch_input(shape, body, |write| {
        let sent = &writes[at];
        at += 1;
        let alone = sent["body"].to_string();
        assert_eq!(sent["operation"], *write.operation);
        match &*write.operation {
            "createOrUpdate" | "overwrite" | "createOrOverwrite" => {
                let is_draft = write.operation == "createOrUpdate";
                let id = if is_draft { ObjectId::Draft } else { ObjectId::Overwrite };
                let input = validate::resource_input(shape, id, alone.as_bytes()).expect("a valid body");
                assert_eq!(write.resource(shape, id), input);
            }
            "updateById" => {
                let update = validate::update_input(shape, alone.as_bytes()).expect("a valid body");
                assert_eq!((sent["id"].as_str(), write.update(shape)), (Some(&*write.id), update));
            }
            _ => assert_eq!(sent["id"], *write.id),
        }
    });
    assert_eq!(read.expect("a valid body").len(), writes.len());
}

fn record(shape: &Shape, input: ResourceInput) -> Record {
    Record {
        id: input.id.unwrap_or_else(|| "id".to_owned()),
        // Versions begin at 1 (D5); a body may expect 0.
        version: input.version.filter(|version| (1..1 << 53).contains(version)).unwrap_or(1),
        key: input.key,
        created_at: 0,
        created_by: input.created_by,
        revision: 1,
        last_modified_by: input.last_modified_by,
        content: Content::of_body(shape, &input.content),
    }
}

/// The fields that an object may have. If the variant of a union is unknown, the fields of all variants are allowed,
/// unread.
#[derive(Clone, Copy)]
struct Members<'s> {
    fields: &'s [Field],
    unread: &'s [Variant],
    tag: Option<&'s Union>,
}

impl<'s> Members<'s> {
    fn of(object: &'s Object) -> Self {
        Self { fields: &object.fields, unread: &[], tag: None }
    }
}

/// Returns how many issues the contract finds in a value that must be an object (D7 to D10).
fn object(known: Members<'_>, value: &Json) -> usize {
    let Json::Object(members) = value else { return 1 };
    let mut wrong = 0;
    for (at, (name, value)) in members.iter().enumerate() {
        let repeats = members[..at].iter().any(|(before, _)| before == name);
        let unread = known.unread.iter().any(|variant| variant.object.field(name).is_some());
        wrong += match known.fields.iter().find(|field| field.name == *name) {
            Some(_) if repeats => 1,
            Some(_) if *value == Json::Null => 0,
            // Any tag that names no variant is an issue.
            Some(_) if known.tag.is_some() => 1,
            Some(field) => of_type(&field.ty, value),
            None => usize::from(!unread),
        };
    }
    let given =
        |field: &Field| members.iter().any(|(name, value)| *name == field.name && *value != Json::Null);
    wrong + known.fields.iter().filter(|field| field.required && !given(field)).count()
}

fn of_type(ty: &Type, value: &Json) -> usize {
    match (ty, value) {
        (Type::Integer { min, max }, Json::Number(number)) => {
            usize::from(number.fract() != 0.0 || !(*min as f64..=*max as f64).contains(number))
        }
        (Type::Number, Json::Number(number)) => usize::from(!number.is_finite()),
        (Type::Boolean, Json::Boolean(_)) => 0,
        (Type::String(format), Json::Text(text)) => {
            usize::from(text.contains('\0') || !has_format(*format, text))
        }
        (Type::Array(array), Json::Array(items)) => of_array(array, items),
        (Type::Object(of), value) => object(Members::of(of), value),
        (Type::Union(union), value) => {
            let tag = value.get(&union.tag.name).and_then(Json::text);
            let variant = union.variants.iter().find(|variant| Some(variant.tag.as_ref()) == tag);
            let untold = Members {
                fields: core::slice::from_ref(&union.tag),
                unread: &union.variants,
                tag: Some(union),
            };
            object(variant.map_or(untold, |variant| Members::of(&variant.object)), value)
        }
        _ => 1,
    }
}

fn of_array(array: &Array, items: &[Json]) -> usize {
    let own: usize = items.iter().map(|item| of_type(&array.items, item)).sum();
    let count = items.len();
    own + match array.rule {
        ArrayRule::Any => 0,
        // An item that is not an integer in the range has only that issue.
        ArrayRule::Unique => (0..count)
            .filter(|at| of_type(&array.items, &items[*at]) == 0 && items[..*at].contains(&items[*at]))
            .count(),
        ArrayRule::EmptyOr(exact) => usize::from(count != 0 && count != exact),
        ArrayRule::AtMost(max) => usize::from(count > max),
        ArrayRule::OneTo(max) => usize::from(count == 0 || count > max),
    }
}

fn has_format(format: Format, text: &str) -> bool {
    let name = || {
        (1..=256).contains(&text.len()) && !matches!(text, "." | "..") && !text.chars().any(char::is_control)
    };
    match format {
        Format::Text => true,
        Format::Key => name(),
        Format::Id => name() && !endpoint::is_reserved_id(text),
        Format::DateTime => is_moment(text),
    }
}

/// Returns whether the text is a valid time in the form of D6, by counting days.
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
