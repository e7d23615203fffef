//! Operation 1's own parameters as parts of the condition (D23).

use crate::contract::field::FieldPath;
use crate::contract::model::{ArraysInput, ObjectItem};
use crate::contract::param::ParamId;
use crate::contract::schema::Slot;
use crate::predicate::{Comparison, Test, Typed, Value};
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
    match object {
        None => {}
        Some(Ok(arrays)) => parts.extend(occurring(&arrays)),
        Some(Err(rejection)) => {
            let summary = rejection.summary();
            params.wrong(ParamId::ObjectParameter, summary.strip_suffix('.').unwrap_or(&summary).to_owned());
        }
    }
    parts
}

/// Every item of every array occurs.
fn occurring(arrays: &ArraysInput) -> Vec<Typed> {
    let whole = |items: &Option<Vec<i64>>| -> Vec<Value> {
        items.iter().flatten().map(|item| Value::Number(*item as f64)).collect()
    };
    let real = |items: &Option<Vec<f64>>| -> Vec<Value> {
        items.iter().flatten().map(|item| Value::Number(*item)).collect()
    };
    let texts = arrays.strings.iter().flatten().map(|item| Value::Text(item.clone())).collect();
    let mut parts = vec![
        contains_all(Slot::ArrayOfInt, whole(&arrays.ints)),
        contains_all(Slot::ArrayOfUniqueInt, whole(&arrays.unique_ints)),
        contains_all(Slot::ArrayOfTwonumbers, whole(&arrays.two_numbers)),
        contains_all(Slot::ArrayOfFloat, real(&arrays.floats)),
        contains_all(Slot::ArrayOfNumberNoDefaults, real(&arrays.numbers)),
        contains_all(Slot::ArrayOfString, texts),
    ];
    parts.extend(arrays.objects.iter().flatten().map(item_occurs));
    parts
}

/// An item equal to this one occurs: what it leaves open, the other leaves open too.
fn item_occurs(item: &ObjectItem) -> Typed {
    let fields = [
        (Slot::IntegerExample, item.integer_example.map(|int| int as f64)),
        (Slot::IntegerExampleInt32, item.integer_example_int32.map(f64::from)),
    ];
    let condition = Typed::all(fields.into_iter().map(|(slot, number)| {
        let equal =
            number.map_or(Test::IsNotDefined, |number| Test::Compare(Comparison::Eq, Value::Number(number)));
        test(FieldPath::inside(Slot::ArrayOfObjectType, slot), equal)
    }));
    Typed::Element { path: FieldPath::of(Slot::ArrayOfObjectType), condition: Box::new(condition) }
}

fn contains_all(slot: Slot, values: Vec<Value>) -> Typed {
    if values.is_empty() { Typed::True } else { test(FieldPath::of(slot), Test::ContainsAll(values)) }
}

fn test(path: FieldPath, test: Test) -> Typed {
    Typed::Test { path, test }
}
