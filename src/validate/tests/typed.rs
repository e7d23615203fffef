use proptest::prelude::*;
use serde_json::Value;

use super::generate;
use super::model::{Action, ObjectItem, Person, ResourceInput, UpdateInput};
use super::schema::{
    self, COMPLEX_BODY, FieldId, Format, OBJECT_TEST_TYPE, RESOURCE_DRAFT, RESOURCE_OVERWRITE,
    RESOURCE_UPDATE, Type, UPDATE_ACTION,
};
use crate::contract::resource::{Content, FieldValues};
use crate::test;
use crate::util::time;
use crate::validate::{arrays_input, complex_input, resource_input, stored_record, update_input, validate};

/// Returns the member's value; `None` if it is absent or null.
fn member(value: &Value, id: FieldId) -> Option<&Value> {
    value.get(id.name()).filter(|value| !value.is_null())
}

fn text(value: &Value, id: FieldId) -> Option<String> {
    member(value, id).map(|text| text.as_str().unwrap().to_owned())
}

fn list<T>(value: &Value, id: FieldId, item: impl Fn(&Value) -> T) -> Option<Vec<T>> {
    member(value, id).map(|items| items.as_array().unwrap().iter().map(item).collect())
}

fn integer(value: &Value) -> i64 {
    let double = value.as_f64().unwrap();
    assert!(double.fract() == 0.0);
    double as i64
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn arrays(value: &Value) -> Content {
    let wrapped = FieldId::all().filter(|id| id.is_wrapped());
    wrapped.fold(Content::default(), |content, id| add(content, value, id))
}

/// Adds a field of the content, if the object has it.
fn add(content: Content, object: &Value, id: FieldId) -> Content {
    let Some(found) = member(object, id) else { return content };
    let ty = id.content().unwrap();
    let found = if ty.is_array() { found.as_array().unwrap().clone() } else { vec![found.clone()] };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let values = match ty.item() {
        Type::String(Format::DateTime) => FieldValues::DateTimes(
            found.iter().map(|value| time::parse_signed(&text(value)).unwrap()).collect(),
        ),
        Type::String(_) => FieldValues::Texts(found.iter().map(text).collect()),
        Type::Integer { .. } => FieldValues::Integers(found.iter().map(integer).collect()),
        Type::Number => FieldValues::Numbers(found.iter().map(number).collect()),
        Type::Boolean => FieldValues::Booleans(found.iter().map(|value| value.as_bool().unwrap()).collect()),
        Type::Object(_) => FieldValues::Objects(found.iter().map(object_item).collect()),
        Type::Array(_) | Type::Union(_) => panic!("{id:?}"),
    };
    content.with(id, values)
}

fn object_item(item: &Value) -> ObjectItem {
    ObjectItem {
        integer_example: member(item, FieldId::IntegerExample).map(integer),
        integer_example_int32: member(item, FieldId::IntegerExampleInt32)
            .map(|value| i32::try_from(integer(value)).unwrap()),
    }
}

fn person(value: &Value, id: FieldId) -> Option<Person> {
    member(value, id).map(|person| Person {
        first_name: text(person, FieldId::FirstName),
        last_name: text(person, FieldId::LastName),
    })
}

fn resource(value: &Value) -> ResourceInput {
    let wrapped = member(value, FieldId::ObjectTypeProperty).map(arrays).unwrap_or_default();
    let further = FieldId::all().filter(|id| id.content().is_some() && !id.is_wrapped());
    let content = further.fold(wrapped, |content, id| add(content, value, id));
    ResourceInput {
        id: text(value, FieldId::Id),
        version: member(value, FieldId::Version).and_then(|version| match version {
            Value::String(text) if !text.is_empty() && text.chars().all(|char| char.is_ascii_digit()) => {
                Some(text.parse().unwrap_or(u64::MAX))
            }
            Value::String(_) => None,
            number => Some(u64::try_from(integer(number)).unwrap()),
        }),
        key: text(value, FieldId::Key),
        created_by: person(value, FieldId::CreatedBy),
        last_modified_by: person(value, FieldId::LastModifiedBy),
        content,
    }
}

fn update(value: &Value) -> UpdateInput {
    let action = |action: &Value| match text(action, FieldId::Action).as_deref() {
        Some("changeSomeProperty") => {
            Action::ChangeSomeProperty { some_property: text(action, FieldId::SomeProperty).unwrap() }
        }
        _ => Action::DoSomeThing,
    };
    UpdateInput {
        version: u64::try_from(integer(&value["version"])).unwrap(),
        actions: list(value, FieldId::Actions, action).unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_valid_resource_body_reads_as_a_tree_of_values_does(
        (overwrite, body) in any::<bool>().prop_flat_map(|overwrite| {
            let schema = if overwrite { &RESOURCE_OVERWRITE } else { &RESOURCE_DRAFT };
            (Just(overwrite), generate::body(schema))
        }),
    ) {
        let schema = if overwrite { &RESOURCE_OVERWRITE } else { &RESOURCE_DRAFT };
        let expected = resource(&serde_json::from_str(&body).unwrap());
        prop_assert_eq!(resource_input(schema, body.as_bytes()), Ok(expected), "{}", body);
    }

    #[test]
    fn a_valid_complex_body_reads_as_a_tree_of_values_does(body in generate::body(&COMPLEX_BODY)) {
        let expected = resource(&serde_json::from_str(&body).unwrap());
        prop_assert_eq!(complex_input(body.as_bytes()), Ok(expected), "{}", body);
    }

    #[test]
    fn a_valid_update_reads_as_a_tree_of_values_does(body in generate::body(&RESOURCE_UPDATE)) {
        let expected = update(&serde_json::from_str(&body).unwrap());
        prop_assert_eq!(update_input(body.as_bytes()), Ok(expected), "{}", body);
    }

    #[test]
    fn valid_arrays_read_as_a_tree_of_values_does(body in generate::body(&OBJECT_TEST_TYPE)) {
        let expected = arrays(&serde_json::from_str(&body).unwrap());
        prop_assert_eq!(arrays_input(body.as_bytes()), Ok(expected), "{}", body);
    }

    #[test]
    fn a_stored_record_is_read_back_and_may_be_sent_back(record in generate::record()) {
        let text = record.to_json();
        prop_assert_eq!(stored_record(text.as_bytes()), Some(record), "{}", &text);
        prop_assert_eq!(validate(&RESOURCE_OVERWRITE, text.as_bytes(), &mut ()), Ok(()));
    }

    #[test]
    fn a_record_cut_short_is_none(record in generate::record(), at in any::<prop::sample::Index>()) {
        let text = record.to_json();
        prop_assert_eq!(stored_record(&text.as_bytes()[..at.index(text.len())]), None);
    }
}

#[test]
fn a_record_lacks_nothing_that_is_always_stored() {
    let full = r#"{"id":"a","version":1,"createdAt":"2024-01-01T00:00:00.000Z","lastModifiedAt":"2024-01-01T00:00:00.000Z","objectTypeProperty":{"arrayOfIntExample":[],"arrayOfUniqueIntExample":[],"arrayOfTwonumbersExample":[],"arrayOfFloatExample":[],"arrayOfNumberNoDefaultsExample":[],"arrayOfStringExample":[],"arrayOfObjectType":[]}}"#;
    assert!(stored_record(full.as_bytes()).is_some());
    for gone in [
        "\"id\":\"a\",",
        "\"version\":1,",
        "\"createdAt\":\"2024-01-01T00:00:00.000Z\",",
        "\"lastModifiedAt\":\"2024-01-01T00:00:00.000Z\",",
        "\"arrayOfIntExample\":[],",
    ] {
        assert_eq!(stored_record(full.replace(gone, "").as_bytes()), None, "{gone}");
    }
    assert_eq!(stored_record(b""), None);
    assert_eq!(stored_record(b"{}"), None);
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
        assert_eq!(complex_input(body.as_bytes()).unwrap().version, expected, "{text}");
    }
}

#[test]
fn empty_objects_and_arrays_are_distinguished_from_absent_ones() {
    let body = br#"{"createdBy":{},"lastModifiedBy":null,"objectTypeProperty":{"arrayOfIntExample":[],"arrayOfStringExample":null}}"#;
    let input = resource_input(&RESOURCE_DRAFT, body).unwrap();
    assert_eq!((input.created_by, input.last_modified_by), (Some(Person::default()), None));
    let content = input.content;
    assert_eq!(content.get(FieldId::ArrayOfInt), Some(&FieldValues::Integers(Vec::new())));
    assert_eq!(content.get(FieldId::ArrayOfString), None);
}

#[test]
fn a_zero_has_no_sign() {
    let arrays =
        arrays_input(br#"{"arrayOfFloatExample":[-0.0,-0,-1e-999],"arrayOfIntExample":[-0.0]}"#).unwrap();
    let Some(FieldValues::Numbers(numbers)) = arrays.get(FieldId::ArrayOfFloat) else { panic!("{arrays:?}") };
    assert!(numbers.iter().all(|value| value.to_bits() == 0));
    assert_eq!(arrays.get(FieldId::ArrayOfInt), Some(&FieldValues::Integers(vec![0])));
}

/// Typed actions are distinguished by their fields, so a new variant must be built there too.
#[test]
fn every_variant_of_the_schema_becomes_its_own_action() {
    let names: Vec<&str> = UPDATE_ACTION.variants().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["doSomeThing", "changeSomeProperty"]);
    let body = br#"{"actions":[{"action":"doSomeThing"},{"someProperty":"","action":"changeSomeProperty"}],"version":3}"#;
    let change = Action::ChangeSomeProperty { some_property: String::new() };
    assert_eq!(
        update_input(body),
        Ok(UpdateInput { version: 3, actions: vec![Action::DoSomeThing, change] })
    );
    assert!(schema::UPDATE_ACTION.variants().iter().all(|(_, object)| object.fields().len() <= 2));
}
