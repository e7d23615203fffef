//! The requests that calls render, and the errors of those that cannot be sent.

use super::*;
use crate::test;

#[test]
fn a_request_for_a_token_goes_to_the_token_endpoint() {
    let (url, headers) = request(&client(), &by("", "")).unwrap();
    let header = ("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned());
    assert_eq!((url.as_str(), headers), ("https://a.test/oauth/token", vec![header]));
}

/// Returns the errors of a call: for each the member for its place, the name, and the reason.
fn wrong(call: &Input<'_>) -> Vec<(String, String, String)> {
    let error = request(&client(), call).unwrap_err();
    let parts: Vec<_> = error.strip_suffix('\0').unwrap().split('\0').collect();
    let reason = |what: &str, name: &str, sentence: &str| {
        let rest = sentence.strip_prefix(&format!("Malformed {what}: {name}: ")).unwrap();
        (what.to_owned(), name.to_owned(), rest.strip_suffix('.').unwrap().to_owned())
    };
    let (errors, rest) = parts.as_chunks::<3>();
    assert!(rest.is_empty(), "{error}");
    errors.iter().map(|[what, name, sentence]| reason(what, name, sentence)).collect()
}

fn error(what: &str, name: &str, reason: impl Into<String>) -> (String, String, String) {
    (what.to_owned(), name.to_owned(), reason.into())
}

#[test]
fn an_error_says_what_is_wrong_with_a_call() {
    let found = |found: &str| format!("expected a value that a path can contain, found '{found}'");
    let id = |value: &str| error("parameter", "id", found(value));
    let long = "a".repeat(256);
    let key = error("header", "Idempotency-Key", "expected 1 to 255 printable ASCII characters");
    for (call, errors) in [
        (by("getById", ""), vec![id("")]),
        (by("deleteById", "."), vec![id(".")]),
        (by("getById", "searchApiPattern"), vec![id("searchApiPattern")]),
        (by("getById", "key=a"), vec![id("key=a")]),
        (by("getById", "a\nb"), vec![id("a\nb")]),
        (
            by("getByKey", &"a".repeat(257)),
            vec![error("parameter", "key", found(&"a".repeat(limits::QUOTED_CHARS)))],
        ),
        (by("getByKey", ".."), vec![error("parameter", "key", found(".."))]),
        (
            Input { variables: ["", ".."], ..by("updateByPath", "") },
            vec![
                error("parameter", "uriParameterOne", found("")),
                error("parameter", "uriParameterTwo", found("..")),
            ],
        ),
        (Input { idempotency_key: Some("a\nb"), ..by("deleteById", "id") }, vec![key.clone()]),
        (Input { idempotency_key: Some(&long), ..by("deleteById", "id") }, vec![key.clone()]),
        (Input { idempotency_key: Some(""), ..by("deleteById", "id") }, vec![key.clone()]),
    ] {
        assert_eq!(wrong(&call), errors);
    }
}

#[test]
fn an_error_says_what_is_wrong_with_parameters_and_headers() {
    let client = client();
    let of = |text: &str| request(&client, &Input { params: &[("expand", text)], ..by("getById", "a") });
    let rest = of("").unwrap().0.len() - "https://a.test".len();
    assert!(of(&"a".repeat(limits::TARGET_BYTES - rest)).is_ok());
    let long = "a".repeat(limits::TARGET_BYTES - rest + 1);
    let unknown = |name: &str| {
        let takes = "optionalQueryParameter, secondOptionalQueryParameter, expand, fields";
        error("parameter", name, format!("'{name}' is unknown; this operation accepts {takes}"))
    };
    for (params, errors) in [
        (
            &[("expand", "a"), ("expnd", "a"), ("version", "1")][..],
            [unknown("expnd"), unknown("version")].to_vec(),
        ),
        (
            &[("optionalQueryParameter", "a"), ("optionalQueryParameter", "b")],
            vec![error("parameter", "optionalQueryParameter", "it may be passed only once")],
        ),
        (&[("expand", &long)], vec![error("parameter", "query", "the path and query are too long")]),
    ] {
        assert_eq!(wrong(&Input { params, ..by("getById", "a") }), errors);
    }
    let none = Input { params: &[("a", "b")], ..by("createOrUpdate", "") };
    assert_eq!(wrong(&none)[0].2, "'a' is unknown; this operation accepts no parameters");
    for (name, value) in [("X A", "b"), ("X-A", "\n"), ("X-Ä", "b")] {
        let call = Input { headers: &[(name, value)], ..by("getById", "a") };
        assert_eq!(wrong(&call), [error("header", name, "expected printable ASCII")]);
    }
}

#[test]
fn an_error_names_every_parameter_of_a_wrong_type_or_range() {
    let object = r#"{"arrayOfIntExample":[1.5]}"#;
    let errors = |name, params: &[(&str, &str)]| -> Vec<_> {
        wrong(&Input { params, ..by(name, "a") }).into_iter().map(|(_, name, _)| name).collect()
    };
    for (param, value) in [
        ("limit", "501"),
        ("limit", "-1"),
        ("limit", "1.5"),
        ("limit", "x"),
        ("limit", ""),
        ("offset", "10001"),
        ("integerParameter", "1.5"),
        ("integerParameter", "9007199254740992"),
        ("floatParameter", "NaN"),
        ("withTotal", "yes"),
        ("withTotal", "1"),
        ("objectParameter", "[]"),
        ("objectParameter", object),
        ("var.a b", "1"),
        ("var.", "1"),
        ("where", "\0"),
    ] {
        assert_eq!(errors("query", &[(param, value)]), [param], "{value}");
    }
    let many = &[("limit", "501"), ("withTotal", "yes"), ("var.x", "fine"), ("objectParameter", object)];
    assert_eq!(errors("query", many), ["objectParameter", "limit", "withTotal"]);
    for (param, value) in [("text.EN", "a"), ("text.eng", "a"), ("fuzzyLevel", "3"), ("staged", "no")] {
        assert_eq!(errors("search", &[(param, value)]), [param], "{value}");
    }
    assert_eq!(errors("deleteById", &[("version", "-1")]), ["version"]);
    let reason = &wrong(&Input { params: &[("objectParameter", object)], ..by("query", "") })[0].2;
    assert_eq!(reason, "Malformed item of 'arrayOfIntExample': expected an integer, found 1.5");
}

#[test]
fn parameters_are_sent_in_the_order_of_presentation() {
    let params = &[
        ("var.b", "2"),
        ("expand", "x.y"),
        ("sort", "id asc"),
        ("where", "a = \"ä&+%\""),
        ("var.a", ""),
        ("sort", "key"),
        ("limit", "5"),
    ];
    let (url, _) = request(&client(), &Input { params, ..by("querySorted", "") }).unwrap();
    assert_eq!(
        url,
        "https://a.test/p/resource/sorted-query-parameters?where=a%20%3D%20%22%C3%A4%26%2B%25%22&sort=id%20asc&sort=key\
         &limit=5&expand=x.y&var.b=2&var.a="
    );
}

#[test]
fn headers_express_the_options_of_a_call() {
    let headers = &[("X-Correlation-ID", "correlation")];
    let update = Input { respond_async: true, headers, ..by("updateWithUrnLinks", "") };
    let fresh = Input { fresh: true, ..by("getById", "a") };
    let aged = Input { max_age: 7, ..by("query", "") };
    for (call, name, value) in [
        (&aged, "Cache-Control", Some("max-age=7")),
        (&Input { fresh: true, ..aged }, "Cache-Control", Some("no-cache")),
        (&aged, "Resource-Min-Revision", None),
        (&update, "Content-Type", Some("application/json")),
        (&update, "Idempotency-Key", Some("key")),
        (&update, "Prefer", Some("respond-async")),
        (&update, "X-Correlation-ID", Some("correlation")),
        (&update, "Cache-Control", None),
        (&fresh, "Cache-Control", Some("no-cache")),
        (&fresh, "Content-Type", None),
        (&fresh, "Idempotency-Key", None),
        (&fresh, "Resource-Min-Revision", None),
        (&by("deleteById", "a"), "Idempotency-Key", Some("key")),
        (&by("deleteById", "a"), "Content-Type", None),
    ] {
        assert_eq!(header(&client(), call, name).as_deref(), value, "{name}");
    }
}

#[test]
fn what_the_call_asks_for_has_precedence_over_the_callers_headers() {
    let headers = &[("cache-control", "max-age=9")];
    let (_, headers) = request(&client(), &Input { fresh: true, headers, ..by("getById", "a") }).unwrap();
    assert_eq!(headers, [("Cache-Control".to_owned(), "no-cache".to_owned())]);
}
