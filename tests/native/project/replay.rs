//! First responses are stored for a day, up to a hundred thousand of the newest (D18).

use resource_edge::contract::limits::{
    IDEMPOTENCY_BODY_BYTES, IDEMPOTENCY_BYTES, IDEMPOTENCY_CALLER_BYTES, IDEMPOTENCY_MS, IDEMPOTENCY_ROWS,
};
use resource_edge::shape::UpdateInput;

use super::*;

fn replay_of(first: &Reply<String>) -> Reply<String> {
    let mut replay = first.clone();
    replay.head.replayed = true;
    replay
}

#[test]
fn a_repeat_gets_the_first_response_for_a_day_and_is_performed_after_it() {
    let project = open();
    let message = once(post(&json!({"objectTypeProperty": {}})), "k");
    let first = perform(&project, &message, 1000);
    for now in [1000, 1001, 0, 1000 + IDEMPOTENCY_MS - 1] {
        let again = perform(&project, &message, now);
        assert_eq!(again, replay_of(&first), "at {now}");
    }
    let after = perform(&project, &message, 1000 + IDEMPOTENCY_MS);
    assert!(!after.head.replayed);
    assert_ne!(resource(&after).id, resource(&first).id);
    // The new first response is valid for another day.
    let again = perform(&project, &message, 1000 + IDEMPOTENCY_MS + 5);
    assert_eq!(again, replay_of(&after));
}

#[test]
fn expired_responses_are_removed_faster_than_new_responses_are_stored() {
    let project = open();
    let write = |key: String, now| {
        perform(&project, &once(post(&json!({"id": "a", "objectTypeProperty": {}})), &key), now)
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
    // No response was removed before it expired.
    assert!(write("new0".to_owned(), 1000 + 2 * IDEMPOTENCY_MS).head.replayed);
}

#[test]
fn only_the_newest_hundred_thousand_responses_are_stored() {
    let first = open();
    let write_to = |project: &Project<Shared>, key: &str, now| {
        perform(project, &once(post(&json!({"id": "a", "objectTypeProperty": {}})), key), now)
    };
    write_to(&first, "first", 1);
    let project = start(first.database().clone());
    let write = |key: &str, now| write_to(&project, key, now);
    project.database().run(&format!(
        "INSERT INTO idempotency(caller, key, fingerprint, at, reply) \
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) \
         SELECT 'filler', i, x'00', 1, x'00' FROM n",
        IDEMPOTENCY_ROWS - 1
    ));
    assert!(write("first", 2).head.replayed, "a hundred thousand are kept");
    let version = record(&write("last", 3))["version"].clone();
    assert_eq!(project.database().number("SELECT count(*) FROM idempotency"), IDEMPOTENCY_ROWS as i64);
    assert!(!write("first", 4).head.replayed, "the oldest goes");
    assert_eq!(record(&write("last", 5))["version"], version, "the newest stays");
}

#[test]
fn a_stored_response_in_another_format_is_a_fault_and_nothing_is_written_twice() {
    let project = open();
    let message = once(post(&json!({"objectTypeProperty": {}})), "k");
    perform(&project, &message, 1);
    project.database().run("UPDATE idempotency SET reply = x'6300'");
    let dump = project.database().dump();
    let error = project.perform(&message, &at(2)).unwrap_err();
    assert!(error.reason.contains("unknown format 99"), "{}", error.reason);
    assert_eq!(project.database().dump(), dump);
}

/// Returns a text that is too long to be stored with an idempotency key.
fn long(unit: &str) -> String {
    unit.repeat(IDEMPOTENCY_BODY_BYTES)
}

#[test]
fn a_large_response_is_replayed_unchanged_even_if_its_resource_changed() {
    let project = open();
    let list = vec![1; IDEMPOTENCY_BODY_BYTES];
    let writes = [
        post(
            &json!({"id": "a", "key": "k", "custom": long("c"), "objectTypeProperty": {"arrayOfIntExample": list}}),
        ),
        merge(&json!({"id": "a", "custom": long("d")})),
        update("a", 2, None),
        write(Change::UpdateById {
            id: "a".to_owned(),
            update: UpdateInput { version: 3, actions: Vec::new() },
        }),
        put(&json!({"id": "a", "version": 3, "custom": long("e"), "objectTypeProperty": {}})),
        merge(&json!({"id": "a", "custom": long("f")})),
        post(&json!({"id": "a", "custom": "short", "objectTypeProperty": {}})),
        post(&json!({"id": "a", "custom": long("g"), "objectTypeProperty": {}})),
        delete("a"),
        post(&json!({"id": "a", "objectTypeProperty": {}})),
    ];
    let mut firsts: Vec<(Message, Reply<String>)> = Vec::new();
    for (number, write) in writes.into_iter().enumerate() {
        let message = once(write, &format!("k{number}"));
        let first = perform(&project, &message, 10);
        assert_eq!(status(&first), 0, "{number}");
        firsts.push((message, first));
        for (message, first) in &firsts {
            let again = perform(&project, message, 20);
            assert!(again == replay_of(first), "{number}: {:?}", again.head);
        }
    }
    let small = project.database().number("SELECT max(length(reply)) FROM idempotency");
    assert!(small < IDEMPOTENCY_BODY_BYTES as i64 + 200, "{small}");
    // The responses to 0 to 4, 7, and 8 are large. 2 and 3 share a state, and so do 7 and 8. The response to a merge is
    // the arrays.
    assert_eq!(project.database().number("SELECT count(*) FROM replaced"), 5);
}

#[test]
fn pruning_keeps_the_states_that_younger_responses_refer_to() {
    let project = open();
    let body = |unit: &str| json!({"id": "a", "custom": long(unit), "objectTypeProperty": {}});
    let young = once(post(&body("y")), "young");
    perform(&project, &once(post(&body("o")), "old"), 10);
    let first = perform(&project, &young, IDEMPOTENCY_MS);
    perform(&project, &update("a", 2, None), IDEMPOTENCY_MS + 1);
    assert_eq!(project.database().number("SELECT count(*) FROM replaced"), 2);
    // The response under the key `old` has expired: these writes prune it with its state.
    for number in 0..3 {
        let write = once(delete("none"), &format!("{number}"));
        perform(&project, &write, IDEMPOTENCY_MS + 20 + number);
    }
    assert_eq!(project.database().number("SELECT count(*) FROM replaced"), 1);
    assert_eq!(perform(&project, &young, IDEMPOTENCY_MS + 30), replay_of(&first));
}

#[test]
fn a_large_response_is_not_stored_beside_its_record_or_for_writes_without_a_key() {
    let project = open();
    let body = json!({"id": "a", "custom": long("x"), "objectTypeProperty": {}});
    let count = |sql| project.database().number(sql);
    perform(&project, &once(post(&body), "k"), 1);
    assert_eq!(count("SELECT count(*) FROM replaced"), 0);
    assert!(count("SELECT length(reply) FROM idempotency") < 100);
    for version in 1..5 {
        perform(&project, &update("a", version, None), 2);
        assert_eq!(count("SELECT count(*) FROM replaced"), 1, "what the key's answer was");
    }
    // A day later, the next writes with keys remove it.
    for number in 0..2 {
        let write = once(update("a", 5 + number, None), &format!("{number}"));
        perform(&project, &write, IDEMPOTENCY_MS + 10);
    }
    assert_eq!(count("SELECT count(*) FROM idempotency"), 2);
    let last_but_one = IDEMPOTENCY_MS as i64 + 10;
    assert_eq!(count("SELECT min(revision) FROM replaced"), last_but_one);
}

#[test]
fn the_bytes_of_large_responses_are_limited_and_the_oldest_are_removed_first() {
    let project = open();
    let body = json!({"id": "a", "custom": long("x"), "objectTypeProperty": {}});
    perform(&project, &once(post(&body), "0"), 1);
    let write = |version: u64| once(update("a", version, None), &version.to_string());
    let first = perform(&project, &write(1), 2);
    assert!(perform(&project, &once(post(&body), "0"), 3).head.replayed);
    // Simulates that the bodies of others fill the rest.
    let fill = IDEMPOTENCY_BYTES as i64 - 2 * project.database().number("SELECT bytes FROM replaced");
    let filler = "INSERT INTO replaced(revision, bytes, body) VALUES(3, ?, 'filler')";
    project.database().sqlite.connection.execute(filler, [fill]).unwrap();
    let project = crash(&project);
    let bytes = || project.database().number("SELECT sum(bytes) FROM replaced");
    let second = perform(&project, &write(2), 4);
    assert!(bytes() <= IDEMPOTENCY_BYTES as i64);
    assert_eq!(perform(&project, &write(1), 5), replay_of(&first));
    perform(&project, &write(3), 6);
    assert!(bytes() <= IDEMPOTENCY_BYTES as i64);
    assert!(!perform(&project, &once(post(&body), "0"), 7).head.replayed, "the oldest went");
    assert_eq!(perform(&project, &write(2), 7), replay_of(&second));
}

#[test]
fn a_full_database_has_room_after_responses_expire() {
    let disk = Shared::new();
    let project = start(disk.clone());
    let big = "x".repeat(300_000);
    perform(&project, &post(&json!({"id": "a", "custom": big, "objectTypeProperty": {}})), 1);
    disk.run("PRAGMA max_page_count = 2000");
    let write = |version: u64, now| {
        project.perform(&once(update("a", version, None), &format!("{version} {now}")), &at(now))
    };
    let mut version = 1;
    let full = loop {
        match write(version, 10) {
            Ok(reply) => assert_eq!(status(&reply), 0),
            Err(error) => break error,
        }
        version += 1;
    };
    assert!(full.reason.contains("full") && version > 15, "{full:?} {version}");
    let before = disk.dump();
    assert!(write(version, IDEMPOTENCY_MS).is_err(), "nothing is past its time yet");
    assert!(disk.dump() == before);
    for _ in 0..100 {
        assert_eq!(status(&write(version, IDEMPOTENCY_MS + 10 + version).unwrap()), 0);
        version += 1;
        // It is never full again, although all responses of the last day are stored.
        if disk.number("SELECT min(at) FROM idempotency") > 10 {
            break;
        }
    }
    assert!(disk.number("SELECT min(at) FROM idempotency") > 10);
    assert_eq!(status(&perform(&project, &once(delete("a"), "gone"), 2 * IDEMPOTENCY_MS)), 0);
}

#[test]
fn a_long_caller_name_is_stored_as_its_hash() {
    let disk = Shared::new();
    let project = start(disk.clone());
    let write = |caller: &str, now| {
        let mut message = once(post(&json!({"objectTypeProperty": {}})), "k");
        caller.clone_into(&mut options(&mut message).idempotency.as_mut().unwrap().caller);
        perform(&project, &message, now)
    };
    let stored = || disk.number("SELECT max(length(caller)) FROM idempotency");
    // The longest name that is stored unchanged, one with one more byte, and two that differ only at the end.
    let names = [IDEMPOTENCY_CALLER_BYTES, IDEMPOTENCY_CALLER_BYTES + 1, 1_000_000, 1_000_001];
    let names = names.map(|length| format!("[\"{}\"]", "s".repeat(length - 4)));
    let firsts: Vec<_> = names.iter().map(|name| write(name, 10)).collect();
    assert_eq!(stored(), IDEMPOTENCY_CALLER_BYTES as i64);
    assert_eq!(disk.number("SELECT count(*) FROM idempotency"), 4);
    for (name, first) in names.iter().zip(&firsts) {
        assert!(!first.head.replayed);
        assert_eq!(write(name, 20), replay_of(first));
    }
}
