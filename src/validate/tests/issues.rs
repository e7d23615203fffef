//! The contents of an issue: its reason, its bounds, and its members.

use super::limits;
use super::object;
use super::rules::issues;
use super::types::{Object, Type};
use crate::shape::ObjectId;
use crate::shape::built_in::OBJECTS;
use crate::test;
use crate::validate::{Rejection, Verdict, invalid, validate};
use serde_json::{Value, json};

#[test]
fn long_values_are_cut() {
    let long = "é".repeat(500);
    let found =
        issues(object(ObjectId::Complex), &format!("{{\"createdAt\":\"{long}\",\"{long}\":\"{long}\"}}"));
    let shown = "é".repeat(limits::QUOTED_CHARS - 1);
    assert_eq!(found[0]["invalidValue"], format!("\"{shown}"));
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.ends_with(&format!("found \"{shown}….")), "{message}");
    assert_eq!(found[1]["message"], format!("Unknown field '{shown}é…'."));
    assert_eq!(found[1]["field"], format!("{shown}é…"));
    assert_eq!(found[1]["path"], format!("/{long}"));
}

#[test]
fn a_hundred_issues_are_listed_and_the_rest_counted() {
    let items = vec!["1"; 250].join(",");
    for name in ["arrayOfStringExample", "arrayOfUniqueIntExample"] {
        let text = format!("{{\"{name}\":[{items}],\"x\":1}}");
        let Err(Rejection::Issues { issues, more }) =
            validate(object(ObjectId::Arrays), text.as_bytes(), &mut Verdict)
        else {
            panic!("{name}");
        };
        let all = if name == "arrayOfStringExample" { 251 } else { 250 };
        assert_eq!((issues.len(), more), (limits::ISSUES, all - 100), "{name}");
    }
}

#[test]
fn issues_have_all_their_members() {
    let text = b"{\"version\":1,\"actions\":[{\"action\":\"x\"}]}";
    let error = validate(object(ObjectId::Update), text, &mut Verdict).unwrap_err().into_error();
    assert_eq!(
        error.to_json(),
        "{\"statusCode\":400,\"message\":\"Malformed field 'action': expected one of 'doSomeThing', \
         'changeSomeProperty', found \\\"x\\\".\",\"errors\":[{\"code\":\"InvalidField\",\"message\":\"Malformed field \
         'action': expected one of 'doSomeThing', 'changeSomeProperty', found \\\"x\\\".\",\"reason\":\"enum\",\"path\":\
         \"/actions/0/action\",\"field\":\"action\",\"invalidValue\":\"x\",\"allowedValues\":[\"doSomeThing\",\
         \"changeSomeProperty\"]}]}"
    );
}

/// Returns the object of an item of `arrayOfObjectType`.
fn item() -> &'static Object {
    match object(ObjectId::Arrays).field(OBJECTS).map(|field| field.ty.item()) {
        Some(Type::Object(item)) => item,
        other => panic!("{other:?}"),
    }
}

/// Returns the members of the only issue, except code, message, path, field, and value.
fn bounds(schema: &Object, text: &str) -> Value {
    let found = issues(schema, text);
    let [Value::Object(issue)] = found.as_slice() else { panic!("{text}: {found:?}") };
    let others = ["code", "message", "path", "field", "invalidValue"];
    issue
        .iter()
        .filter(|(name, _)| !others.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of cases")]
fn every_issue_has_its_reason_and_the_bounds_of_the_rule() {
    let long = format!("{{\"key\":\"{}\"}}", "x".repeat(257));
    let actions =
        format!("{{\"version\":1,\"actions\":[{}]}}", vec!["{\"action\":\"doSomeThing\"}"; 501].join(","));
    for (schema, text, expected) in [
        (object(ObjectId::Complex), "[]", json!({"reason": "type", "expected": ["object"]})),
        (object(ObjectId::Complex), r#"{"custom":1}"#, json!({"reason": "type", "expected": ["string"]})),
        (
            object(ObjectId::Arrays),
            r#"{"arrayOfFloatExample":["1"]}"#,
            json!({"reason": "type", "expected": ["number"]}),
        ),
        (
            object(ObjectId::Arrays),
            r#"{"arrayOfIntExample":[1.5]}"#,
            json!({"reason": "type", "expected": ["integer"]}),
        ),
        (
            object(ObjectId::Arrays),
            r#"{"arrayOfIntExample":{}}"#,
            json!({"reason": "type", "expected": ["array"]}),
        ),
        (
            item(),
            r#"{"integerExampleInt32":2147483648}"#,
            json!({"reason": "range", "minimum": i32::MIN, "maximum": i32::MAX}),
        ),
        (
            item(),
            r#"{"integerExample":1e400}"#,
            json!({"reason": "range", "minimum": -limits::INTEGER_MAX, "maximum": limits::INTEGER_MAX}),
        ),
        (
            object(ObjectId::Arrays),
            r#"{"arrayOfFloatExample":[1e309]}"#,
            json!({"reason": "format", "expected": ["double"]}),
        ),
        (
            object(ObjectId::Complex),
            r#"{"createdAt":"yesterday"}"#,
            json!({"reason": "format", "expected": ["date-time"]}),
        ),
        (
            object(ObjectId::Complex),
            r#"{"key":""}"#,
            json!({"reason": "length", "minLength": 1, "maxLength": 256}),
        ),
        (
            object(ObjectId::Complex),
            long.as_str(),
            json!({"reason": "length", "minLength": 1, "maxLength": 256}),
        ),
        (object(ObjectId::Complex), r#"{"key":"a\nb"}"#, json!({"reason": "characters"})),
        (object(ObjectId::Complex), r#"{"custom":"\u0000"}"#, json!({"reason": "characters"})),
        (object(ObjectId::Complex), r#"{"custom":"\ud800"}"#, json!({"reason": "characters"})),
        (object(ObjectId::Complex), r#"{"key":".."}"#, json!({"reason": "reserved"})),
        (object(ObjectId::Complex), r#"{"id":"key=a"}"#, json!({"reason": "reserved"})),
        (
            object(ObjectId::Arrays),
            r#"{"arrayOfTwonumbersExample":[1]}"#,
            json!({"reason": "count", "minItems": 2, "maxItems": 2}),
        ),
        (object(ObjectId::Update), actions.as_str(), json!({"reason": "count", "maxItems": 500})),
        (object(ObjectId::Arrays), r#"{"arrayOfUniqueIntExample":[1,1]}"#, json!({"reason": "notUnique"})),
        (object(ObjectId::Update), r#"{"version":1}"#, json!({"reason": "required"})),
        (object(ObjectId::Complex), r#"{"custom":"","custom":""}"#, json!({"reason": "duplicate"})),
        (
            object(ObjectId::Complex),
            r#"{"createdBy":{"x":1}}"#,
            json!({"reason": "unknownField", "allowedValues": ["firstName", "lastName"]}),
        ),
        (
            object(ObjectId::Update),
            r#"{"version":1,"actions":[],"verison":1}"#,
            json!({"reason": "unknownField", "allowedValues": ["version", "actions"], "suggestion": "version"}),
        ),
        (
            object(ObjectId::Update),
            r#"{"version":1,"actions":[{"action":"doSomeThing","some":1}]}"#,
            json!({"reason": "unknownField", "allowedValues": ["action"]}),
        ),
        (
            object(ObjectId::Update),
            r#"{"version":1,"actions":[{"action":"explode"}]}"#,
            json!({"reason": "enum", "allowedValues": ["doSomeThing", "changeSomeProperty"]}),
        ),
        (
            object(ObjectId::Update),
            r#"{"version":1,"actions":[{"action":"doSomething"}]}"#,
            json!({"reason": "enum", "allowedValues": ["doSomeThing", "changeSomeProperty"], "suggestion": "doSomeThing"}),
        ),
    ] {
        assert_eq!(bounds(schema, text), expected, "{}", text.get(..60).unwrap_or(text));
    }
}

/// The npm package gets the errors of the service, with their paths in two forms.
#[test]
fn the_packages_issues_are_the_services_errors() {
    let text = br#"{"version":1,"actions":[{"action":"x"},{"a/b~":1,"0":[]}],"ol\u00e9":1}"#;
    let Err(Rejection::Issues { issues: errors, more: 0 }) =
        validate(object(ObjectId::Update), text, &mut Verdict)
    else {
        panic!("the body has issues");
    };
    let result: Value =
        serde_json::from_str(&invalid(object(ObjectId::Update), text, false).unwrap()).unwrap();
    assert_eq!((&result["valid"], result.get("more")), (&json!(false), None));
    let mut paths = Vec::new();
    for (mut issue, error) in result["issues"].as_array().unwrap().clone().into_iter().zip(&errors) {
        let members = issue.as_object_mut().unwrap();
        paths.push(members["path"].clone());
        let pointer = members.remove("pointer").unwrap();
        members.insert("path".to_owned(), pointer);
        let mut expected = String::new();
        error.write(&mut expected);
        assert_eq!(issue, serde_json::from_str::<Value>(&expected).unwrap());
    }
    let expected = json!([
        ["actions", 0, "action"],
        ["actions", 1, "a/b~"],
        ["actions", 1, "0"],
        ["actions", 1, "action"],
        ["olé"]
    ]);
    assert_eq!(Value::from(paths), expected);
    assert_eq!(invalid(object(ObjectId::Update), br#"{"version":1,"actions":[]}"#, false), None);
}
