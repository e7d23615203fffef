//! Converts the operation parameters of operation 1 into conditions (D23).

use crate::contract::error::{Member, Reason};
use crate::contract::limits;
use crate::contract::param::{ParamId, Refusal};
use crate::predicate::{Test, Typed, Value};
use crate::shape::{Content, FieldPath, Shape, ValueForm};
use crate::util::json::canonical;
use crate::validate;

use super::parameters::Params;

/// The arrays of the interface that the parameters name.
const TEXTS: &str = "arrayOfStringExample";
const INTEGERS: &str = "arrayOfIntExample";
const FLOATS: &str = "arrayOfFloatExample";
const NUMBERS: &str = "arrayOfNumberNoDefaultsExample";

/// Returns the conditions of the operation parameters. Adds their problems to those of the parameters.
pub(crate) fn filters(shape: &Shape, params: &mut Params) -> Vec<Typed> {
    let texts =
        |params: &Params, id| params.texts(id).map(|text| Value::Text(text.to_owned())).collect::<Vec<_>>();
    let mut all = texts(params, ParamId::StringParameter);
    all.extend(texts(params, ParamId::ArrayOfString));
    let any = texts(params, ParamId::ArrayOfStringWithDescription);
    let int = params.whole(ParamId::IntegerParameter).map(|int| int as f64);
    let mut parts =
        vec![contains(shape, TEXTS, all, Test::ContainsAll), contains(shape, TEXTS, any, Test::ContainsAny)];
    for (name, number) in [
        (INTEGERS, int),
        (FLOATS, params.float(ParamId::FloatParameter)),
        (NUMBERS, params.float(ParamId::WithMarkdownDescription)),
    ] {
        let numbers = number.into_iter().map(Value::Number).collect();
        parts.push(contains(shape, name, numbers, Test::ContainsAll));
    }
    let text = params.texts(ParamId::ObjectParameter).next();
    let object = text.map(|text| validate::arrays_input(shape, text.as_bytes()));
    match object.map(|arrays| arrays.map(|arrays| occurring(shape, &arrays))) {
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
fn occurring(shape: &Shape, arrays: &Content) -> Option<Vec<Typed>> {
    let mut left = limits::OBJECT_ITEMS;
    let mut parts = Vec::new();
    for (name, array) in arrays.iter() {
        // Equal items have the same text, because it is canonical.
        let items = distinct(canonical::items(array), &mut left)?;
        let Some(path) = path(shape, name).filter(|_| !items.is_empty()) else { continue };
        let test = if path.form == ValueForm::Object {
            Test::ContainsItems(items.into_iter().map(str::to_owned).collect())
        } else {
            Test::ContainsAll(items.into_iter().filter_map(|item| Value::read(path.form, item)).collect())
        };
        parts.push(Typed::Test { path, test });
    }
    Some(parts)
}

/// Removes duplicate items. Returns `None` if there are more than `left`, which the items reduce. So few need no
/// sorting.
fn distinct<'t>(items: impl Iterator<Item = &'t str>, left: &mut usize) -> Option<Vec<&'t str>> {
    let mut found: Vec<&str> = Vec::new();
    for item in items {
        if !found.contains(&item) {
            *left = left.checked_sub(1)?;
            found.push(item);
        }
    }
    Some(found)
}

/// Returns the condition on the values of an array. Without values, there is none.
fn contains(shape: &Shape, name: &str, values: Vec<Value>, test: fn(Vec<Value>) -> Test) -> Typed {
    let path = path(shape, name).filter(|_| !values.is_empty());
    path.map_or(Typed::True, |path| Typed::Test { path, test: test(values) })
}

fn path(shape: &Shape, name: &str) -> Option<FieldPath> {
    shape.field_of(None, name)?.path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::param;
    use crate::test;
    use crate::util::percent;

    fn conditions(json: &str) -> Vec<Typed> {
        let mut query = "objectParameter=".to_owned();
        percent::encode(&mut query, json);
        let mut params = Params::decode(&[param::QUERY_PARAMS], &query);
        let parts = filters(&Shape::built_in(), &mut params);
        assert!(params.finish().is_ok(), "{json}");
        parts.into_iter().filter(|part| *part != Typed::True).collect()
    }

    #[test]
    fn equal_items_of_the_object_parameter_are_one_condition() {
        let item = r#"{"integerExample":2,"integerExampleInt32":1}"#;
        let same = r#"{ "integerExampleInt32": 1e0, "integerExample": 2.0 }"#;
        let open = r#"{"integerExampleInt32":null}"#;
        let found = conditions(&format!(r#"{{"arrayOfObjectType":[{item},{same},{open},{{}}]}}"#));
        let Typed::Test { path, test } = &found[0] else { panic!("{found:?}") };
        assert_eq!((path.name(), found.len()), ("arrayOfObjectType", 1));
        assert_eq!(*test, Test::ContainsItems(vec![item.to_owned(), "{}".to_owned()]));
    }

    #[test]
    fn items_of_the_object_parameter_are_values_of_their_fields() {
        let found = conditions(
            r#"{"arrayOfStringExample":["a\"b","a\u0022b"],"arrayOfFloatExample":[0.5,-0.0,0],"arrayOfIntExample":[]}"#,
        );
        let values = |values: &[Value]| Test::ContainsAll(values.to_vec());
        let tests: Vec<Test> = found
            .into_iter()
            .map(|part| match part {
                Typed::Test { test, .. } => test,
                other => panic!("{other:?}"),
            })
            .collect();
        let numbers = values(&[Value::Number(0.5), Value::Number(0.0)]);
        assert_eq!(tests, [values(&[Value::Text("a\"b".to_owned())]), numbers]);
    }
}
