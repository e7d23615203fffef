use super::limits;
use super::object;
use super::types::{Object, Type};
use crate::shape::ObjectId;
use crate::test;
use crate::validate::{Rejection, Verdict, check, validate};
use serde_json::{Value, json};

/// Returns the issues as on the wire. A mere check returns the sentence of the first one.
pub(super) fn issues(schema: &Object, text: &str) -> Vec<Value> {
    let result = validate(schema, text.as_bytes(), &mut Verdict);
    assert_eq!(
        check(schema, text),
        result.clone().err().map(|rejection| rejection.into_first().message),
        "{text}"
    );
    match result {
        Ok(()) => Vec::new(),
        Err(Rejection::Issues { issues, .. }) => issues
            .iter()
            .map(|issue| {
                let mut out = String::new();
                issue.write(&mut out);
                serde_json::from_str(&out).unwrap()
            })
            .collect(),
        Err(other) => panic!("{}: {text}", other.into_first().message),
    }
}

/// Returns every issue of a text as `pointer message`.
fn said(schema: &Object, text: &str) -> Vec<String> {
    issues(schema, text)
        .iter()
        .map(|issue| format!("{} {}", issue["path"].as_str().unwrap(), issue["message"].as_str().unwrap()))
        .collect()
}

/// Returns the issues of a draft with these members besides the arrays.
fn draft(members: &str) -> Vec<String> {
    said(object(ObjectId::Draft), &format!("{{\"objectTypeProperty\":{{}},{members}}}"))
}

fn arrays(members: &str) -> Vec<String> {
    said(object(ObjectId::Arrays), &format!("{{{members}}}"))
}

fn update(actions: &str) -> Vec<Value> {
    issues(object(ObjectId::Update), &format!("{{\"version\":1,\"actions\":{actions}}}"))
}

fn none() -> Vec<String> {
    Vec::new()
}

#[test]
fn unknown_fields_are_errors_with_the_nearest_name() {
    assert_eq!(
        draft("\"eleventhProperty\":\"x\",\"colour\":[1,{\"a\":null}],\"a/b~\":1"),
        [
            "/eleventhProperty Unknown field 'eleventhProperty'. Did you mean 'eleventhPropery'?",
            "/colour Unknown field 'colour'.",
            "/a~1b~0 Unknown field 'a/b~'."
        ]
    );
    let found = &issues(object(ObjectId::Complex), "{\"objectTypeProperty\":{},\"nope\":1e0}");
    assert_eq!(
        (&found[0]["code"], &found[0]["field"]),
        (&json!("InvalidField"), &json!("objectTypeProperty"))
    );
    assert_eq!((found[0].get("invalidValue"), &found[1]["invalidValue"]), (None, &json!(1.0)));
}

#[test]
fn a_duplicate_member_is_an_issue_however_it_is_escaped() {
    assert_eq!(
        draft("\"custom\":\"a\",\"\\u0063ustom\":5,\"key\":null,\"key\":null,\"x\":1,\"x\":1"),
        [
            "/custom Duplicate field 'custom'.",
            "/key Duplicate field 'key'.",
            "/x Unknown field 'x'.",
            "/x Unknown field 'x'."
        ]
    );
    let twice =
        said(object(ObjectId::Overwrite), "{\"objectTypeProperty\":{},\"version\":null,\"version\":1}");
    assert_eq!(twice, ["/version Duplicate field 'version'."]);
}

#[test]
fn required_fields_that_are_absent_or_null_come_after_the_objects_others() {
    assert_eq!(
        said(object(ObjectId::Overwrite), "{\"version\":null,\"custom\":1}"),
        [
            "/custom Malformed field 'custom': expected a string, found a number.",
            "/version The field 'version' is required.",
            "/objectTypeProperty The field 'objectTypeProperty' is required."
        ]
    );
    let found = issues(object(ObjectId::Draft), "{}");
    assert_eq!(
        (&found[0]["code"], &found[0]["field"]),
        (&json!("RequiredField"), &json!("objectTypeProperty"))
    );
}

#[test]
fn null_is_absent_in_optional_fields_and_wrong_in_arrays() {
    assert_eq!(draft("\"version\":null,\"createdBy\":null,\"custom\":null"), none());
    assert_eq!(
        arrays("\"arrayOfIntExample\":[null],\"arrayOfObjectType\":[{\"integerExample\":null},null]"),
        [
            "/arrayOfIntExample/0 Malformed item of 'arrayOfIntExample': expected an integer, found null.",
            "/arrayOfObjectType/1 Malformed item of 'arrayOfObjectType': expected an object, found null."
        ]
    );
}

#[test]
fn wrong_types_say_what_was_expected_and_found() {
    assert_eq!(
        draft("\"version\":\"1\",\"key\":1,\"createdBy\":[],\"custom\":{\"a\":1},\"someProperty\":true"),
        [
            "/version Malformed field 'version': expected an integer, found a string.",
            "/key Malformed field 'key': expected a string, found a number.",
            "/createdBy Malformed field 'createdBy': expected an object, found an array.",
            "/custom Malformed field 'custom': expected a string, found an object.",
            "/someProperty Malformed field 'someProperty': expected a string, found a boolean."
        ]
    );
    assert_eq!(
        said(object(ObjectId::Complex), "[]"),
        [" Malformed value: expected an object, found an array."]
    );
    assert_eq!(issues(object(ObjectId::Complex), "null")[0].get("field"), None);
    assert_eq!(
        arrays("\"arrayOfFloatExample\":1,\"arrayOfStringExample\":[1]"),
        [
            "/arrayOfFloatExample Malformed field 'arrayOfFloatExample': expected an array, found a number.",
            "/arrayOfStringExample/0 Malformed item of 'arrayOfStringExample': expected a string, found a number."
        ]
    );
}

#[test]
fn integers_are_checked_as_doubles() {
    assert_eq!(arrays("\"arrayOfIntExample\":[1.0,1e2,-0,9007199254740990.4,-9007199254740991]"), none());
    let range = "an integer from -9007199254740991 to 9007199254740991";
    assert_eq!(
        arrays("\"arrayOfIntExample\":[1.5,9007199254740992,1e400]"),
        [
            "/arrayOfIntExample/0 Malformed item of 'arrayOfIntExample': expected an integer, found 1.5."
                .to_owned(),
            format!(
                "/arrayOfIntExample/1 Malformed item of 'arrayOfIntExample': expected {range}, found 9007199254740992."
            ),
            format!(
                "/arrayOfIntExample/2 Malformed item of 'arrayOfIntExample': expected {range}, found 1e400."
            )
        ]
    );
    assert_eq!(
        arrays("\"arrayOfObjectType\":[{},{\"integerExampleInt32\":2147483648}]"),
        [
            "/arrayOfObjectType/1/integerExampleInt32 Malformed field 'integerExampleInt32': expected an integer \
          from -2147483648 to 2147483647, found 2147483648."
        ]
    );
    assert_eq!(
        draft("\"version\":-1"),
        ["/version Malformed field 'version': expected an integer from 0 to 9007199254740991, found -1."]
    );
}

#[test]
fn numbers_beyond_doubles_are_issues() {
    assert_eq!(arrays("\"arrayOfFloatExample\":[1.7976931348623157e308,1e-999]"), none());
    let found = issues(object(ObjectId::Arrays), "{\"arrayOfFloatExample\":[-1e309]}");
    assert_eq!(
        found[0]["message"],
        "Malformed item of 'arrayOfFloatExample': expected a number that a double can hold, found -1e309."
    );
    assert_eq!(found[0]["invalidValue"], "-1e309");
}

#[test]
fn strings_contain_no_nul_and_no_lone_surrogate() {
    let found =
        issues(object(ObjectId::Complex), r#"{"custom":"a\u0000","createdBy":{"firstName":"\udfff"}}"#);
    assert_eq!(
        found.iter().map(|issue| &issue["message"]).collect::<Vec<_>>(),
        [
            r#"Malformed field 'custom': expected a string without U+0000, found "a\u0000"."#,
            r#"Malformed field 'firstName': expected a string without lone surrogates, found "\udfff"."#
        ]
    );
    assert_eq!(found[1]["path"], "/createdBy/firstName");
    // Many JSON readers reject a lone surrogate, so the response quotes its spelling.
    assert_eq!(found[1]["invalidValue"], "\"\\udfff\"");
}

#[test]
fn ids_keys_and_instants_have_their_forms() {
    let longest = "é".repeat(limits::NAME_BYTES / 2);
    assert_eq!(draft(&format!("\"id\":\"{longest}\",\"key\":\"key=a\"")), none());
    let name = "1 to 256 bytes without control characters, other than '.' and '..'";
    for text in ["", ".", "..", "a\\n", "\\u0085", &"a".repeat(limits::NAME_BYTES + 1)] {
        for field in ["id", "key"] {
            let found = draft(&format!("\"{field}\":\"{text}\""));
            assert_eq!(found.len(), 1, "{field} {text}");
            assert!(found[0].contains(name), "{found:?}");
        }
    }
    for id in ["key=a", "searchApiPattern"] {
        let expected =
            format!("/id Malformed field 'id': expected an ID that is not reserved, found \"{id}\".");
        assert_eq!(draft(&format!("\"id\":\"{id}\"")), [expected]);
    }
    assert_eq!(draft("\"createdAt\":\"0001-01-01T00:00:00.000Z\""), none());
    assert_eq!(
        draft("\"lastModifiedAt\":\"2023-02-29T00:00:00.000Z\""),
        ["/lastModifiedAt Malformed field 'lastModifiedAt': expected a real date and time of the form \
          2024-01-31T23:59:59.999Z, found \"2023-02-29T00:00:00.000Z\"."]
    );
}

#[test]
fn items_that_repeat_are_issues_in_document_order_among_the_others() {
    assert_eq!(
        arrays("\"arrayOfUniqueIntExample\":[3,\"x\",1,3.0,2.5,1,3,null]"),
        [
            "/arrayOfUniqueIntExample/1 Malformed item of 'arrayOfUniqueIntExample': expected an integer, found a string.",
            "/arrayOfUniqueIntExample/3 Malformed item of 'arrayOfUniqueIntExample': expected an item that does not occur earlier, found 3.0 again.",
            "/arrayOfUniqueIntExample/4 Malformed item of 'arrayOfUniqueIntExample': expected an integer, found 2.5.",
            "/arrayOfUniqueIntExample/5 Malformed item of 'arrayOfUniqueIntExample': expected an item that does not occur earlier, found 1 again.",
            "/arrayOfUniqueIntExample/6 Malformed item of 'arrayOfUniqueIntExample': expected an item that does not occur earlier, found 3 again.",
            "/arrayOfUniqueIntExample/7 Malformed item of 'arrayOfUniqueIntExample': expected an integer, found null."
        ]
    );
    assert_eq!(arrays("\"arrayOfUniqueIntExample\":[3,1,2]"), none());
}

#[test]
fn counts_of_items_are_kept() {
    assert_eq!(arrays("\"arrayOfTwonumbersExample\":[]"), none());
    assert_eq!(arrays("\"arrayOfTwonumbersExample\":[1,1]"), none());
    assert_eq!(
        arrays("\"arrayOfTwonumbersExample\":[1]"),
        [
            "/arrayOfTwonumbersExample Malformed field 'arrayOfTwonumbersExample': expected no items or exactly 2 items, found 1."
        ]
    );
    let actions = |count| format!("[{}]", vec!["{\"action\":\"doSomeThing\"}"; count].join(","));
    assert_eq!(update(&actions(limits::ACTIONS)), [] as [Value; 0]);
    assert_eq!(
        update(&actions(limits::ACTIONS + 1))[0]["message"],
        "Malformed field 'actions': expected at most 500 items, found 501."
    );
}

#[test]
fn an_action_is_read_by_its_tag_at_any_place() {
    for valid in [
        r#"[{"action":"changeSomeProperty","someProperty":"x"}]"#,
        r#"[{"someProperty":"}\"",  "action" : "changeSomeProperty"}]"#,
        r#"[{"someProperty":"x","a\u0063tion":"\u0063hangeSomeProperty"}]"#,
        r#"[{"action":"doSomeThing"},{"action":"doSomeThing"}]"#,
    ] {
        assert!(update(valid).is_empty(), "{valid}");
    }
    let pointers =
        |actions| -> Vec<Value> { update(actions).into_iter().map(|issue| issue["path"].clone()).collect() };
    assert_eq!(pointers(r#"[{"someProperty":"x","action":"doSomeThing"}]"#), ["/actions/0/someProperty"]);
    assert_eq!(
        pointers(r#"[{"someProperty":null,"action":"changeSomeProperty"}]"#),
        ["/actions/0/someProperty"]
    );
    assert_eq!(
        pointers(r#"[{"someProperty":1,"x":2,"action":"changeSomeProperty","action":"doSomeThing"}]"#),
        ["/actions/0/someProperty", "/actions/0/x", "/actions/0/action"]
    );
}

#[test]
fn an_action_without_a_known_tag_says_so_and_what_else_is_certain() {
    let missing = update(r#"[{"someProperty":1,"nope":2},{"action":null}]"#);
    assert_eq!(
        missing.iter().map(|issue| json!([issue["path"], issue["code"]])).collect::<Vec<_>>(),
        [
            json!(["/actions/0/nope", "InvalidField"]),
            json!(["/actions/0/action", "RequiredField"]),
            json!(["/actions/1/action", "RequiredField"])
        ]
    );
    let unknown = &update(r#"[{"action":"explode"}]"#)[0];
    assert_eq!(
        unknown["message"],
        "Malformed field 'action': expected one of 'doSomeThing', 'changeSomeProperty', found \"explode\"."
    );
    assert_eq!(unknown["invalidValue"], "explode");
    assert_eq!(unknown["allowedValues"], json!(["doSomeThing", "changeSomeProperty"]));
    for (action, expected) in [
        ("{\"action\":5}", "Malformed field 'action': expected a string, found a number."),
        ("7", "Malformed item of 'actions': expected an object, found a number."),
        (
            r#"{"action":"\ud800"}"#,
            r#"Malformed field 'action': expected a string without lone surrogates, found "\ud800"."#,
        ),
    ] {
        let found = update(&format!("[{action}]"));
        assert_eq!((found.len(), &found[0]["message"]), (1, &json!(expected)));
    }
}

/// Hostile bodies of a megabyte. The bound is generous, because the attack would take minutes.
#[cfg(not(target_arch = "wasm32"))] // WebAssembly has no clock.
#[test]
fn hostile_bodies_take_no_more_than_linear_time() {
    use std::time::{Duration, Instant};

    let fill = |open: &str, item: &str, close: &str| {
        let count = (limits::BODY_BYTES - open.len() - close.len()) / (item.len() + 1);
        format!("{open}{}{close}", vec![item; count].join(","))
    };
    let descending: Vec<String> = (0..150_000).rev().map(|value: u32| value.to_string()).collect();
    let unique = "{\"arrayOfUniqueIntExample\":[";
    let start = Instant::now();
    for (schema, text) in [
        (object(ObjectId::Arrays), fill(unique, "1", "]}")),
        (object(ObjectId::Arrays), format!("{unique}{},0]}}", descending.join(","))),
        (object(ObjectId::Arrays), fill("{", "\"arrayOfIntExamplf\":0", "}")),
        (object(ObjectId::Update), fill("{\"actions\":[", "{\"b\":0,\"action\":0}", "]}")),
        (object(ObjectId::Update), fill("{\"actions\":[{", "\"action\":\"a\"", "}]}")),
        (object(ObjectId::Update), fill("{\"actions\":[{", "\"\\u0061\":[[[[[[]]]]]]", "}]}")),
        (object(ObjectId::Update), fill("{\"actions\":[", "1e-999999", "]}")),
        (object(ObjectId::Arrays), format!("{{\"arrayOfIntExample\":[1{}e-1]}}", "0".repeat(1_000_000))),
        (object(ObjectId::Arrays), format!("{{\"{}\":0}}", "\\u0000".repeat(170_000))),
    ] {
        assert!(validate(schema, text.as_bytes(), &mut Verdict).is_err(), "{}", text.get(..60).unwrap());
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Assumptions of the walk.
#[test]
fn the_schemas_meet_the_assumptions_of_the_walk() {
    fn check(ty: &Type) {
        match ty {
            Type::Array(array) => {
                let unique = array.rule == super::types::ArrayRule::Unique;
                assert!(!unique || matches!(array.items, Type::Integer { .. }), "only integers are compared");
                check(&array.items);
            }
            Type::Object(object) => object_check(object),
            Type::Union(union) => {
                assert!(
                    matches!(union.tag.ty, Type::String(super::types::Format::Text)) && union.tag.required
                );
                for variant in &union.variants {
                    assert!(variant.object.field(&union.tag.name).is_some(), "{}", variant.tag);
                    object_check(&variant.object);
                }
            }
            Type::Integer { min, max } => {
                assert!(*min >= -limits::INTEGER_MAX && *max <= limits::INTEGER_MAX);
            }
            Type::Number | Type::Boolean | Type::String(_) => {}
        }
    }
    fn object_check(object: &Object) {
        assert!(object.fields.len() <= 256, "{}: a bit for each field", object.name);
        object.fields.iter().for_each(|field| check(&field.ty));
    }
    for object in [
        object(ObjectId::Draft),
        object(ObjectId::Overwrite),
        object(ObjectId::Complex),
        object(ObjectId::Update),
        object(ObjectId::Arrays),
    ] {
        object_check(object);
    }
}
