//! The contents of an issue: its reason, its bounds, and its members.

use super::limits;
use super::rules::issues;
use super::schema::{self, Object};
use crate::test;
use crate::validate::{Rejection, invalid, validate};
use serde_json::{Value, json};

#[test]
fn long_values_are_cut() {
    let long = "é".repeat(500);
    let found = issues(&schema::COMPLEX_BODY, &format!("{{\"createdAt\":\"{long}\",\"{long}\":\"{long}\"}}"));
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
            validate(&schema::OBJECT_TEST_TYPE, text.as_bytes(), &mut ())
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
    let error = validate(&schema::RESOURCE_UPDATE, text, &mut ()).unwrap_err().into_error();
    assert_eq!(
        error.to_json(),
        "{\"statusCode\":400,\"message\":\"Malformed field 'action': expected one of 'doSomeThing', \
         'changeSomeProperty', found \\\"x\\\".\",\"errors\":[{\"code\":\"InvalidField\",\"message\":\"Malformed field \
         'action': expected one of 'doSomeThing', 'changeSomeProperty', found \\\"x\\\".\",\"reason\":\"enum\",\"path\":\
         \"/actions/0/action\",\"field\":\"action\",\"invalidValue\":\"x\",\"allowedValues\":[\"doSomeThing\",\
         \"changeSomeProperty\"]}]}"
    );
}

/// Returns the members of the only issue, except code, message, path, field, and value.
fn bounds(schema: &'static Object, text: &str) -> Value {
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
        (&schema::COMPLEX_BODY, "[]", json!({"reason": "type", "expected": ["object"]})),
        (&schema::COMPLEX_BODY, r#"{"custom":1}"#, json!({"reason": "type", "expected": ["string"]})),
        (
            &schema::OBJECT_TEST_TYPE,
            r#"{"arrayOfFloatExample":["1"]}"#,
            json!({"reason": "type", "expected": ["number"]}),
        ),
        (
            &schema::OBJECT_TEST_TYPE,
            r#"{"arrayOfIntExample":[1.5]}"#,
            json!({"reason": "type", "expected": ["integer"]}),
        ),
        (
            &schema::OBJECT_TEST_TYPE,
            r#"{"arrayOfIntExample":{}}"#,
            json!({"reason": "type", "expected": ["array"]}),
        ),
        (
            &schema::OBJECT_ITEM,
            r#"{"integerExampleInt32":2147483648}"#,
            json!({"reason": "range", "minimum": i32::MIN, "maximum": i32::MAX}),
        ),
        (
            &schema::OBJECT_ITEM,
            r#"{"integerExample":1e400}"#,
            json!({"reason": "range", "minimum": -limits::INTEGER_MAX, "maximum": limits::INTEGER_MAX}),
        ),
        (
            &schema::OBJECT_TEST_TYPE,
            r#"{"arrayOfFloatExample":[1e309]}"#,
            json!({"reason": "format", "expected": ["double"]}),
        ),
        (
            &schema::COMPLEX_BODY,
            r#"{"createdAt":"yesterday"}"#,
            json!({"reason": "format", "expected": ["date-time"]}),
        ),
        (
            &schema::COMPLEX_BODY,
            r#"{"key":""}"#,
            json!({"reason": "length", "minLength": 1, "maxLength": 256}),
        ),
        (&schema::COMPLEX_BODY, long.as_str(), json!({"reason": "length", "minLength": 1, "maxLength": 256})),
        (&schema::COMPLEX_BODY, r#"{"key":"a\nb"}"#, json!({"reason": "characters"})),
        (&schema::COMPLEX_BODY, r#"{"custom":"\u0000"}"#, json!({"reason": "characters"})),
        (&schema::COMPLEX_BODY, r#"{"custom":"\ud800"}"#, json!({"reason": "characters"})),
        (&schema::COMPLEX_BODY, r#"{"key":".."}"#, json!({"reason": "reserved"})),
        (&schema::COMPLEX_BODY, r#"{"id":"key=a"}"#, json!({"reason": "reserved"})),
        (
            &schema::OBJECT_TEST_TYPE,
            r#"{"arrayOfTwonumbersExample":[1]}"#,
            json!({"reason": "count", "minItems": 2, "maxItems": 2}),
        ),
        (&schema::RESOURCE_UPDATE, actions.as_str(), json!({"reason": "count", "maxItems": 500})),
        (&schema::OBJECT_TEST_TYPE, r#"{"arrayOfUniqueIntExample":[1,1]}"#, json!({"reason": "notUnique"})),
        (&schema::RESOURCE_UPDATE, r#"{"version":1}"#, json!({"reason": "required"})),
        (&schema::COMPLEX_BODY, r#"{"custom":"","custom":""}"#, json!({"reason": "duplicate"})),
        (
            &schema::COMPLEX_BODY,
            r#"{"createdBy":{"x":1}}"#,
            json!({"reason": "unknownField", "allowedValues": ["firstName", "lastName"]}),
        ),
        (
            &schema::RESOURCE_UPDATE,
            r#"{"version":1,"actions":[],"verison":1}"#,
            json!({"reason": "unknownField", "allowedValues": ["version", "actions"], "suggestion": "version"}),
        ),
        (
            &schema::RESOURCE_UPDATE,
            r#"{"version":1,"actions":[{"action":"doSomeThing","some":1}]}"#,
            json!({"reason": "unknownField", "allowedValues": ["action"]}),
        ),
        (
            &schema::RESOURCE_UPDATE,
            r#"{"version":1,"actions":[{"action":"explode"}]}"#,
            json!({"reason": "enum", "allowedValues": ["doSomeThing", "changeSomeProperty"]}),
        ),
        (
            &schema::RESOURCE_UPDATE,
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
        validate(&schema::RESOURCE_UPDATE, text, &mut ())
    else {
        panic!("the body has issues");
    };
    let result: Value =
        serde_json::from_str(&invalid(&schema::RESOURCE_UPDATE, text, false).unwrap()).unwrap();
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
    assert_eq!(invalid(&schema::RESOURCE_UPDATE, br#"{"version":1,"actions":[]}"#, false), None);
}
