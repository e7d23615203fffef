//! Random writes, compared with a model as simple as the contract's table (section 3): a map of records.

mod collection;

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use resource_edge::contract::api::endpoint::{Access, operations};
use serde_json::{Map, Value, json};

use crate::support::caller::Caller;
use crate::support::edge::{Got, Sent};
use crate::support::json::mismatch;

use collection::{How, Model, Wanted};

#[derive(Debug, Clone)]
enum Step {
    Post {
        target: Target,
        version: Option<u64>,
        fields: Fields,
    },
    Put {
        target: Target,
        version: u64,
        fields: Fields,
    },
    Patch {
        target: Target,
        version: u64,
        fields: Fields,
    },
    Complex {
        target: Target,
        version: Option<u64>,
        nine: bool,
        receipt: bool,
        custom: Option<u8>,
    },
    Update {
        id: u8,
        version: u64,
        some: Vec<Option<u8>>,
    },
    Delete {
        id: u8,
        version: Option<u64>,
    },
    /// Sends the previous step again with its idempotency key.
    Repeat,
    Restart,
    Freeze(bool),
    ClockBack,
    Hold(bool),
}

#[derive(Debug, Clone)]
struct Target {
    id: Option<u8>,
    key: Option<u8>,
}

#[derive(Debug, Clone)]
struct Fields {
    ints: Option<Vec<i8>>,
    strings: Option<Vec<u8>>,
    some: Option<u8>,
    modified_by: bool,
}

fn steps() -> impl Strategy<Value = Step> {
    let target = || {
        (prop::option::weighted(0.7, 0..3_u8), prop::option::weighted(0.5, 0..3_u8))
            .prop_map(|(id, key)| Target { id, key })
    };
    let fields = || {
        (
            prop::option::of(prop::collection::vec(any::<i8>(), 0..3)),
            prop::option::of(prop::collection::vec(0..4_u8, 0..3)),
            prop::option::of(0..4_u8),
            any::<bool>(),
        )
            .prop_map(|(ints, strings, some, modified_by)| Fields {
                ints,
                strings,
                some,
                modified_by,
            })
    };
    let version = || 1..5_u64;
    prop_oneof![
        6 => (target(), prop::option::weighted(0.3, version()), fields())
            .prop_map(|(target, version, fields)| Step::Post { target, version, fields }),
        4 => (target(), version(), fields()).prop_map(|(target, version, fields)| Step::Put { target, version, fields }),
        3 => (target(), version(), fields()).prop_map(|(target, version, fields)| Step::Patch { target, version, fields }),
        3 => (target(), prop::option::weighted(0.3, version()), any::<bool>(), any::<bool>(), prop::option::of(0..4_u8))
            .prop_map(|(target, version, nine, receipt, custom)| Step::Complex { target, version, nine, receipt, custom }),
        5 => (0..3_u8, version(), prop::collection::vec(prop::option::of(0..4_u8), 0..3))
            .prop_map(|(id, version, some)| Step::Update { id, version, some }),
        3 => (0..3_u8, prop::option::weighted(0.5, version())).prop_map(|(id, version)| Step::Delete { id, version }),
        2 => Just(Step::Repeat),
        1 => Just(Step::Restart),
        1 => any::<bool>().prop_map(Step::Freeze),
        1 => Just(Step::ClockBack),
        1 => any::<bool>().prop_map(Step::Hold),
    ]
}

/// A request that the model built.
#[derive(Debug, Clone)]
struct Request {
    line: String,
    body: Option<Value>,
    receipt: bool,
    key: String,
}

fn body(target: &Target, fields: Option<&Fields>) -> Map<String, Value> {
    let mut body = Map::new();
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            body.insert(name.to_owned(), value);
        }
    };
    set("id", target.id.map(|id| json!(format!("r{id}"))));
    set("key", target.key.map(|key| json!(format!("k{key}"))));
    if let Some(fields) = fields {
        let mut arrays = Map::new();
        if let Some(ints) = &fields.ints {
            arrays.insert("arrayOfIntExample".to_owned(), json!(ints));
        }
        if let Some(strings) = &fields.strings {
            let strings: Vec<String> = strings.iter().map(|text| format!("t{text}")).collect();
            arrays.insert("arrayOfStringExample".to_owned(), json!(strings));
        }
        set("objectTypeProperty", Some(Value::Object(arrays)));
        set("someProperty", fields.some.map(|text| json!(format!("s{text}"))));
        set("lastModifiedBy", fields.modified_by.then(|| json!({"firstName": "A"})));
    }
    body
}

/// Returns the request of a step and the response that the model requires; nothing if the step does nothing.
fn perform(model: &mut Model, step: &Step, number: usize) -> Option<(Request, Wanted)> {
    let request = |line: &str, body: Option<Value>, receipt| Request {
        line: line.to_owned(),
        body,
        receipt,
        key: format!("key-{number}"),
    };
    Some(match step {
        Step::Post { target, version, fields } => {
            let mut body = body(target, Some(fields));
            if let Some(version) = version {
                body.insert("version".to_owned(), json!(version));
            }
            let body = Value::Object(body);
            let how = How { expected: *version, whole: false, must_exist: false, arrays: None };
            (request("POST /p/resource", Some(body.clone()), false), model.write(&how, &body))
        }
        Step::Put { target, version, fields } | Step::Patch { target, version, fields } => {
            let must_exist = matches!(step, Step::Patch { .. });
            let mut body = body(target, Some(fields));
            body.insert("version".to_owned(), json!(version));
            let body = Value::Object(body);
            let how = How { expected: Some(*version), whole: true, must_exist, arrays: None };
            let line = if must_exist { "PATCH /p/resource" } else { "PUT /p/resource" };
            (request(line, Some(body.clone()), false), model.write(&how, &body))
        }
        Step::Complex { target, version, nine, receipt, custom } => {
            let mut body = body(target, None);
            if let Some(custom) = custom {
                body.insert("custom".to_owned(), json!(format!("c{custom}")));
            }
            let how = How { expected: *version, whole: false, must_exist: false, arrays: Some(*receipt) };
            let wanted = model.write(&how, &Value::Object(body.clone()));
            if let Some(version) = version {
                body.insert("version".to_owned(), json!(version.to_string()));
            }
            let line = if *nine {
                "POST /p/resource/artificially-complex/path/uri-parameter-one=x/y"
            } else {
                "POST /p/resource/description-with-urn-links"
            };
            (request(line, Some(Value::Object(body)), *receipt), wanted)
        }
        Step::Update { id, version, some } => {
            let actions: Vec<Value> = some
                .iter()
                .map(|text| match text {
                    Some(text) => json!({"action": "changeSomeProperty", "someProperty": format!("s{text}")}),
                    None => json!({"action": "doSomeThing"}),
                })
                .collect();
            let body = json!({"version": version, "actions": actions});
            let wanted = model.update(&format!("r{id}"), *version, some);
            (request(&format!("POST /p/resource/r{id}"), Some(body), false), wanted)
        }
        Step::Delete { id, version } => {
            let query = version.map(|version| format!("?version={version}")).unwrap_or_default();
            let wanted = model.delete(&format!("r{id}"), *version);
            (request(&format!("DELETE /p/resource/r{id}{query}"), None, false), wanted)
        }
        Step::Repeat | Step::Restart | Step::Freeze(_) | Step::ClockBack | Step::Hold(_) => return None,
    })
}

fn send(caller: &Caller, request: &Request) -> Got {
    let mut headers = vec![("Idempotency-Key", request.key.as_str())];
    if request.receipt {
        headers.push(("Prefer", "respond-async"));
    }
    let body = request.body.as_ref().map(Value::to_string).unwrap_or_default();
    caller.ask(&request.line, &headers, body.as_bytes())
}

/// Returns the record that a read must return, with any times, and any ID if the server generated it.
fn expected(record: &Value) -> Value {
    let mut expected = record.clone();
    if expected["id"].is_null() {
        expected["id"] = json!({"$any": "uuidv7"});
    }
    expected["createdAt"] = json!({"$any": "time"});
    expected["lastModifiedAt"] = json!({"$any": "time"});
    expected
}

/// Compares the response with the model, and stores the ID that the server generated in the model.
fn check(model: &mut Model, wanted: &Wanted, got: &Got) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{what}: wanted {wanted:?}, got {got:?}"));
    match wanted {
        Wanted::Record(status, record) => {
            if let Some(difference) = mismatch(&expected(record), &got.json()) {
                return fail(&difference);
            }
            if got.status != *status {
                return fail("status");
            }
        }
        Wanted::Arrays(status, record) => {
            let shown =
                if *status == 202 { json!({"$partial": true}) } else { record["objectTypeProperty"].clone() };
            if got.status != *status || mismatch(&shown, &got.json()).is_some() {
                return fail("arrays");
            }
        }
        Wanted::Conflict(version) => {
            if got.status != 409 || got.json()["errors"][0]["currentVersion"] != *version {
                return fail("conflict");
            }
        }
        Wanted::Error(status, code) => {
            if got.status != *status || got.json()["errors"][0]["code"] != *code {
                return fail("error");
            }
        }
    }
    // If the record has no ID yet, the response has its location.
    if let Some(made) = model.records.iter_mut().find(|record| record["id"].is_null()) {
        let location = got.header("Location").unwrap_or_default();
        made["id"] = json!(location.rsplit('/').next().unwrap_or_default());
    }
    Ok(())
}

/// Checks that all reads agree with the model: the query in its order, and each resource by ID and key.
fn check_all(caller: &Caller, model: &Model) -> Result<(), String> {
    let page = caller.get("/p/resource?limit=500").json();
    let all: Vec<Value> = model.records.iter().map(expected).collect();
    if let Some(difference) = mismatch(&json!(all), &page["results"]) {
        return Err(format!("the query differs from the model at {difference}"));
    }
    for record in page["results"].as_array().into_iter().flatten() {
        let id = record["id"].as_str().unwrap_or_default();
        if caller.fresh(&format!("/p/resource/{id}")).json() != *record {
            return Err(format!("a read of {id} differs from the query"));
        }
        if let Some(key) = record["key"].as_str()
            && caller.fresh(&format!("/p/resource/key={key}")).json() != *record
        {
            return Err(format!("a read of the key {key} differs from the query"));
        }
    }
    for id in model.deleted.keys().filter(|id| model.find("id", id).is_none()) {
        if caller.fresh(&format!("/p/resource/{id}")).status != 404 {
            return Err(format!("{id} was deleted and is there"));
        }
    }
    Ok(())
}

/// Checks that KV agrees with the query once everything is replicated.
fn check_kv(caller: &Caller) -> Result<(), String> {
    caller.edge.faults.drain_held.set(false);
    // A clock that was set back reaches the due times again.
    caller.edge.clock.set(caller.edge.clock.get() + 60_000);
    for project in caller.edge.projects.borrow().values() {
        caller.edge.drain(project);
    }
    let page = caller.get("/p/resource?limit=500").json();
    for record in page["results"].as_array().into_iter().flatten() {
        let id = record["id"].as_str().unwrap_or_default();
        let calls = caller.edge.object_calls.get();
        let read = caller.get(&format!("/p/resource/{id}"));
        if read.json() != *record || caller.edge.object_calls.get() != calls {
            return Err(format!("KV's copy of {id} differs from the source of truth: {read:?}"));
        }
    }
    let kv = caller.edge.kv.borrow();
    let alive =
        kv.iter().filter(|(entry, stored)| entry.starts_with("r1:") && !stored.value.is_empty()).count();
    if Some(alive) != page["results"].as_array().map(Vec::len) {
        return Err("KV contains resources that do not exist".to_owned());
    }
    Ok(())
}

#[test]
fn the_steps_include_every_write_of_the_table() {
    let (caller, mut runner) = (Caller::new(), TestRunner::deterministic());
    let mut covered = BTreeSet::new();
    for number in 0..300 {
        let step = steps().new_tree(&mut runner).expect("a step").current();
        let Some((request, _)) = perform(&mut Model::default(), &step, number) else { continue };
        let (method, target) = request.line.split_once(' ').expect("a method and a target");
        let sent = Sent {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: caller.headers(),
            body: request.body.map(|body| body.to_string().into_bytes()).unwrap_or_default(),
        };
        let (got, message) = caller.message(&sent);
        let message = message.unwrap_or_else(|| panic!("{step:?} reaches no object: {got:?}"));
        covered.insert(message.call.id().expect("an operation").row().name);
    }
    let writes = operations().filter(|row| row.access() == Some(Access::Write)).map(|row| row.name);
    assert_eq!(covered, writes.collect());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_writes_have_the_results_of_the_model(steps in prop::collection::vec(steps(), 1..30)) {
        let (caller, mut model) = (Caller::new(), Model::default());
        let mut last: Option<(Request, Got)> = None;
        let mut newest = 0;
        for (number, step) in steps.iter().enumerate() {
            match step {
                Step::Restart => caller.edge.restart(),
                Step::Freeze(frozen) => caller.edge.frozen.set(*frozen),
                Step::ClockBack => caller.edge.clock.set(caller.edge.clock.get() - 50),
                Step::Hold(held) => caller.edge.faults.drain_held.set(*held),
                Step::Repeat => {
                    if let Some((request, first)) = &last {
                        let again = send(&caller, request);
                        prop_assert_eq!((again.status, &again.body), (first.status, &first.body), "{:?}", request);
                        prop_assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
                        for header in ["ETag", "Location", "Resource-Revision", "Preference-Applied"] {
                            prop_assert_eq!(again.header(header), first.header(header), "{}", header);
                        }
                    }
                }
                _ => {}
            }
            if let Some((request, wanted)) = perform(&mut model, step, number) {
                let got = send(&caller, &request);
                if let Err(difference) = check(&mut model, &wanted, &got) {
                    return Err(TestCaseError::fail(format!("{request:?}: {difference}")));
                }
                // The revision of each performed write is above all earlier ones.
                let revision = got.header("Resource-Revision").and_then(|value| value.parse::<u64>().ok()).unwrap_or(0);
                let unchanged = matches!(step, Step::Update { some, .. } if some.is_empty());
                if matches!(wanted, Wanted::Record(..) | Wanted::Arrays(..)) && !unchanged {
                    prop_assert!(revision > newest, "{} after {}", revision, newest);
                    newest = revision;
                }
                if got.status == 404 {
                    prop_assert_eq!(revision, newest, "a 404 tells the newest revision");
                }
                last = Some((request, got));
            }
            if let Err(difference) = check_all(&caller, &model) {
                return Err(TestCaseError::fail(format!("after {step:?}: {difference}")));
            }
        }
        if let Err(difference) = check_kv(&caller) {
            return Err(TestCaseError::fail(difference));
        }
    }
}
