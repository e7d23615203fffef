use proptest::prelude::*;
use serde_json::{Value, json};

use super::model::{Action, Person, Record, ResourceInput, UpdateInput};
use super::types::{Object, Type};
use super::{SHAPE, generate, object};
use crate::shape::ObjectId;
use crate::shape::built_in::WRAPPER;
use crate::test;
use crate::util::json;
use crate::validate::{Rejection, Verdict, arrays_input, resource_input, update_input, validate};

/// Returns the member's value; `None` if it is absent or null.
fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name).filter(|value| !value.is_null())
}

fn text(value: &Value, name: &str) -> Option<String> {
    member(value, name).map(|text| text.as_str().unwrap().to_owned())
}

fn integer(value: &Value) -> i64 {
    let double = value.as_f64().unwrap();
    assert!(double.fract() == 0.0);
    double as i64
}

/// Returns the value as canonical JSON, written by its type.
fn canonical(ty: &Type, value: &Value) -> String {
    let mut out = String::new();
    match ty {
        Type::Integer { .. } => json::integer(&mut out, integer(value)),
        Type::Number => json::number(&mut out, value.as_f64().unwrap()),
        Type::Boolean => json::boolean(&mut out, value.as_bool().unwrap()),
        Type::String(_) => json::string(&mut out, value.as_str().unwrap()),
        Type::Array(array) => json::array(&mut out, value.as_array().unwrap(), |out, item| {
            out.push_str(&canonical(&array.items, item));
        }),
        Type::Object(object) => {
            let members = object.fields.iter().filter_map(|field| {
                let value = canonical(&field.ty, member(value, &field.name)?);
                Some(format!("\"{}\":{value}", field.name))
            });
            return format!("{{{}}}", members.collect::<Vec<_>>().join(","));
        }
        Type::Union(_) => panic!("no field of the content is a union"),
    }
    out
}

/// Returns the content that an object has in its own fields, in the order of its members.
fn content(object: &Object, value: &Value) -> Vec<(String, String)> {
    let members = value.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
    let named = members.filter_map(|(name, value)| {
        let is_content = SHAPE.content_field(name).is_some();
        is_content.then(|| (name.clone(), canonical(&object.field(name).unwrap().ty, value)))
    });
    named.collect()
}

fn person(value: &Value, name: &str) -> Option<Person> {
    member(value, name)
        .map(|person| Person { first_name: text(person, "firstName"), last_name: text(person, "lastName") })
}

/// Returns the input with its content in the order of names: a body may have its fields in any order.
fn sorted(mut input: ResourceInput) -> ResourceInput {
    let mut fields: Vec<(String, String)> =
        input.content.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    fields.sort();
    input.content = fields.into_iter().collect();
    input
}

fn resource(object: &Object, value: &Value) -> ResourceInput {
    let mut fields = content(object, value);
    if let Some(arrays) = member(value, WRAPPER) {
        fields.extend(content(super::object(ObjectId::Arrays), arrays));
    }
    sorted(ResourceInput {
        id: text(value, "id"),
        version: member(value, "version").and_then(|version| match version {
            Value::String(text) if !text.is_empty() && text.chars().all(|char| char.is_ascii_digit()) => {
                Some(text.parse().unwrap_or(u64::MAX))
            }
            Value::String(_) => None,
            number => Some(u64::try_from(integer(number)).unwrap()),
        }),
        key: text(value, "key"),
        created_by: person(value, "createdBy"),
        last_modified_by: person(value, "lastModifiedBy"),
        content: fields.into_iter().collect(),
    })
}

fn update(value: &Value) -> UpdateInput {
    let action = |action: &Value| match text(action, "action").as_deref() {
        Some("changeSomeProperty") => Action::Set {
            field: "someProperty".to_owned(),
            value: Some(canonical(&super::types::TEXT, &action["someProperty"])),
        },
        _ => Action::Nothing,
    };
    UpdateInput {
        version: u64::try_from(integer(&value["version"])).unwrap(),
        actions: value["actions"].as_array().unwrap().iter().map(action).collect(),
    }
}

fn read(id: ObjectId, body: &str) -> Result<ResourceInput, Rejection> {
    resource_input(&SHAPE, id, body.as_bytes()).map(sorted)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_valid_resource_body_reads_as_a_tree_of_values_does(
        (id, body) in prop::sample::select(vec![ObjectId::Draft, ObjectId::Overwrite, ObjectId::Complex])
            .prop_flat_map(|id| (Just(id), generate::body(object(id)))),
    ) {
        let expected = resource(object(id), &serde_json::from_str(&body).unwrap());
        prop_assert_eq!(read(id, &body), Ok(expected), "{}", body);
    }

    #[test]
    fn a_valid_update_reads_as_a_tree_of_values_does(body in generate::body(object(ObjectId::Update))) {
        let expected = update(&serde_json::from_str(&body).unwrap());
        prop_assert_eq!(update_input(&SHAPE, body.as_bytes()), Ok(expected), "{}", body);
    }

    #[test]
    fn valid_arrays_read_as_a_tree_of_values_does(body in generate::body(object(ObjectId::Arrays))) {
        let arrays = object(ObjectId::Arrays);
        let expected = resource(arrays, &serde_json::from_str(&body).unwrap()).content;
        let content = arrays_input(&SHAPE, body.as_bytes()).unwrap();
        prop_assert_eq!(sorted(ResourceInput { content, ..ResourceInput::default() }).content, expected, "{}", body);
    }

    #[test]
    fn a_stored_record_is_read_back_and_may_be_sent_back(record in generate::record(&SHAPE)) {
        let text = record.to_json(&SHAPE);
        prop_assert_eq!(Record::read(&SHAPE, &text), Some(record), "{}", &text);
        prop_assert_eq!(validate(object(ObjectId::Overwrite), text.as_bytes(), &mut Verdict), Ok(()));
    }

    #[test]
    fn a_record_cut_short_is_none(record in generate::record(&SHAPE), at in any::<prop::sample::Index>()) {
        let text = record.to_json(&SHAPE);
        let end = (0..=at.index(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap();
        prop_assert_eq!(Record::read(&SHAPE, text.get(..end).unwrap()), None);
    }
}

#[test]
fn a_record_lacks_nothing_that_is_always_stored() {
    let full = r#"{"id":"a","version":1,"createdAt":"2024-01-01T00:00:00.000Z","lastModifiedAt":"2024-01-01T00:00:00.000Z","objectTypeProperty":{"arrayOfIntExample":[],"arrayOfUniqueIntExample":[],"arrayOfTwonumbersExample":[],"arrayOfFloatExample":[],"arrayOfNumberNoDefaultsExample":[],"arrayOfStringExample":[],"arrayOfObjectType":[]}}"#;
    assert!(Record::read(&SHAPE, full).is_some());
    for gone in [
        "\"id\":\"a\",",
        "\"version\":1,",
        "\"createdAt\":\"2024-01-01T00:00:00.000Z\",",
        "\"lastModifiedAt\":\"2024-01-01T00:00:00.000Z\",",
    ] {
        assert_eq!(Record::read(&SHAPE, &full.replace(gone, "")), None, "{gone}");
    }
    assert_eq!(Record::read(&SHAPE, ""), None);
    assert_eq!(Record::read(&SHAPE, "{}"), None);
}

#[test]
fn the_complex_bodys_version_is_an_expectation_only_as_a_decimal_integer() {
    for (text, expected) in [
        ("1", Some(1)),
        ("0", Some(0)),
        ("007", Some(7)),
        ("9007199254740991", Some(9_007_199_254_740_991)),
        ("9007199254740992", Some(9_007_199_254_740_992)),
        ("99999999999999999999999999", Some(u64::MAX)),
        ("", None),
        ("+1", None),
        ("-1", None),
        ("1.0", None),
        ("1 ", None),
        ("v1", None),
        ("١", None),
    ] {
        let body = format!("{{\"version\":\"{text}\"}}");
        assert_eq!(read(ObjectId::Complex, &body).unwrap().version, expected, "{text}");
    }
}

#[test]
fn empty_objects_and_arrays_are_distinguished_from_absent_ones() {
    let body = r#"{"createdBy":{},"lastModifiedBy":null,"objectTypeProperty":{"arrayOfIntExample":[],"arrayOfStringExample":null}}"#;
    let input = read(ObjectId::Draft, body).unwrap();
    assert_eq!((input.created_by, input.last_modified_by), (Some(Person::default()), None));
    let content = input.content;
    assert_eq!(content.get("arrayOfIntExample"), Some("[]"));
    assert_eq!(content.get("arrayOfStringExample"), None);
}

#[test]
fn a_zero_has_no_sign() {
    let text = br#"{"arrayOfFloatExample":[-0.0,-0,-1e-999],"arrayOfIntExample":[-0.0,-0]}"#;
    let arrays = arrays_input(&SHAPE, text).unwrap();
    assert_eq!(arrays.get("arrayOfFloatExample"), Some("[0,0,0]"));
    assert_eq!(arrays.get("arrayOfIntExample"), Some("[0,0]"));
}

#[test]
fn members_of_a_value_get_the_order_of_the_shape() {
    let text =
        br#"{"arrayOfObjectType":[{"integerExampleInt32":1,"integerExample":2},{},{"integerExample":3}]}"#;
    let arrays = arrays_input(&SHAPE, text).unwrap();
    let expected = r#"[{"integerExample":2,"integerExampleInt32":1},{},{"integerExample":3}]"#;
    assert_eq!(arrays.get("arrayOfObjectType"), Some(expected));
}

#[test]
fn every_variant_of_the_shape_becomes_its_own_action() {
    let body = br#"{"actions":[{"action":"doSomeThing"},{"someProperty":"","action":"changeSomeProperty"}],"version":3}"#;
    let set = |field: &str, value: Option<&str>| Action::Set {
        field: field.to_owned(),
        value: value.map(str::to_owned),
    };
    let change = set("someProperty", Some("\"\""));
    let expected = UpdateInput { version: 3, actions: vec![Action::Nothing, change] };
    assert_eq!(update_input(&SHAPE, body), Ok(expected));
    let prices = json!({"type": "array", "items": {"type": "number"}});
    let schema = json!({"type": "object", "properties": {"title": {"type": "string"}, "prices": prices}});
    let shape = crate::shape::Shape::of_schema(&schema.to_string()).unwrap();
    let body = br#"{"version":1,"actions":[{"prices":[1.50],"action":"setPrices"},{"action":"setTitle","title":null}]}"#;
    let actions = vec![set("prices", Some("[1.5]")), set("title", None)];
    assert_eq!(update_input(&shape, body), Ok(UpdateInput { version: 1, actions }));
}
