//! The bytes of messages to a project's object, and of stored replies, in `wire/format-N.txt`. Another version of the
//! code reads them during a deploy, so they change only with `FORMAT`.
//!
//! `RECORD=1` adds the lines that are missing in the file of the current format, and never changes an existing line.
//! `make generate` does so.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use resource_edge::call::{
    Call, CallResult, Cost, Lookup, Message, More, Outcome, Read, ReplyHead, ResourceHead, wire,
};
use resource_edge::contract::api::endpoint::CallId;
use resource_edge::contract::error::{ApiError, Code, Member, Reason};
use resource_edge::contract::position::{FeedPosition, ProjectPosition};
use resource_edge::predicate::{Typed, Variables, check, parse};
use resource_edge::rights::Rights;
use resource_edge::shape::{ObjectId, Shape};

use super::*;

/// A request: its line, its headers, and its body.
type Sample = (&'static str, &'static [(&'static str, &'static str)], &'static str);

/// Requests whose message to the object has a new form.
const REQUESTS: &[Sample] = &[
    ("POST /p/resource", &[], r#"{"objectTypeProperty":{}}"#),
    ("POST /p/resource", &[], FULL),
    ("PATCH /p/resource", &[], r#"{"id":"a","version":1,"objectTypeProperty":{"arrayOfIntExample":[]}}"#),
    ("PUT /p/resource", &[("Idempotency-Key", "once")], r#"{"id":"b","version":0,"objectTypeProperty":{}}"#),
    ("POST /p/resource/a", &[("If-Match", "*")], ACTIONS),
    (NINE, &[("Prefer", "respond-async")], COMPLEX),
    ("POST /p/resource/description-with-urn-links", &[("If-None-Match", "W/\"a.1\", \"b.2\"")], COMPLEX),
    ("DELETE /p/resource/b", &[], ""),
    ("DELETE /p/resource/b?version=7", &[], ""),
    ("GET /p/resource/a", &[("Cache-Control", "no-cache")], ""),
    ("GET /p/resource/key=k", &[("Cache-Control", "no-cache")], ""),
    ("GET /p/resource", &[], ""),
    ("GET /p/resource?limit=7&offset=3&withTotal=false&sort=createdAt%20desc&sort=key%20asc", &[], ""),
    ("GET /p/resource?objectParameter=%7B%22arrayOfIntExample%22%3A%5B2%5D%7D", &[], ""),
    ("HEAD /p/resource", &[], ""),
    ("GET /p/resource/sorted-query-parameters?sort=id%20asc", &[], ""),
    ("GET /p/resource/searchApiPattern", &[], ""),
    ("GET /p/resource/searchApiPattern?text.en=two%20words&fuzzy=true&fuzzyLevel=1&staged=true", &[], ""),
    ("GET /p/resource/searchApiPattern?filter=arrayOfIntExample:7,5&filter.query=custom:exists", &[], ""),
    ("GET /p/resource/searchApiPattern?filter.facets=custom:missing&filter=custom:%22x%22", &[], ""),
    ("GET /p/resource/searchApiPattern?filter=arrayOfIntExample:range(*%20to%205),(36%20to%20*)", &[], ""),
    ("GET /p/resource/searchApiPattern?facet=arrayOfIntExample&facet=custom%20as%20words", &[], ""),
    ("GET /p/resource/searchApiPattern?facet=arrayOfIntExample:36,8%20as%20values", &[], ""),
    (
        "GET /p/resource/searchApiPattern?facet=arrayOfIntExample:range(1%20to%205)%20counting%20products",
        &[],
        "",
    ),
    ("GET /health", &[], ""),
    ("GET /p/status", &[], ""),
    ("GET /p/export", &[], ""),
    ("GET /p/export?after=07.7", &[], ""),
    ("GET /p/changes", &[], ""),
    ("GET /p/changes?after=now&limit=7&wait=25", &[], ""),
    ("GET /p/changes?after=now&where=version%3D1", &[], ""),
    ("GET /p/changes", &[("Upgrade", "websocket"), ("Sec-WebSocket-Protocol", "resource-edge.changes")], ""),
    (
        "GET /p/changes?where=version%3D1",
        &[("Upgrade", "websocket"), ("Sec-WebSocket-Protocol", "resource-edge.changes")],
        "",
    ),
    ("POST /p/restore?bookmark=9007199254740991&confirm=p", &[], ""),
    ("POST /p/import", &[("Content-Type", "application/x-ndjson")], "{}\n"),
    ("DELETE /p/data?confirm=p", &[], ""),
    (
        "POST /p/batch",
        &[("Idempotency-Key", "all")],
        r#"{"writes":[{"operation":"createOrUpdate","body":{"id":"c","objectTypeProperty":{}}},
        {"operation":"updateById","id":"c","body":{"version":1,"actions":[{"action":"doSomeThing"}]}},
        {"operation":"deleteById","id":"c","version":2}]}"#,
    ),
];

const NINE: &str = "POST /p/resource/artificially-complex/path/uri-parameter-one=one/two";
const FULL: &str = r#"{"id":"a","version":0,"key":"k","createdBy":{"firstName":"f","lastName":"l"},
    "lastModifiedBy":{"lastName":"m"},"someProperty":"1","eigthProperty":"2","ninthProperty":"3","tenthProperty":"4",
    "eleventhPropery":"5","twelthProperty":"6","thirteenthProperty":"7","fourteenthProperty":"8","fifteenthProperty":"9",
    "custom":"10","objectTypeProperty":{"arrayOfIntExample":[1],"arrayOfUniqueIntExample":[2],
    "arrayOfTwonumbersExample":[3,4],"arrayOfFloatExample":[0.5],"arrayOfNumberNoDefaultsExample":[6],
    "arrayOfStringExample":["s"],"arrayOfObjectType":[{"integerExample":7,"integerExampleInt32":8}]}}"#;
const ACTIONS: &str = r#"{"version":1,"actions":[{"action":"doSomeThing"},
    {"action":"changeSomeProperty","someProperty":"new"}]}"#;
const COMPLEX: &str = r#"{"key":"k","version":"3","custom":"c","lastModifiedBy":{"firstName":"x"}}"#;

/// Predicates with every operator and every form of a value.
const PREDICATES: [&str; 11] = [
    "key = \"a\" and custom != \"b\" or not (version > 1)",
    "version < 2 and version <= 3 and version >= 4",
    "key in (\"a\", \"b\") and version not in (1, 2)",
    "arrayOfIntExample contains all (1, 2) and arrayOfIntExample contains any (3)",
    "arrayOfFloatExample is empty or arrayOfFloatExample is not empty",
    "custom is defined or custom is not defined",
    "custom matches ignore case \"x\"",
    "arrayOfTwonumbersExample within circle(1, 2, 3)",
    "createdAt < \"2024-01-01T00:00:00.000Z\"",
    "arrayOfFloatExample = 0.5",
    "createdBy(firstName = \"f\")",
];

/// Returns the path of the file of the current format.
fn path() -> PathBuf {
    let name = format!("tests/native/handler/wire/format-{}.txt", wire::FORMAT);
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn position(began: u64) -> FeedPosition {
    FeedPosition::new(ProjectPosition { history: "07".to_owned(), revision: 7 }, began)
}

fn encoded(value: &impl serde::Serialize) -> String {
    hex(&wire::encode(value).unwrap())
}

/// Returns the messages of requests, by request. They are of every call.
#[allow(clippy::too_many_lines, reason = "one story")]
fn messages() -> Vec<(String, String)> {
    let caller = Caller::with(&json!({"CONSOLE": "off"}));
    let mut all = Vec::new();
    let mut calls = Vec::new();
    caller.get("/p/status");
    caller.edge.keep("p");
    let mut send = |line: &str, headers: &[(&str, &str)], body: &str| {
        caller.edge.last_message.borrow_mut().clear();
        let got = caller.ask(line, headers, body.as_bytes());
        let message = caller.edge.last_message.borrow();
        if !message.is_empty() {
            calls.extend(wire::decode::<Message>(&message).unwrap().call.id());
            let headers =
                headers.iter().map(|(name, value)| format!(" {name}: {value}")).collect::<Vec<_>>().concat();
            all.push((format!("{line}{headers}"), hex(&message)));
        }
        (got.status, !message.is_empty())
    };
    let mut refused = Vec::new();
    for &(line, headers, body) in REQUESTS {
        let (status, arrived) = send(line, headers, body);
        if !arrived {
            refused.push((line.to_owned(), status));
        }
    }
    // Each field, with the first of these tests that it has.
    let mut conditions: Vec<String> = PREDICATES.map(str::to_owned).into();
    let shape = Shape::built_in();
    let fields = [ObjectId::Draft, ObjectId::Arrays].map(|id| &shape.object(id).fields);
    for field in fields.into_iter().flatten() {
        let tests = ["is empty", "= \"x\"", "= 1", "< \"2024-01-01T00:00:00.000Z\"", "is defined"];
        let tests = tests.map(|test| format!("{} {test}", field.name));
        let is_taken =
            |text: &&String| parse(text).is_ok_and(|one| check(&shape, &one, &Variables::default()).is_ok());
        conditions.extend(tests.iter().find(is_taken).cloned());
    }
    for condition in conditions {
        let query = condition.replace('%', "%25").replace(' ', "%20").replace('"', "%22").replace('=', "%3D");
        let (status, arrived) = send(&format!("GET /p/resource?where={query}"), &[], "");
        if !arrived {
            refused.push((condition, status));
        }
    }
    assert!(refused.is_empty(), "no message for {refused:#?}");
    for id in CallId::ALL {
        assert!(calls.contains(id), "no message of {}: add a request to REQUESTS", id.row().name);
    }
    let [read, create, update] = [Typed::True, Typed::False, Typed::True];
    let rights = Rights { read, create, update, delete: Typed::False, fixed: vec!["key".to_owned()] };
    let call = Call::Read(Read::Resource(Lookup::Id("a".to_owned()))).limited(rights);
    all.push(("a user reads a".to_owned(), encoded(&Message { project: "p".to_owned(), call })));
    all
}

/// Returns the heads of replies with their descriptions.
fn replies() -> Vec<(String, String)> {
    let cost = Cost { statements: 1, rows_read: 2, rows_written: 3 };
    let head = |result, by_index| ReplyHead { result, replayed: true, cost, by_index, newest: Some(7) };
    let resource =
        |outcome| CallResult::Resource(ResourceHead { outcome, id: "a".to_owned(), revision: 1, newest: 2 });
    let outcomes = [Outcome::Done, Outcome::Created, Outcome::Placed, Outcome::Accepted, Outcome::Deleted];
    let mut all: Vec<(String, CallResult)> =
        outcomes.map(|outcome| (format!("{outcome:?}"), resource(outcome))).into();
    for (name, result) in [
        ("a page", CallResult::Performed),
        ("exists", CallResult::Exists(true)),
        ("an export", CallResult::Export(Some(ProjectPosition { history: "07".to_owned(), revision: 7 }))),
        ("replication", CallResult::Replication { bypass_kv: true }),
        ("changes", CallResult::Changes { to: position(0), more: More::Idle }),
        ("a batch", CallResult::Batch { newest: 7 }),
        ("a page of changes", CallResult::Changes { to: position(9), more: More::Page }),
    ] {
        all.push((name.to_owned(), result));
    }
    for code in Code::ALL {
        let mut error = ApiError::new(*code, "x").with(Member::Line, 7_i64);
        error = error.with(Member::Expected, ["y"].as_slice());
        error.retry_after = Some(1);
        error.revision = Some(2);
        error.allow = Some("GET".to_owned());
        all.push((format!("error {code:?}"), CallResult::Error(error)));
    }
    let mut all: Vec<_> = all
        .into_iter()
        .map(|(name, result)| (format!("reply: {name}"), encoded(&head(result, Some(false)))))
        .collect();
    for reason in Reason::ALL {
        all.push((format!("reason {reason:?}"), encoded(reason)));
    }
    for member in Member::ALL {
        all.push((format!("member {member:?}"), encoded(member)));
    }
    all
}

#[test]
fn bytes_between_versions_change_only_with_the_format() {
    let now: BTreeMap<String, String> = messages().into_iter().chain(replies()).collect();
    assert!(now.len() > 100, "{}", now.len());
    let committed = fs::read_to_string(path()).unwrap_or_default();
    let mut known: BTreeMap<String, String> = committed
        .lines()
        .filter_map(|line| line.rsplit_once(" = "))
        .map(|(name, bytes)| (name.to_owned(), bytes.to_owned()))
        .collect();
    let changed: Vec<_> =
        known.iter().filter(|(name, bytes)| now.get(*name) != Some(bytes)).map(|(name, _)| name).collect();
    assert!(
        changed.is_empty(),
        "bytes changed, so that other versions of the code cannot read them: raise FORMAT in src/call/wire.rs, and run \
         `make generate`. (If this format was never released: delete {}.) {changed:#?}",
        path().display()
    );
    if env::var_os("RECORD").is_some() {
        known = now.clone();
        let lines: Vec<_> = known.iter().map(|(name, bytes)| format!("{name} = {bytes}\n")).collect();
        fs::write(path(), lines.concat()).unwrap();
    }
    let missing: Vec<_> = now.keys().filter(|name| !known.contains_key(*name)).collect();
    assert!(missing.is_empty(), "run `make generate`, which adds {missing:#?}");
}
