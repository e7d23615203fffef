//! Evaluates conditions on resources (contract, section 5): on their texts as JSON, of the interface's shape and of
//! declared ones.

use std::cmp::Ordering;

use resource_edge::predicate::{Comparison, Test, Typed, Value};
use resource_edge::shape::built_in::{TWO_NUMBERS, WRAPPER};
use serde_json::Value as Json;

use super::fields::{Found, compare, find};

/// The mean radius of the earth in meters (contract, section 5).
pub const EARTH: f64 = 6_371_008.8;

pub fn holds(condition: &Typed, body: &Json) -> bool {
    holds_about(condition, body, body, 0)
}

/// Returns whether the condition is true for the resource, or for an item of the array that so many names lead to.
fn holds_about(condition: &Typed, body: &Json, about: &Json, depth: usize) -> bool {
    match condition {
        Typed::True => true,
        Typed::False => false,
        Typed::And(parts) => parts.iter().all(|part| holds_about(part, body, about, depth)),
        Typed::Or(parts) => parts.iter().any(|part| holds_about(part, body, about, depth)),
        Typed::Not(inner) => !holds_about(inner, body, about, depth),
        Typed::Element { path, condition } => {
            let inside = path.name().split('.').count();
            find(about, path, depth).objects().any(|item| holds_about(condition, body, item, inside))
        }
        Typed::Test { path, test } => test_holds(test, body, &find(about, path, depth)),
    }
}

fn test_holds(test: &Test, body: &Json, found: &Found<'_>) -> bool {
    let any = |is_wanted: &dyn Fn(&Value) -> bool| found.values().iter().any(is_wanted);
    let has = |wanted: &Value| any(&|value| compare(value, wanted) == Ordering::Equal);
    match test {
        Test::Compare(Comparison::Ne, wanted) => !has(wanted),
        Test::Compare(comparison, wanted) => any(&|value| satisfies(compare(value, wanted), *comparison)),
        Test::In(wanted) | Test::ContainsAny(wanted) => wanted.iter().any(has),
        Test::NotIn(wanted) => !wanted.iter().any(has),
        Test::ContainsAll(wanted) => wanted.iter().all(has),
        Test::Between(intervals) => intervals.iter().any(|interval| {
            let is_within = |bound: &Option<Value>, value: &Value, outside: Ordering| {
                bound.as_ref().is_none_or(|bound| compare(value, bound) != outside)
            };
            any(&|value| {
                is_within(&interval.from, value, Ordering::Less)
                    && is_within(&interval.to, value, Ordering::Greater)
            })
        }),
        Test::IsEmpty => found.is_empty(),
        Test::IsNotEmpty => !found.is_empty(),
        Test::IsDefined => found.is_defined(),
        Test::IsNotDefined => !found.is_defined(),
        Test::MatchesIgnoreCase(wanted) => {
            any(&|value| matches!(value, Value::Text(found) if looks_the_same(found, wanted)))
        }
        Test::WithinCircle { longitude, latitude, metres } => {
            distance(body, *longitude, *latitude).is_some_and(|distance| distance <= *metres)
        }
        Test::ContainsItems(wanted) => {
            let item = |item: &String| serde_json::from_str(item).expect("an item is JSON");
            wanted.iter().all(|wanted| {
                let wanted: Json = item(wanted);
                found.objects().any(|object| *object == wanted)
            })
        }
    }
}

/// Another implementation of case folding and composition, behind a short reading of what else is equal.
fn looks_the_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| -> String {
        let text = text.replace("i\u{307}", "i").replace("I\u{307}", "I");
        let seen = text.chars().filter(|c| !['\u{ad}', '\u{200b}', '\u{200c}', '\u{feff}'].contains(c));
        seen.map(|c| match c {
            '\u{a0}' | '\u{3000}' => ' ',
            'ı' | 'İ' => 'i',
            '‘' | '’' => '\'',
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).expect("a character of ASCII"),
            other => other,
        })
        .collect()
    };
    caseless::canonical_caseless_match_str(&plain(one), &plain(other))
}

fn satisfies(order: Ordering, comparison: Comparison) -> bool {
    match comparison {
        Comparison::Eq => order == Ordering::Equal,
        Comparison::Ne => order != Ordering::Equal,
        Comparison::Lt => order == Ordering::Less,
        Comparison::Le => order != Ordering::Greater,
        Comparison::Gt => order == Ordering::Greater,
        Comparison::Ge => order != Ordering::Less,
    }
}

/// Returns the distance from the record's place in meters; `None` if it has no place. Computed as the angle between two
/// vectors, not with the formula of the SQL.
fn distance(body: &Json, longitude: f64, latitude: f64) -> Option<f64> {
    let place = body[WRAPPER][TWO_NUMBERS].as_array()?;
    let [x, y] = place.as_slice() else { return None };
    let [one, other] = [vector(x.as_f64()?, y.as_f64()?), vector(longitude, latitude)];
    let dot: f64 = one.iter().zip(other).map(|(one, other)| one * other).sum();
    let cross = [
        one[1] * other[2] - one[2] * other[1],
        one[2] * other[0] - one[0] * other[2],
        one[0] * other[1] - one[1] * other[0],
    ];
    let cross: f64 = cross.iter().map(|part| part * part).sum::<f64>().sqrt();
    Some(EARTH * cross.atan2(dot))
}

fn vector(longitude: f64, latitude: f64) -> [f64; 3] {
    let (longitude, latitude) = (longitude.to_radians(), latitude.to_radians());
    [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
}

/// Returns whether the resource is on the edge of a circle in the condition, within the precision of doubles.
pub fn lies_on_an_edge(condition: &Typed, body: &Json) -> bool {
    match condition {
        Typed::And(parts) | Typed::Or(parts) => parts.iter().any(|part| lies_on_an_edge(part, body)),
        Typed::Not(inner) => lies_on_an_edge(inner, body),
        Typed::Test { test: Test::WithinCircle { longitude, latitude, metres }, .. } => {
            distance(body, *longitude, *latitude).is_some_and(|distance| {
                // On the other side of the earth, a meter changes the sine of the angle by less than a double can
                // express.
                let doubt = if distance > 3.1 * EARTH { 1.0 } else { 1e-6 };
                (distance - metres).abs() <= doubt
            })
        }
        _ => false,
    }
}
