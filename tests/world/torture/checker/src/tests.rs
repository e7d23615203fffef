//! The checker accepts histories that are possible for a correct service, and rejects others.

#![allow(clippy::needless_pass_by_value, reason = "a story reads better without references")]

use serde_json::{Value, json};

use crate::history::{History, Operation};
use crate::linear::{Verdict, verdict_of};
use crate::{Report, check};

/// A history that is being written. Operations are sequential unless `during` sets their times.
#[derive(Default, Clone)]
struct Story {
    lines: Vec<Value>,
    at: f64,
}

/// Creates a record of the story: ID, version, key, text, and number. The revision derives from the text.
fn record(id: &str, version: u64, key: Option<&str>, value: &str, data: u64) -> Value {
    let revision = 1_000 + value[1..].parse::<u64>().unwrap();
    let digest = format!("{id} {version} {key:?} {value} {data}");
    json!({ "id": id, "version": version, "key": key, "value": value, "data": data, "revision": revision, "digest": digest })
}

fn shows(record: Value, created: Option<bool>) -> Value {
    let revision = record["revision"].clone();
    json!({ "is": "record", "record": record, "created": created, "revision": revision })
}

impl Story {
    /// Adds an operation in an interval. `with` overwrites its members; its text is `w` and its number.
    fn during(mut self, interval: (f64, f64), kind: &str, with: Value, outcome: Value) -> Self {
        let n = self.lines.len() + 1;
        let mut line = json!({
            "type": "operation", "n": n, "caller": 1, "session": false, "project": "p", "group": "g", "kind": kind,
            "id": null, "key": null, "set": null, "version": null, "mode": null, "floor": null,
            "value": format!("w{n}"), "data": n, "invoked": interval.0, "returned": interval.1, "outcome": outcome,
        });
        for (name, value) in with.as_object().unwrap() {
            line[name] = value.clone();
        }
        self.lines.push(line);
        self.at = self.at.max(interval.1);
        self
    }

    /// Adds an operation after all others.
    fn then(self, kind: &str, with: Value, outcome: Value) -> Self {
        let at = self.at;
        self.during((at + 100.0, at + 200.0), kind, with, outcome)
    }

    fn line(mut self, line: Value) -> Self {
        self.lines.push(line);
        self
    }

    fn history(&self) -> History {
        let lines: Vec<String> = self.lines.iter().map(Value::to_string).collect();
        History::parse(&lines.join("\n")).unwrap()
    }

    fn report(&self) -> Report {
        check(&self.history())
    }

    #[track_caller]
    fn accepted(&self) {
        assert_eq!(self.report().violations, Vec::<String>::new());
    }

    /// Asserts that some violation contains `what`.
    #[track_caller]
    fn refused(&self, what: &str) {
        let violations = self.report().violations;
        assert!(violations.iter().any(|violation| violation.contains(what)), "not '{what}': {violations:#?}");
    }

    /// Asserts that the search rejects it.
    #[track_caller]
    fn not_linearizable(&self) {
        let history = self.history();
        let operations: Vec<&Operation> = history.projects["p"].iter().collect();
        assert_eq!(verdict_of(&operations), Verdict::Violated);
    }
}

const FRESH: &str = "fresh";

fn unknown() -> Value {
    json!({ "is": "unknown" })
}

fn not_found() -> Value {
    json!({ "is": "notFound", "revision": 0 })
}

/// Returns a story in which operation 1 creates `g-0` with the key `k`.
fn created() -> Story {
    post(Story::default(), json!({ "id": "g-0", "set": "k" }), Some("k"), 1, 1, true)
}

/// Returns a story in which operation 2 updates it to version 2.
fn updated() -> Story {
    created().then("update", json!({ "id": "g-0", "version": 1 }), version(2, 2, Some(false)))
}

fn read(story: Story, shown: Value) -> Story {
    story.then("readId", json!({ "id": "g-0", "mode": FRESH }), shown)
}

/// Returns `g-0` with the key `k`, as operation `n` writes it by actions at the version; `created` as in a response.
fn version(version: u64, n: u64, created: Option<bool>) -> Value {
    shows(record("g-0", version, Some("k"), &format!("w{n}"), 1), created)
}

/// Returns the story with a write that names `g-0`, and leaves it with a key and this version, text, and number.
fn post(story: Story, with: Value, key: Option<&str>, version: u64, n: u64, created: bool) -> Story {
    let shown = shows(record("g-0", version, key, &format!("w{n}"), n), Some(created));
    story.then("post", with, shown)
}

/// Returns a story with every kind of operation and response.
fn long() -> Story {
    let generated = || record("0-generated", 1, Some("k"), "w7", 7);
    let (moved, again) = (record("g-0", 3, Some("k2"), "w6", 6), || record("g-0", 4, None, "w11", 11));
    let deleted = json!({ "is": "record", "created": null, "revision": 1_009, "record": moved.clone() });
    let page = json!({ "is": "page", "records": [again(), generated()] });
    let story = [
        ("put", json!({ "id": "g-0", "version": 1 }), json!({ "is": "conflict", "version": 2 })),
        ("post", json!({ "id": "g-1", "set": "k" }), json!({ "is": "duplicate" })),
        ("patch", json!({ "id": "g-0", "version": 2, "set": "k2" }), shows(moved, Some(false))),
        ("postKey", json!({ "key": "k" }), shows(generated(), Some(true))),
        ("readKey", json!({ "key": "k", "mode": FRESH }), shows(generated(), None)),
        ("delete", json!({ "id": "g-0" }), deleted),
        ("readId", json!({ "id": "g-0", "mode": FRESH }), not_found()),
        ("put", json!({ "id": "g-0", "version": 9 }), shows(again(), Some(true))),
        ("query", json!({ "mode": FRESH }), page),
    ];
    let start = read(updated(), version(2, 2, None));
    story.into_iter().fold(start, |story, (kind, with, outcome)| story.then(kind, with, outcome))
}

/// Returns the story with a batch after it, as operations 2 and 3: an update of `g-0`, and a write that creates `g-1`.
fn batched(story: Story, first: Value, second: Value) -> Story {
    let at = story.at;
    let interval = (at + 100.0, at + 200.0);
    let update = json!({ "id": "g-0", "version": 1, "batch": 2 });
    let story = story.during(interval, "update", update, first);
    story.during(interval, "post", json!({ "id": "g-1", "batch": 2 }), second)
}

fn new() -> Value {
    shows(record("g-1", 1, None, "w3", 3), Some(true))
}

#[test]
fn a_batch_is_performed_or_refused_as_a_whole() {
    let done = batched(created(), version(2, 2, Some(false)), new());
    read(done.clone(), version(2, 2, None)).accepted();
    read(done, version(1, 1, None)).refused("was acknowledged");
    let undone = || json!({ "is": "undone" });
    batched(created(), undone(), json!({ "is": "duplicate" })).not_linearizable();
    let refused = batched(updated(), json!({ "is": "conflict", "version": 2 }), undone());
    read(refused, version(2, 2, None)).accepted();
}

#[test]
fn a_part_of_a_batch_is_refused() {
    let lost = batched(created(), unknown(), unknown());
    let page = |first: Value, others: &[Value]| {
        let records: Vec<Value> = std::iter::once(first)
            .chain(others.iter().cloned())
            .map(|shown| shown["record"].clone())
            .collect();
        json!({ "is": "page", "records": records })
    };
    let query = |page: Value| lost.clone().then("query", json!({ "mode": FRESH }), page);
    query(page(version(1, 1, None), &[])).accepted();
    query(page(version(2, 2, None), &[new()])).accepted();
    query(page(version(2, 2, None), &[])).not_linearizable();
    query(page(version(1, 1, None), &[new()])).not_linearizable();
    // The first write of a batch that is refused.
    let kept = batched(created(), json!({ "is": "undone" }), not_found());
    read(kept, version(2, 2, None)).not_linearizable();
}

#[test]
fn a_sequential_history_of_every_operation_is_accepted() {
    let report = long().line(json!({ "type": "kill", "at": 1.0 })).report();
    assert_eq!(report.violations, Vec::<String>::new());
    assert_eq!((report.operations, report.acknowledged, report.groups, report.kills), (12, 6, 1, 1));
}

#[test]
fn any_changed_response_in_a_sequential_history_is_rejected() {
    let good = long();
    let mut changed = 0;
    for at in 0..good.lines.len() {
        let outcome = good.lines[at]["outcome"].clone();
        let mut bad = Vec::new();
        for (pointer, value) in [
            ("/record/version", json!(7)),
            ("/record/value", json!("w99")),
            ("/record/data", json!(99)),
            ("/record/key", json!("other")),
            ("/records/0/version", json!(3)),
            ("/records/1/key", json!(null)),
            ("/version", json!(1)),
            ("/is", json!("notFound")),
            ("/is", json!("duplicate")),
        ] {
            let mut other = outcome.clone();
            let Some(place) = other.pointer_mut(pointer) else { continue };
            *place = value;
            if place == &outcome.pointer(pointer).cloned().unwrap() {
                continue;
            }
            other["revision"] = outcome.get("revision").cloned().unwrap_or(json!(0));
            bad.push(other);
        }
        for outcome in bad {
            let mut story = good.clone();
            story.lines[at]["outcome"] = outcome.clone();
            assert!(!story.report().violations.is_empty(), "operation {}: {outcome}", at + 1);
            changed += 1;
        }
    }
    assert!(changed > 40, "{changed}");
}

#[test]
fn one_of_two_concurrent_updates_succeeds_and_the_other_conflicts() {
    let one = |story: Story, n: u64| {
        story.during(
            (300.0, 400.0),
            "update",
            json!({ "id": "g-0", "version": 1 }),
            version(2, n, Some(false)),
        )
    };
    let loser = json!({ "is": "conflict", "version": 2 });
    one(created(), 2)
        .during((310.0, 390.0), "update", json!({ "id": "g-0", "version": 1 }), loser)
        .accepted();
    let both = one(one(created(), 2), 3);
    both.refused("version 2 of g-0 is");
    both.not_linearizable();
}

#[test]
fn a_lost_write_is_rejected() {
    let story = read(updated(), version(1, 1, None));
    story.refused("was acknowledged, now it is 1");
    story.not_linearizable();
    let story = updated().then("query", json!({ "mode": FRESH }), json!({ "is": "page", "records": [] }));
    story.refused("was acknowledged, and is not there");
    story.not_linearizable();
    read(updated(), not_found()).not_linearizable();
}

#[test]
fn a_fresh_read_of_the_old_state_is_accepted_only_during_the_write() {
    let old = || version(1, 1, None);
    let by = |mode: &str| json!({ "id": "g-0", "mode": mode });
    updated().during((310.0, 390.0), "readId", by(FRESH), old()).accepted();
    updated().during((401.0, 402.0), "readId", by(FRESH), old()).not_linearizable();
    updated().then("readId", by("plain"), old()).accepted();
    // A plain read with 404 shows the source of truth.
    updated().then("readId", by("plain"), not_found()).not_linearizable();
}

#[test]
fn a_deleted_resource_that_returns_is_rejected() {
    let deleted = json!({ "is": "record", "created": null, "revision": 1_003, "record": record("g-0", 2, Some("k"), "w2", 1) });
    let story = updated().then("delete", json!({ "id": "g-0" }), deleted);
    read(story.clone(), not_found()).accepted();
    read(story.clone(), version(2, 2, None)).not_linearizable();
    // If it is created again, it continues from its last version.
    post(story.clone(), json!({ "id": "g-0" }), None, 3, 4, true).accepted();
    post(story, json!({ "id": "g-0" }), None, 1, 4, true).not_linearizable();
}

#[test]
fn a_write_without_a_response_may_be_performed_once_or_not_at_all() {
    let open = created().then("post", json!({ "id": "g-0" }), unknown());
    read(open.clone(), version(1, 1, None)).accepted();
    let performed = || shows(record("g-0", 2, Some("k"), "w2", 2), None);
    let once = read(open.clone(), performed());
    once.accepted();
    // It may be performed late, but not undone.
    let late = read(open.clone(), version(1, 1, None));
    read(late, performed()).accepted();
    read(once.clone(), version(1, 1, None)).not_linearizable();
    let twice = read(once, shows(record("g-0", 3, Some("k"), "w2", 2), None));
    twice.refused("was written twice");
    twice.not_linearizable();
    // Nobody saw it, but it explains the next version.
    post(open.clone(), json!({ "id": "g-0" }), Some("k"), 3, 3, false).accepted();
    post(open, json!({ "id": "g-0" }), Some("k"), 4, 3, false).refused("no writes that explain");
}

#[test]
fn a_delete_without_a_response_explains_a_miss() {
    read(updated().then("delete", json!({ "id": "g-0" }), unknown()), not_found()).accepted();
    let wrong = updated().then("delete", json!({ "id": "g-0", "version": 1 }), unknown());
    read(wrong, not_found()).not_linearizable();
}

#[test]
fn a_creation_without_a_response_explains_a_generated_id() {
    let second = shows(record("0-generated", 2, Some("k"), "w3", 3), Some(false));
    let open = Story::default().then("postKey", json!({ "key": "k" }), unknown());
    let other = open.then("postKey", json!({ "key": "other" }), unknown());
    other.then("postKey", json!({ "key": "k" }), second.clone()).accepted();
    let none = Story::default().then("postKey", json!({ "key": "other" }), unknown());
    let none = none.then("postKey", json!({ "key": "other" }), unknown());
    none.then("postKey", json!({ "key": "k" }), second).not_linearizable();
}

#[test]
fn a_record_that_was_never_written_or_is_written_later_is_rejected() {
    read(created(), shows(record("g-0", 2, Some("k"), "w9", 9), None)).refused("nobody wrote");
    let early = read(created(), shows(record("g-0", 2, Some("k"), "w3", 3), None));
    post(early, json!({ "id": "g-0" }), Some("k"), 2, 3, false).refused("before that was written");
}

#[test]
fn two_resources_with_one_key_are_rejected() {
    let other = shows(record("g-1", 1, Some("k"), "w3", 3), Some(true));
    let story = updated().then("post", json!({ "id": "g-1", "set": "k" }), other.clone());
    story.not_linearizable();
    let page = json!({ "is": "page", "records": [record("g-0", 2, Some("k"), "w2", 1), record("g-1", 1, Some("k"), "w3", 3)] });
    story.then("query", json!({ "mode": FRESH }), page).refused("have the key");
    // By revisions only: it was gained while the other resource had it.
    let story = created().then("post", json!({ "id": "g-1", "set": "k", "value": "w3", "data": 3 }), other);
    let kept = json!({ "id": "g-0", "version": 1, "value": "w9" });
    story.then("update", kept, version(2, 9, Some(false))).refused("got the key k");
}

#[test]
fn revisions_that_do_not_rise_are_rejected() {
    let mut story = updated();
    story.lines[1]["outcome"]["revision"] = json!(1_001);
    story.refused("is also that of");
    story.lines[1]["outcome"]["revision"] = json!(900);
    story.refused("which was acknowledged before");
    let mut story = updated();
    story.lines[1]["outcome"]["record"]["revision"] = json!(900);
    story.refused("do not rise with versions");
    read(updated(), json!({ "is": "notFound", "revision": 1_001 })).refused("is not after 1002");
}

#[test]
fn a_session_that_reads_an_older_version_is_rejected() {
    let mine = |kind: &str, name: &str, session: bool| {
        let subject = json!({ (if kind == "readId" { "id" } else { "key" }): name, "mode": "plain", "session": session });
        updated().then(kind, subject.clone(), version(2, 2, None)).then(kind, subject, version(1, 1, None))
    };
    for (kind, name) in [("readId", "g-0"), ("readKey", "k")] {
        mine(kind, name, true).refused("caller 1 saw 1002");
        mine(kind, name, false).accepted();
    }
    // Older than a write of the same session, than a 404 by key, and than another resource with the key.
    let by_key = |story: Story, shown| {
        story.then("readKey", json!({ "key": "k", "mode": "plain", "session": true }), shown)
    };
    let mut story = updated();
    story.lines[1]["session"] = json!(true);
    by_key(story, version(1, 1, None)).refused("caller 1 saw 1002");
    let moved = || post(updated(), json!({ "id": "g-0", "set": "k2" }), Some("k2"), 3, 3, false);
    by_key(by_key(moved(), not_found()), version(2, 2, None)).refused("caller 1 saw 1003");
    let gained = || record("g-1", 1, Some("k"), "w4", 4);
    let story = moved().then("post", json!({ "id": "g-1", "set": "k" }), shows(gained(), Some(true)));
    let story = by_key(story, shows(gained(), None));
    story.accepted();
    by_key(story, version(2, 2, None)).refused("caller 1 saw 1004");
}

#[test]
fn a_read_below_its_minimum_revision_is_rejected() {
    let read = |floor: u64| {
        let old = version(1, 1, None);
        updated().then("readId", json!({ "id": "g-0", "mode": "min", "floor": floor }), old)
    };
    read(1_001).accepted();
    read(1_002).refused("below the minimum revision");
}

#[test]
fn a_fault_and_a_wrong_repeat_are_rejected() {
    read(created(), json!({ "is": "fault", "status": 500, "text": "" })).refused("response 500");
    let mut story = created();
    story.lines[0]["outcome"]["replay"] = json!("another response");
    story.refused("the repeat got another response");
}

#[test]
fn kv_that_differs_from_the_source_of_truth_is_rejected() {
    let differing = json!([{ "entry": "r1:p:g-0", "kv": null, "truth": "{}", "late": true }]);
    let line =
        |differing: Value| json!({ "type": "kv", "project": "p", "compared": 3, "differing": differing });
    created().line(line(differing)).refused("in flight at a kill: r1:p:g-0");
    let report = created().line(line(json!([]))).report();
    assert_eq!((report.violations.len(), report.compared, report.comparisons), (0, 3, 1));
}

#[test]
fn a_long_history_of_many_concurrent_operations_is_checked_quickly() {
    let updated_to = |n: u64| version(n, n, Some(false));
    let mut story = created();
    for (n, at) in (2..40_u64).zip(12_u32..) {
        let at = 20.0 * f64::from(at);
        let expected = json!({ "id": "g-0", "version": n - 1 });
        story = story.during((at, at + 15.0), "update", expected, updated_to(n));
    }
    // Each of them conflicted with an early version, and got its response late.
    let mut late = story;
    for (n, at) in (2..12_u64).zip(203_u32..) {
        let conflict = json!({ "is": "conflict", "version": n });
        late = late.during((201.0, 2_000.0), "update", json!({ "id": "g-0", "version": 99 }), conflict);
        let missed = json!({ "key": "none", "mode": FRESH });
        late = late.during((f64::from(at), 1_900.0), "readKey", missed, not_found());
    }
    late.accepted();
    late.then("readId", json!({ "id": "g-0", "mode": FRESH }), updated_to(38)).not_linearizable();
}
