//! Example values of the fields of a declared resource: what the deployment wrote, or else a value that its rules
//! allow.

use crate::contract::error::Member;
use crate::contract::limits;
use crate::shape::rules::{RuleSet, Rules, TextFormat};
use crate::shape::types::{Array, Field, Object, Type};
use crate::util::json::canonical;
use crate::util::number;

use super::json_value::JsonValue;

/// The most characters of a text, and the most items of a list, that an example has.
const LENGTH: usize = 80;
const ITEMS: usize = 4;

/// Returns an example of a field; `None` if there is no simple one. `text` is the schema that the deployment wrote.
pub(super) fn of_field(field: &Field, text: &str) -> Option<JsonValue> {
    of(&field.ty, &field.rules, text, 0)
}

/// Returns a list with one item of a field.
pub(super) fn of_list(field: &Field, text: &str) -> Option<JsonValue> {
    let Type::Array(array) = &field.ty else { return None };
    Some(vec![of_item(array, text, 0)?].into())
}

/// Returns an example, with another for each place in a list if the values allow it.
fn of(ty: &Type, rules: &Rules, text: &str, place: usize) -> Option<JsonValue> {
    let written = |json: &str| JsonValue::Written(json.to_owned());
    let is_value = |json: &&str| *json != "null";
    let examples = canonical::member(text, "examples").unwrap_or_default();
    if let Some(example) = canonical::items(examples).filter(is_value).nth(place) {
        return Some(written(example));
    }
    if let Some(default) = canonical::member(text, "default").filter(is_value).filter(|_| place == 0) {
        return Some(written(default));
    }
    let none = RuleSet::default();
    let rules = rules.get().unwrap_or(&none);
    if let Some(choices) = &rules.choices {
        return choices.get(place).map(|choice| written(choice));
    }
    match ty {
        Type::Integer { min, max } => {
            // Without a bound of the deployment, the bound of the type is far away.
            let bounds =
                [*min, *max].map(|bound| Some(bound as f64).filter(|_| bound.abs() < limits::INTEGER_MAX));
            let value = of_number(rules, bounds, place).filter(|value| value.fract() == 0.0)?;
            Some((value as i64).into())
        }
        Type::Number => {
            let bounds = [
                rules.bound(Member::Minimum).or(rules.bound(Member::ExclusiveMinimum)),
                rules.bound(Member::Maximum).or(rules.bound(Member::ExclusiveMaximum)),
            ];
            of_number(rules, bounds, place).map(Into::into)
        }
        Type::Boolean => Some(place.is_multiple_of(2).into()),
        Type::String(_) => of_text(rules, place).map(Into::into),
        Type::Array(array) => of_array(array, rules, text),
        Type::Object(object) => of_object(object, text),
        Type::Union(_) => None,
    }
}

/// Returns the first number that satisfies the rules. `bounds`: the least and the greatest, if there are such.
fn of_number(rules: &RuleSet, bounds: [Option<f64>; 2], place: usize) -> Option<f64> {
    let [least, most] = bounds;
    let step = rules.bound(Member::MultipleOf).unwrap_or(1.0);
    let lowest = least.unwrap_or(0.0);
    let above = [6.0, 1.0, 0.0].map(|steps| ((lowest / step).floor() + place as f64 + steps) * step);
    let highest = most.unwrap_or(0.0);
    let below = [0.0, 1.0].map(|steps| ((highest / step).floor() - place as f64 - steps) * step);
    let others = [f64::midpoint(lowest, highest), highest, lowest];
    let fits = |value: &f64| {
        let is_within = least.is_none_or(|least| *value >= least) && most.is_none_or(|most| *value <= most);
        is_within && rules.broken_by_number(*value).is_none()
    };
    above.into_iter().chain(below).chain(others).find(fits)
}

/// Returns the bound of a length or a number of items.
fn count(rules: &RuleSet, keyword: Member) -> Option<usize> {
    rules.bound(keyword).map(|bound| bound as usize)
}

fn of_text(rules: &RuleSet, place: usize) -> Option<String> {
    let suffix = if place == 0 { String::new() } else { number::text(place as f64) };
    let mut text = match rules.format {
        Some(TextFormat::DateTime) => "2026-11-19T08:00:00.000Z".to_owned(),
        Some(TextFormat::Date) => "2026-11-19".to_owned(),
        Some(TextFormat::Time) => "08:00:00Z".to_owned(),
        Some(TextFormat::Email) => ["ada", &suffix, "@example.com"].concat(),
        Some(TextFormat::Uri) => ["https://example.com/", &suffix].concat(),
        Some(TextFormat::Uuid) => "00b69035-46e8-7000-8000-000000000001".to_owned(),
        Some(TextFormat::Hostname) => ["www", &suffix, ".example.com"].concat(),
        Some(TextFormat::Ipv4) => "192.0.2.1".to_owned(),
        Some(TextFormat::Ipv6) => "2001:db8::1".to_owned(),
        None => ["red", &suffix].concat(),
    };
    let least = count(rules, Member::MinLength).unwrap_or_default();
    while rules.format.is_none() && text.len() < least.min(LENGTH) {
        text.push('d');
    }
    if rules.format.is_none() && place == 0 {
        text.truncate(count(rules, Member::MaxLength).unwrap_or(text.len()));
    }
    rules.broken_by_text(&text).is_none().then_some(text)
}

fn of_array(array: &Array, rules: &RuleSet, text: &str) -> Option<JsonValue> {
    let count = count(rules, Member::MinItems)
        .unwrap_or_default()
        .max(1)
        .min(count(rules, Member::MaxItems).unwrap_or(ITEMS + 1));
    if count > ITEMS {
        return None;
    }
    let item = |place| of_item(array, text, if rules.unique_items { place } else { 0 });
    let items: Vec<JsonValue> = (0..count).map(item).collect::<Option<_>>()?;
    let is_repeated =
        items.iter().enumerate().any(|(at, item)| items.iter().skip(at + 1).any(|it| it == item));
    (!(rules.unique_items && is_repeated)).then(|| items.into())
}

fn of_item(array: &Array, text: &str, place: usize) -> Option<JsonValue> {
    let text = canonical::member(text, "items").unwrap_or_default();
    of(&array.items, &array.item_rules, text, place)
}

fn of_object(object: &Object, text: &str) -> Option<JsonValue> {
    let texts = canonical::member(text, "properties").unwrap_or_default();
    let mut members = Vec::new();
    for field in &object.fields {
        let text = canonical::member(texts, &field.name).unwrap_or_default();
        match of_field(field, text) {
            Some(value) => members.push((field.name.clone(), value)),
            None if field.required => return None,
            None => {}
        }
    }
    Some(members.into_iter().collect())
}
