use proptest::prelude::*;

use super::generate;
use super::limits::BODY_DEPTH;
use super::{SHAPE, object};
use crate::contract::error::Code;
use crate::shape::ObjectId;
use crate::test;
use crate::validate::{Rejection, Verdict, resource_input, update_input, validate};

/// Returns the sentence about a text that is not JSON; `None` if it is.
fn fault(bytes: &[u8]) -> Option<String> {
    match validate(object(ObjectId::Draft), bytes, &mut Verdict) {
        Err(rejection @ Rejection::NotJson(_)) => Some(rejection.into_first().message),
        _ => None,
    }
}

/// Returns the verdict of `serde_json`, with our depth. When it ignores values, it does not report duplicates,
/// surrogates, or large numbers.
fn is_json(bytes: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(bytes) else { return false };
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() && depth(text) <= BODY_DEPTH
}

fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for char in text.chars() {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[test]
fn faults_say_what_was_found_what_was_expected_and_where() {
    for (text, expected) in [
        ("", "Unexpected end of input, expected a value (line 1, column 1)."),
        (" \n", "Unexpected end of input, expected a value (line 2, column 1)."),
        ("{", "Unexpected end of input, expected a member name in double quotes (line 1, column 2)."),
        ("{\"id\" 1}", "Unexpected '1', expected ':' (line 1, column 7)."),
        ("{\"id\":}", "Unexpected '}', expected a value (line 1, column 7)."),
        ("{\"id\":NaN}", "Unexpected 'NaN', expected a value (line 1, column 7)."),
        ("{\"id\":nul}", "Unexpected 'nul', expected a value (line 1, column 7)."),
        ("{'id':1}", "Unexpected ''', expected a member name in double quotes (line 1, column 2)."),
        ("{\"id\":1,}", "Unexpected '}', expected a member name in double quotes (line 1, column 9)."),
        ("{\"é\":1\n,\"ö\":tru}", "Unexpected 'tru', expected a value (line 2, column 6)."),
        ("{} x", "Unexpected 'x', expected end of input (line 1, column 4)."),
        ("[1 2]", "Unexpected '2', expected ',' or ']' (line 1, column 4)."),
        ("[1,]", "Unexpected ']', expected a value (line 1, column 4)."),
        ("{\"a\":1 \"b\"}", "Unexpected '\"', expected ',' or '}' (line 1, column 8)."),
        ("[01]", "A number with a leading zero (line 1, column 3)."),
        ("[-]", "Unexpected ']', expected a digit (line 1, column 3)."),
        ("[\"a", "Unexpected end of input, expected '\"' at the end of a string (line 1, column 4)."),
        ("[\"a\tb\"]", "An unescaped control character in a string (line 1, column 4)."),
        (
            "[\"\\x\"]",
            "Unexpected 'x', expected one of \" \\ / b f n r t u after a backslash (line 1, column 4).",
        ),
        ("\u{feff}{}", "Unexpected U+FEFF, expected a value (line 1, column 1)."),
        ("{}\0", "Unexpected U+0000, expected end of input (line 1, column 3)."),
    ] {
        assert_eq!(fault(text.as_bytes()).as_deref(), Some(expected), "{text:?}");
    }
    assert_eq!(fault(b"{\n\"a\xff").as_deref(), Some("Invalid UTF-8 (line 2, column 3)."));
}

#[test]
fn a_fault_after_issues_is_the_only_error() {
    assert!(fault(b"{\"version\":\"x\",\"nope\":1}}").is_some());
    assert!(fault(b"{\"nope\":{\"a\":[1,{]}}").is_some());
}

#[test]
fn depth_is_capped_in_known_and_in_unknown_members() {
    let nested = |depth: usize| format!("{{\"x\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    assert_eq!(fault(nested(BODY_DEPTH).as_bytes()), None);
    assert_eq!(
        fault(nested(BODY_DEPTH + 1).as_bytes()).as_deref(),
        Some("Nested too deeply (line 1, column 37).")
    );
    assert!(fault("[".repeat(1_000_000).as_bytes()).is_some());
    assert!(fault("{\"a\":".repeat(200_000).as_bytes()).is_some());
}

#[test]
fn a_body_that_is_not_json_gets_the_error_of_the_ecosystem() {
    let error = validate(object(ObjectId::Draft), b"{", &mut Verdict).unwrap_err().into_error();
    assert_eq!((error.code(), error.status()), (Code::InvalidJsonInput, 400));
    assert_eq!(
        error.to_json(),
        "{\"statusCode\":400,\"message\":\"Request body does not contain valid JSON.\",\"errors\":[{\"code\":\
         \"InvalidJsonInput\",\"message\":\"Request body does not contain valid JSON.\",\"detailedErrorMessage\":\
         \"Unexpected end of input, expected a member name in double quotes (line 1, column 2).\",\"path\":\"\",\
         \"reason\":\"syntax\",\"expected\":[\"<name>\"],\"line\":1,\"column\":2,\"length\":0}]}"
    );
}

/// Generates random JSON values of any shape.
fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<f64>().prop_map(serde_json::Value::from),
        any::<String>().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(6, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            proptest::collection::vec((".{0,8}", inner), 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Applies one small change at a random place.
fn mutated(text: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<u8>> {
    let bytes = b"{}[]\",:\\u0123-+.eEtfn \n\x00\x1f\x7f\x80\xff".to_vec();
    (text, any::<prop::sample::Index>(), proptest::sample::select(bytes), 0..4).prop_map(
        |(text, at, byte, way)| {
            let mut bytes = text.into_bytes();
            let at = at.index(bytes.len().max(1));
            match way {
                0 => bytes.insert(at, byte),
                1 if at < bytes.len() => bytes[at] = byte,
                2 if at < bytes.len() => {
                    bytes.remove(at);
                }
                _ => bytes.truncate(at),
            }
            bytes
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_json_text_is_json_to_us(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        prop_assert_eq!(fault(text.unwrap().as_bytes()), None);
    }

    #[test]
    fn a_changed_text_is_json_if_serde_json_accepts_it(
        bytes in mutated(any_json().prop_map(|value| value.to_string())),
    ) {
        prop_assert_eq!(fault(&bytes).is_none(), is_json(&bytes), "{}", String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_changed_body_is_json_if_serde_json_accepts_it(
        bytes in mutated(prop_oneof![generate::body(object(ObjectId::Draft)), generate::body(object(ObjectId::Update))]),
    ) {
        let text = String::from_utf8_lossy(&bytes);
        prop_assert_eq!(fault(&bytes).is_none(), is_json(&bytes), "{}", text);
        let update = validate(object(ObjectId::Update), &bytes, &mut Verdict);
        prop_assert_eq!(!matches!(update, Err(Rejection::NotJson { .. })), is_json(&bytes), "{}", text);
        prop_assert_eq!(update_input(&SHAPE, &bytes).err(), update.err(), "{}", text);
        let draft = validate(object(ObjectId::Draft), &bytes, &mut Verdict);
        prop_assert_eq!(resource_input(&SHAPE, ObjectId::Draft, &bytes).err(), draft.err(), "{}", text);
    }

    #[test]
    fn byte_soup_has_the_verdict_of_serde_json(
        bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..40),
            "[\\[\\]{}\",:0-9eE.+\\-tfnrulase\\\\ ]{0,24}".prop_map(String::into_bytes),
        ],
    ) {
        prop_assert_eq!(fault(&bytes).is_none(), is_json(&bytes));
    }
}
