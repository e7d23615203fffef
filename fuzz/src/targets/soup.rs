//! Random requests built from parts of valid requests, so that many reach the last steps of the handler.

use proptest::prelude::*;
use resource_edge::contract::param::ParamId;

/// Generates one of the words in a text, or one of the others: words that contain white space, or none.
fn word(text: &'static str, others: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    let words: Vec<&str> = text.split_whitespace().chain(others.iter().copied()).collect();
    prop::sample::select(words).prop_map(str::to_owned)
}

/// Parts of valid requests.
fn piece() -> impl Strategy<Value = String> {
    let known = word(
        r#"p resource a key= key=k searchApiPattern sorted-query-parameters artificially-complex path uri-parameter-one=
        description-with-urn-links oauth token introspect health % %00 %ff %2F .. . ä %C3%A4 + = " * openapi.json"#,
        &["", " "],
    );
    prop_oneof![4 => known, 1 => "\\PC{0,6}", 1 => "[!-~]{0,8}"]
}

fn parameter() -> impl Strategy<Value = String> {
    // The names of families, and what no list has.
    let others = ["var.a", "text.en", "grant_type", "scope", "nope", ""];
    let names: Vec<&str> = ParamId::ALL.iter().map(|id| id.name()).chain(others).collect();
    let name = prop::sample::select(names);
    let value = prop_oneof![
        word(
            "1 0 -1 1.5 1e3 NaN true false id key+asc a.b a[*].b x id+=+%22a%22 not+(id+is+defined)
            arrayOfIntExample+contains+any+(1,2) %7B%7D %7B%22arrayOfIntExample%22:[1]%7D within+circle :a (((( %22
            client_credentials view_test:p a:%22b%22 arrayOfIntExample:range(1+to+2) 99999999999999999999",
            &["key desc"],
        ),
        "\\PC{0,10}",
        "[!-~]{0,16}",
    ];
    (name, value, any::<bool>())
        .prop_map(|(name, value, pair)| if pair { format!("{name}={value}") } else { name.to_owned() })
}

/// Generates a header that the service reads, or another.
pub fn header() -> impl Strategy<Value = (String, String)> {
    let name = word(
        "Authorization Content-Type Content-Encoding Accept Origin X-Correlation-ID Cache-Control Resource-Min-Revision
        If-Match If-None-Match Idempotency-Key Prefer Access-Control-Request-Headers X-Other",
        &[],
    );
    let value = prop_oneof![
        word(
            r#"* "a" W/"a" " no-cache respond-async application/json text/plain gzip identity 0 1704067200001
            18446744073709551616 -1 application/problem+json Basic https://shop.example key-1
            application/x-www-form-urlencoded"#,
            &["\"a\", \"b\"", "Bearer x.y.z", "Basic dGVzdHM6dGVzdHMtc2VjcmV0", ""],
        ),
        "[ -~]{0,20}",
        "[ -~]{250,260}",
    ];
    (name, value.prop_map(|value| value.trim().to_owned()))
}

/// Generates a body: a valid one, one with a changed piece, or bytes.
pub fn body() -> impl Strategy<Value = Vec<u8>> {
    let good = prop::sample::select(vec![
        "",
        "{}",
        "{\"objectTypeProperty\":{}}",
        "{\"version\":1,\"objectTypeProperty\":{\"arrayOfIntExample\":[1,2]}}",
        "{\"id\":\"a\",\"key\":\"k\",\"objectTypeProperty\":{\"arrayOfObjectType\":[{\"integerExample\":1}],\"arrayOfFloatExample\":[0.1]}}",
        "{\"version\":1,\"actions\":[{\"action\":\"changeSomeProperty\",\"someProperty\":\"x\"},{\"action\":\"doSomeThing\"}]}",
        "{\"id\":\"a\",\"version\":\"1\",\"createdBy\":{\"firstName\":\"A\"},\"custom\":\"c\",\"eigthProperty\":\"8\"}",
        "grant_type=client_credentials&scope=view_test:p",
        "token=x",
    ]);
    let changed = (good.clone(), any::<prop::sample::Index>(), any::<u8>(), 0..4_u8).prop_map(
        |(text, at, byte, how)| {
            let mut bytes = text.as_bytes().to_vec();
            let at = at.index(bytes.len() + 1);
            match how {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, byte),
                2 if at < bytes.len() => bytes[at] = byte,
                _ => {
                    let tail = bytes[at..].to_vec();
                    bytes.extend(tail);
                }
            }
            bytes
        },
    );
    let word = word(
        r#"{ } [ ] , : " \u \ud800 null true 1 -0 1e999 "a" "objectTypeProperty" "version" "actions" "action" ä"#,
        &[" ", "\0"],
    );
    let words = prop::collection::vec(word, 0..40);
    prop_oneof![
        3 => good.prop_map(|text| text.as_bytes().to_vec()),
        3 => changed,
        2 => words.prop_map(|words| words.concat().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..60),
        1 => (1..2_000_usize).prop_map(|depth| "[".repeat(depth).into_bytes()),
    ]
}

/// Generates a path with its query.
pub fn target() -> impl Strategy<Value = String> {
    let known = word(
        "/p/resource /p/resource/a /p/resource/key=k /p/resource/sorted-query-parameters
        /p/resource/description-with-urn-links /p/resource/artificially-complex/path/uri-parameter-one=x/y
        /oauth/token /oauth/introspect /health /p/status /p/export /p/import",
        &[],
    );
    let free = prop::collection::vec(piece(), 0..7).prop_map(|pieces| format!("/{}", pieces.join("/")));
    let path = prop_oneof![3 => known, 2 => free];
    (path, prop::collection::vec(parameter(), 0..4)).prop_map(|(path, parameters)| {
        // A path ends where the query begins.
        let path = path.replace('?', "");
        if parameters.is_empty() { path } else { format!("{path}?{}", parameters.join("&")) }
    })
}

pub fn method() -> impl Strategy<Value = String> {
    prop_oneof![9 => word("GET HEAD POST PUT PATCH DELETE OPTIONS TRACE get", &[""]), 1 => "[A-Z]{1,9}"]
}
