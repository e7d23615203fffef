//! The contents of an issue: its reason, its bounds, and its members.

use super::limits;
use super::rules::issues;
use super::schema::{self, Object};
use crate::test;
use crate::validate::{Rejection, validate};
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
        (&schema::COMPLEX_BODY, r#"{"colour":1}"#, json!({"reason": "unknownField"})),
        (&schema::COMPLEX_BODY, r#"{"costum":1}"#, json!({"reason": "unknownField", "suggestion": "custom"})),
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

/// JavaScript reads the schema's part of an issue once for each number.
#[test]
fn the_schemas_part_of_an_issue_follows_from_its_number() {
    let mut seen = std::collections::HashMap::new();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut issue_list = crate::validate::IssueList::new();
    for schema in schema::BODIES {
        let body = super::generate::body(schema);
        for _ in 0..300 {
            let body = proptest::strategy::ValueTree::current(
                &proptest::strategy::Strategy::new_tree(&body, &mut runner).unwrap(),
            );
            // Values of unexpected types, and names that are similar and not similar.
            for (from, to) in [
                ("1", "\"a\""),
                ("\"", ""),
                (":[", ":[[],"),
                ("{\"", "{\"x\":1,\"i"),
                ("a", "b"),
                ("0", "1e400"),
                ("0", ".5"),
                (":\"", ":\"\\u0000"),
            ] {
                crate::validate::list(schema, body.replace(from, to).as_bytes(), &mut issue_list);
                let mut words = issue_list.words();
                for index in 0..issue_list.count() {
                    let [number, _, _, parts, rest @ ..] = words else { panic!("{words:?}") };
                    let named = rest[..*parts as usize].last() == Some(&u32::MAX);
                    words = &rest[*parts as usize + usize::from(named)..];
                    if *number != crate::validate::WHOLE {
                        let template = issue_list.template(index);
                        assert_eq!(seen.entry(*number).or_insert_with(|| template.clone()), &template);
                    }
                }
                assert_eq!(words, [] as [u32; 0]);
            }
        }
    }
    assert!(seen.len() > 80, "{} numbers", seen.len());
}
