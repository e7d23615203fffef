//! First answers are kept for a day, and the newest hundred thousand of them (D18).

use resource_edge::contract::limits::{IDEMPOTENCY_MS, IDEMPOTENCY_ROWS};
use resource_edge::contract::reply::Reply;
use resource_edge::project::Project;
use serde_json::json;

use crate::support::messages::{at, delete, merge, once, options, post, record, resource, status, update};
use crate::support::shared::Shared;

fn replay_of(first: &Reply<String>) -> Reply<String> {
    let mut replay = first.clone();
    replay.head.replayed = true;
    replay
}

#[test]
fn a_repeat_gets_the_first_answer_for_a_day_and_is_performed_after_it() {
    let project = Project::new(Shared::new());
    let message = once(post(&json!({"objectTypeProperty": {}})), "k");
    let first = project.perform(&message, &at(1000)).unwrap();
    for now in [1000, 1001, 0, 1000 + IDEMPOTENCY_MS - 1] {
        let again = project.perform(&message, &at(now)).unwrap();
        assert_eq!(again, replay_of(&first), "at {now}");
    }
    let after = project.perform(&message, &at(1000 + IDEMPOTENCY_MS)).unwrap();
    assert!(!after.head.replayed);
    assert_ne!(resource(&after).id, resource(&first).id);
    // The new first answer stands for another day.
    let again = project.perform(&message, &at(1000 + IDEMPOTENCY_MS + 5)).unwrap();
    assert_eq!(again, replay_of(&after));
}

#[test]
fn every_kind_of_answer_is_replayed_as_it_was() {
    let project = Project::new(Shared::new());
    let writes = [
        post(&json!({"id": "a", "key": "k", "objectTypeProperty": {}})),
        merge(&json!({"id": "a", "custom": "c"})),
        update("a", 2, Some("x")),
        update("a", 2, Some("y")),
        update("none", 1, None),
        post(&json!({"id": "b", "key": "k", "objectTypeProperty": {}})),
        delete("a"),
        delete("a"),
    ];
    let mut statuses = Vec::new();
    for (at_most, message) in writes.into_iter().enumerate() {
        let message = once(message, &format!("k{at_most}"));
        let first = project.perform(&message, &at(10)).unwrap();
        let dump = project.database().dump();
        let again = project.perform(&message, &at(20)).unwrap();
        assert_eq!(again, replay_of(&first));
        assert_eq!(project.database().dump(), dump, "a replay changed something");
        statuses.push(status(&first));
    }
    assert_eq!(statuses, [0, 0, 0, 409, 404, 400, 0, 404]);
}

#[test]
fn another_request_under_the_key_is_422_and_the_first_answer_stays() {
    let project = Project::new(Shared::new());
    let first = once(post(&json!({"objectTypeProperty": {}})), "k");
    let answer = project.perform(&first, &at(1)).unwrap();
    let mut other = once(delete(&resource(&answer).id), "k");
    options(&mut other).idempotency.as_mut().unwrap().fingerprint = [2; 16];
    let refused = project.perform(&other, &at(2)).unwrap();
    assert_eq!((status(&refused), refused.head.replayed), (422, false));
    assert_eq!(project.perform(&first, &at(3)).unwrap(), replay_of(&answer));
}

#[test]
fn callers_never_meet_whatever_their_names_and_keys_are() {
    let project = Project::new(Shared::new());
    for (caller, key) in [("a", "bc"), ("ab", "c"), ("a", "c"), ("A", "bc"), ("", "abc")] {
        let mut message = once(post(&json!({"objectTypeProperty": {}})), key);
        caller.clone_into(&mut options(&mut message).idempotency.as_mut().unwrap().caller);
        assert!(!project.perform(&message, &at(1)).unwrap().head.replayed, "{caller} {key}");
    }
    assert_eq!(project.database().number("SELECT count(*) FROM resource"), 5);
}

#[test]
fn answers_past_their_time_are_cleared_away_faster_than_new_ones_come() {
    let project = Project::new(Shared::new());
    let write = |key: String, now| {
        project.perform(&once(post(&json!({"id": "a", "objectTypeProperty": {}})), &key), &at(now)).unwrap()
    };
    for number in 0..100 {
        write(format!("old{number}"), 1000);
    }
    let rows = || project.database().number("SELECT count(*) FROM idempotency");
    assert_eq!(rows(), 100);
    for number in 0..60 {
        write(format!("new{number}"), 1000 + IDEMPOTENCY_MS + 1);
    }
    assert_eq!(rows(), 60, "what is past its time is still there");
    // None of them was cleared before its time.
    assert!(write("new0".to_owned(), 1000 + 2 * IDEMPOTENCY_MS).head.replayed);
}

#[test]
fn no_more_than_the_newest_hundred_thousand_are_kept() {
    let first = Project::new(Shared::new());
    let write_to = |project: &Project<Shared>, key: &str, now| {
        project.perform(&once(post(&json!({"id": "a", "objectTypeProperty": {}})), key), &at(now)).unwrap()
    };
    write_to(&first, "first", 1);
    let project = Project::new(first.database().clone());
    let write = |key: &str, now| write_to(&project, key, now);
    project
        .database()
        .sqlite
        .connection
        .execute(
            "INSERT INTO idempotency(caller, key, fingerprint, at, reply) \
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
             SELECT 'filler', i, x'00', 1, x'00' FROM n",
            [IDEMPOTENCY_ROWS as i64 - 1],
        )
        .unwrap();
    assert!(write("first", 2).head.replayed, "a hundred thousand are kept");
    let version = record(&write("last", 3))["version"].clone();
    assert_eq!(project.database().number("SELECT count(*) FROM idempotency"), IDEMPOTENCY_ROWS as i64);
    assert!(!write("first", 4).head.replayed, "the oldest goes");
    assert_eq!(record(&write("last", 5))["version"], version, "the newest stays");
}

#[test]
fn an_answer_remembered_in_another_format_is_told_as_a_fault_and_nothing_is_written_twice() {
    let project = Project::new(Shared::new());
    let message = once(post(&json!({"objectTypeProperty": {}})), "k");
    project.perform(&message, &at(1)).unwrap();
    project.database().sqlite.connection.execute("UPDATE idempotency SET reply = x'6300'", []).unwrap();
    let dump = project.database().dump();
    let error = project.perform(&message, &at(2)).unwrap_err();
    assert!(error.0.contains("format 99 is not known"), "{}", error.0);
    assert_eq!(project.database().dump(), dump);
}
