//! Attacks that are visible only in the log and the effects of the handler. `src/guide/operate/security.md` lists every
//! attack with its tests.

use resource_edge::util::percent;

use super::*;

/// One request for each operation. `#` is the project, and `@` the ID.
const OPERATIONS: [(&str, &str); 14] = [
    ("GET /#/resource", ""),
    ("HEAD /#/resource", ""),
    ("GET /#/resource/@", ""),
    ("HEAD /#/resource/@", ""),
    ("GET /#/resource/key=@", ""),
    ("GET /#/resource/searchApiPattern", ""),
    ("GET /#/resource/sorted-query-parameters", ""),
    ("POST /#/resource", r#"{"objectTypeProperty":{}}"#),
    ("PUT /#/resource", r#"{"version":0,"objectTypeProperty":{}}"#),
    ("PATCH /#/resource", r#"{"version":0,"objectTypeProperty":{}}"#),
    ("POST /#/resource/@", r#"{"version":9,"actions":[]}"#),
    ("DELETE /#/resource/@?version=9", ""),
    ("POST /#/resource/description-with-urn-links", "{}"),
    ("POST /#/resource/artificially-complex/path/uri-parameter-one=a/b", "{}"),
];

#[test]
fn a_request_for_another_project_reads_nothing_so_its_time_reveals_nothing() {
    let mut caller = Caller::with(&json!({"HOT_SECONDS": "0"}));
    let there = json!({"id": "there", "key": "there", "objectTypeProperty": {}});
    caller.create(&there);
    let answers = |caller: &Caller, project: &str, id: &str| -> Vec<_> {
        let line = |line: &str| line.replace('#', project).replace('@', id);
        OPERATIONS.iter().map(|(text, body)| caller.effects(&line(text), &[], body)).collect()
    };
    // The token is for `p`. `q` has the same resource, and `r` has never had a write.
    let of_p = core::mem::take(&mut caller.token);
    caller.token = caller.token_for("manage_test:q");
    assert_eq!(caller.write("POST /q/resource", &there).status, 201);
    caller.token = of_p;
    for (project, id) in [("q", "there"), ("q", "none"), ("r", "there")] {
        for (effects, status) in answers(&caller, project, id) {
            assert_eq!((effects.as_slice(), status), (&[] as &[&str], 403), "{project} {id}");
        }
    }
    // In the caller's own project, the same requests need effects.
    assert!(answers(&caller, "p", "there").iter().all(|(effects, _)| !effects.is_empty()));
}

/// Characters that affect terminals, editors, and line readers: CR, LF, NUL, ANSI escapes in both forms, next line,
/// line and paragraph separators, a change of direction, DEL, and a quote that would end the text.
const HOSTILE: &str =
    "x\r\n{\"level\":\"info\"}\0\u{1b}[31m\u{9b}0m\u{85}\u{2028}\u{2029}\u{202e}\u{7f}\",\"level\":\"info";

#[test]
fn a_cause_is_escaped_in_its_line_of_the_log() {
    let caller = Caller::new();
    let sent = caller.request_of("GET /p/resource/a", &[], "");
    let got = caller.drive(&sent, |_| Some(EffectOutcome::Failed(HOSTILE.to_owned())));
    assert_eq!(got.status, 503);
    let line = caller.last_line();
    // KV fails, then the object.
    let cause = format!("{HOSTILE}; {HOSTILE}");
    assert_eq!((&line["level"], &line["cause"]), (&json!("error"), &json!(cause)));
}

#[test]
fn a_request_is_escaped_in_its_line_of_the_log() {
    let caller = Caller::new();
    let mut encoded = String::new();
    percent::encode(&mut encoded, HOSTILE);
    let body = json!({"id": HOSTILE, "key": HOSTILE, "objectTypeProperty": {}}).to_string();
    for (line, headers, body) in [
        (format!("GET /p/resource/{encoded}"), vec![], ""),
        (format!("GET /p/resource/key={encoded}"), vec![], ""),
        (format!("GET /{encoded}/resource"), vec![], ""),
        (format!("GET /p/resource?{encoded}={encoded}"), vec![], ""),
        (format!("GET /{encoded}"), vec![], ""),
        ("GET /p/resource".to_owned(), vec![("X-Correlation-ID", HOSTILE)], ""),
        ("GET /p/resource".to_owned(), vec![("Accept", HOSTILE), ("Origin", HOSTILE)], ""),
        ("POST /p/resource".to_owned(), vec![("Idempotency-Key", HOSTILE)], &body),
        ("POST /p/resource".to_owned(), vec![("Prefer", HOSTILE), ("If-Match", HOSTILE)], &body),
        ("POST /p/resource".to_owned(), vec![], &body),
        ("P\r\nX\u{1b} /p/resource".to_owned(), vec![], ""),
    ] {
        let _ = caller.effects(&line, &headers, body);
        let logged = caller.last_line();
        assert_ne!(logged["correlationId"], HOSTILE);
        assert!(
            ["edge", "memory", "kv", "object"].contains(&logged["source"].as_str().unwrap_or_default()),
            "{logged}"
        );
    }
}

#[test]
fn the_log_contains_neither_tokens_nor_secrets_nor_ids() {
    let caller = Caller::new();
    caller.create(
        &json!({"id": "private-id", "key": "private-key", "custom": "private", "objectTypeProperty": {}}),
    );
    caller.get("/p/resource/private-id");
    caller.get("/p/resource/key=private-key");
    caller.get("/p/resource?where=custom%3D%22private%22&var.x=private");
    caller.get("/p/resource/searchApiPattern?text.en=private");
    caller.edge.faults.objects.set(true);
    assert_eq!(caller.fresh("/p/resource/private-id").status, 503);
    let log = caller.edge.log.borrow().join("\n");
    for secret in ["private", "tests-secret", &caller.token, "more than 32 bytes"] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}
