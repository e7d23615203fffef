//! Operation 1's own parameters as parts of the condition (D23).

use core::cmp::Ordering;

use crate::contract::field::FieldPath;
use crate::contract::limits;
use crate::contract::model::ArraysInput;
use crate::contract::param::ParamId;
use crate::contract::schema::Slot;
use crate::predicate::{Test, Typed, Value};
use crate::validate;

use super::params::Params;

/// The conditions that the parameters put on a result; what is wrong with them is noted among the parameters.
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
        Some(Ok((_, count))) if count > limits::OBJECT_ITEMS => {
            let reason = format!("expected {} distinct items at most, found {count}", limits::OBJECT_ITEMS);
            params.wrong(ParamId::ObjectParameter, reason);
        }
        Some(Ok((occur, _))) => parts.extend(occur),
        Some(Err(rejection)) => {
            let summary = rejection.summary();
            params.wrong(ParamId::ObjectParameter, summary.strip_suffix('.').unwrap_or(&summary).to_owned());
        }
    }
    parts
}

/// Every item of every array occurs; and how many distinct items there are.
fn occurring(arrays: ArraysInput) -> (Vec<Typed>, usize) {
    let ArraysInput { ints, unique_ints, two_numbers, floats, numbers, strings, objects } = arrays;
    let whole = |items: Option<Vec<i64>>| distinct(items, Ord::cmp, |item| *item as f64);
    // The sum turns negative zero into zero.
    let real = |items: Option<Vec<f64>>| {
        distinct(items, |one, other| (one + 0.0).total_cmp(&(other + 0.0)), |item| item + 0.0)
    };
    let mut strings = strings.unwrap_or_default();
    strings.sort_unstable();
    strings.dedup();
    let lists = [
        (Slot::ArrayOfInt, whole(ints)),
        (Slot::ArrayOfUniqueInt, whole(unique_ints)),
        (Slot::ArrayOfTwonumbers, whole(two_numbers)),
        (Slot::ArrayOfFloat, real(floats)),
        (Slot::ArrayOfNumberNoDefaults, real(numbers)),
        (Slot::ArrayOfString, strings.into_iter().map(Value::Text).collect()),
    ];
    let mut objects = objects.unwrap_or_default();
    objects.sort_unstable_by_key(|item| (item.integer_example, item.integer_example_int32));
    objects.dedup();
    let count = lists.iter().map(|(_, values)| values.len()).sum::<usize>() + objects.len();
    let mut parts: Vec<Typed> = lists.into_iter().map(|(slot, values)| contains_all(slot, values)).collect();
    if !objects.is_empty() {
        parts.push(test(FieldPath::of(Slot::ArrayOfObjectType), Test::ContainsItems(objects)));
    }
    (parts, count)
}

/// The items in ascending order, equal ones once.
fn distinct<T>(
    items: Option<Vec<T>>,
    order: impl Fn(&T, &T) -> Ordering,
    number: impl Fn(&T) -> f64,
) -> Vec<Value> {
    let mut items = items.unwrap_or_default();
    items.sort_unstable_by(&order);
    items.dedup_by(|one, other| order(one, other) == Ordering::Equal);
    items.iter().map(|item| Value::Number(number(item))).collect()
}

fn contains_all(slot: Slot, values: Vec<Value>) -> Typed {
    if values.is_empty() { Typed::True } else { test(FieldPath::of(slot), Test::ContainsAll(values)) }
}

fn test(path: FieldPath, test: Test) -> Typed {
    Typed::Test { path, test }
}
