//! Converts the operation parameters of operation 1 into conditions (D23).

use crate::contract::error::Member;
use crate::contract::field::FieldPath;
use crate::contract::limits;
use crate::contract::model::ArraysInput;
use crate::contract::param::{ParamId, Refusal};
use crate::contract::reason::Reason;
use crate::contract::schema::Slot;
use crate::predicate::{Test, Typed, Value};
use crate::validate;

use super::params::Params;

/// Returns the conditions of the operation parameters. Adds their problems to those of the parameters.
pub(super) fn filters(params: &mut Params) -> Vec<Typed> {
    let texts =
        |params: &Params, id| params.texts(id).map(|text| Value::Text(text.to_owned())).collect::<Vec<_>>();
    let mut all = texts(params, ParamId::StringParameter);
    all.extend(texts(params, ParamId::ArrayOfString));
    let any = texts(params, ParamId::ArrayOfStringWithDescription);
    let int = params.whole(ParamId::IntegerParameter).map(|int| int as f64);
    let mut parts = vec![contains_all(Slot::ArrayOfString, all)];
    if !any.is_empty() {
        parts.push(test(FieldPath::of(Slot::ArrayOfString), Test::ContainsAny(any)));
    }
    for (slot, number) in [
        (Slot::ArrayOfInt, int),
        (Slot::ArrayOfFloat, params.float(ParamId::FloatParameter)),
        (Slot::ArrayOfNumberNoDefaults, params.float(ParamId::WithMarkdownDescription)),
    ] {
        parts.push(contains_all(slot, number.into_iter().map(Value::Number).collect()));
    }
    let object =
        params.texts(ParamId::ObjectParameter).next().map(|text| validate::arrays_input(text.as_bytes()));
    match object.map(|arrays| arrays.map(occurring)) {
        None => {}
        Some(Ok(None)) => {
            let most = limits::OBJECT_ITEMS;
            let refusal = Refusal::new(Reason::Count, format!("expected at most {most} distinct items"));
            params.wrong(ParamId::ObjectParameter, refusal.with_integer(Member::MaxItems, most as i64));
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
fn occurring(arrays: ArraysInput) -> Option<Vec<Typed>> {
    let ArraysInput { ints, unique_ints, two_numbers, floats, numbers, strings, objects } = arrays;
    let whole = |items: Option<Vec<i64>>| {
        items.into_iter().flatten().map(|item| Value::Number(item as f64)).collect()
    };
    let real = |items: Option<Vec<f64>>| items.into_iter().flatten().map(Value::Number).collect();
    let mut left = limits::OBJECT_ITEMS;
    let mut parts = Vec::new();
    for (slot, values) in [
        (Slot::ArrayOfInt, whole(ints)),
        (Slot::ArrayOfUniqueInt, whole(unique_ints)),
        (Slot::ArrayOfTwonumbers, whole(two_numbers)),
        (Slot::ArrayOfFloat, real(floats)),
        (Slot::ArrayOfNumberNoDefaults, real(numbers)),
        (Slot::ArrayOfString, strings.into_iter().flatten().map(Value::Text).collect()),
    ] {
        parts.push(contains_all(slot, distinct(values, &mut left)?));
    }
    let objects = distinct(objects.unwrap_or_default(), &mut left)?;
    if !objects.is_empty() {
        parts.push(test(FieldPath::of(Slot::ArrayOfObjectType), Test::ContainsItems(objects)));
    }
    Some(parts)
}

/// Removes duplicate items. Returns `None` if there are more than `left`, which the items reduce. So few need no sorting.
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

fn contains_all(slot: Slot, values: Vec<Value>) -> Typed {
    if values.is_empty() { Typed::True } else { test(FieldPath::of(slot), Test::ContainsAll(values)) }
}

fn test(path: FieldPath, test: Test) -> Typed {
    Typed::Test { path, test }
}
