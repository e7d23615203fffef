//! Converts the operation parameters of operation 1 into conditions (D23).

use crate::contract::error::{Member, Reason};
use crate::contract::limits;
use crate::contract::param::{ParamId, Refusal};
use crate::contract::resource::{Content, FieldId, FieldPath, FieldValues};
use crate::predicate::{Test, Typed, Value};
use crate::validate;

use super::parameters::Params;

/// Returns the conditions of the operation parameters. Adds their problems to those of the parameters.
pub(crate) fn filters(params: &mut Params) -> Vec<Typed> {
    let texts =
        |params: &Params, id| params.texts(id).map(|text| Value::Text(text.to_owned())).collect::<Vec<_>>();
    let mut all = texts(params, ParamId::StringParameter);
    all.extend(texts(params, ParamId::ArrayOfString));
    let any = texts(params, ParamId::ArrayOfStringWithDescription);
    let int = params.whole(ParamId::IntegerParameter).map(|int| int as f64);
    let mut parts = vec![contains_all(FieldId::ArrayOfString, all)];
    if !any.is_empty() {
        parts.push(test(FieldPath::of(FieldId::ArrayOfString), Test::ContainsAny(any)));
    }
    for (id, number) in [
        (FieldId::ArrayOfInt, int),
        (FieldId::ArrayOfFloat, params.float(ParamId::FloatParameter)),
        (FieldId::ArrayOfNumberNoDefaults, params.float(ParamId::WithMarkdownDescription)),
    ] {
        parts.push(contains_all(id, number.into_iter().map(Value::Number).collect()));
    }
    let object =
        params.texts(ParamId::ObjectParameter).next().map(|text| validate::arrays_input(text.as_bytes()));
    match object.map(|arrays| arrays.map(|arrays| occurring(&arrays))) {
        None => {}
        Some(Ok(None)) => {
            let max = limits::OBJECT_ITEMS;
            let refusal = Refusal::new(Reason::Count, format!("expected at most {max} distinct items"));
            params.wrong(ParamId::ObjectParameter, refusal.with(Member::MaxItems, max as i64));
        }
        Some(Ok(Some(occur))) => parts.extend(occur),
        Some(Err(rejection)) => {
            let first = rejection.into_first();
            let sentence = first.message.strip_suffix('.').unwrap_or(&first.message).to_owned();
            params.wrong(ParamId::ObjectParameter, Refusal { sentence, members: first.members });
        }
    }
    parts
}

/// Returns the condition that every item of every array occurs. `None` if there are more distinct items than the limit.
fn occurring(arrays: &Content) -> Option<Vec<Typed>> {
    let mut left = limits::OBJECT_ITEMS;
    let mut parts = Vec::new();
    for (id, values) in arrays.iter() {
        let values = match values {
            FieldValues::Objects(items) => {
                let items = distinct(items.clone(), &mut left)?;
                if !items.is_empty() {
                    parts.push(test(FieldPath::of(id), Test::ContainsItems(items)));
                }
                continue;
            }
            FieldValues::Texts(texts) => texts.iter().cloned().map(Value::Text).collect(),
            FieldValues::Integers(integers) => {
                integers.iter().map(|integer| Value::Number(*integer as f64)).collect()
            }
            FieldValues::Numbers(numbers) => numbers.iter().copied().map(Value::Number).collect(),
            FieldValues::Booleans(booleans) => booleans.iter().copied().map(Value::Boolean).collect(),
            FieldValues::DateTimes(instants) => instants.iter().copied().map(Value::DateTime).collect(),
        };
        parts.push(contains_all(id, distinct(values, &mut left)?));
    }
    Some(parts)
}

/// Removes duplicate items. Returns `None` if there are more than `left`, which the items reduce. So few need no
/// sorting.
fn distinct<T: PartialEq>(items: Vec<T>, left: &mut usize) -> Option<Vec<T>> {
    let mut found: Vec<T> = Vec::new();
    for item in items {
        if !found.contains(&item) {
            *left = left.checked_sub(1)?;
            found.push(item);
        }
    }
    Some(found)
}

fn contains_all(id: FieldId, values: Vec<Value>) -> Typed {
    if values.is_empty() { Typed::True } else { test(FieldPath::of(id), Test::ContainsAll(values)) }
}

fn test(path: FieldPath, test: Test) -> Typed {
    Typed::Test { path, test }
}
