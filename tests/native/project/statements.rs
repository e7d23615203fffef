//! The statements that a call executes: a larger budget requires a deliberate change here.
//! `src/guide/evaluate/cost.md`, "Statements", has what they cost. `tests/workerd/rows.test.mjs` counts the rows.

use resource_edge::contract::limits::IDEMPOTENCY_BODY_BYTES;

use super::*;

/// Creates a running project that has already read everything that a start reads.
fn warm() -> Project<Shared> {
    let project = open();
    perform(&project, 1, &once(post(&small("first")), "first"));
    drain(&project, 2);
    project.follow().unwrap();
    project
}

fn small(id: &str) -> Value {
    json!({"id": id, "someProperty": "some words", "objectTypeProperty": {"arrayOfIntExample": [1, 2]}})
}

fn perform(project: &Project<Shared>, now: u64, message: &Message) {
    resource(&project.perform(message, &at(now)).unwrap());
}

/// Checks the statements of a call, and those of its replication: the verb and the table of each.
#[track_caller]
fn executes(project: &Collection, now: u64, message: &Message, call: &[&str], replication: &[&str]) {
    project.database().statements.take();
    perform(project, now, message);
    assert_eq!(project.database().statements.take(), call);
    drain(project, now + 5_000);
    assert_eq!(project.database().statements.take(), replication, "of the replication");
}

const LOOKUP: &str = "SELECT resource";
const INSERT: &str = "INSERT resource";
const UPDATE: &str = "UPDATE resource";
const REPLAY: &str = "SELECT idempotency";
const STORE: &str = "INSERT idempotency";

#[test]
fn a_creation_executes_an_insert_and_the_index_follows_in_a_batch() {
    let project = warm();
    let body = json!({"someProperty": "words", "objectTypeProperty": {"arrayOfIntExample": [1]}});
    for now in [10, 11] {
        executes(&project, now, &post(&body), &[INSERT], &[]);
    }
    // The batch reads sizes, then records. Each record has an insert of its words.
    let batch = [LOOKUP, LOOKUP, "INSERT term", "INSERT text", "INSERT text", "INSERT meta"];
    for expected in [&batch[..], &[]] {
        project.follow().unwrap();
        assert_eq!(project.database().statements.take(), expected);
    }
    let empty = json!({"objectTypeProperty": {}});
    executes(&project, 20, &post(&empty), &[INSERT], &[]);
    // With an ID or a key, one lookup finds the target, the last version, and the holder of the key.
    executes(&project, 30, &post(&json!({"id": "a", "objectTypeProperty": {}})), &[LOOKUP, INSERT], &[]);
    executes(&project, 40, &post(&json!({"key": "k", "objectTypeProperty": {}})), &[LOOKUP, INSERT], &[]);
    let both = json!({"id": "b", "key": "kb", "objectTypeProperty": {}});
    executes(&project, 50, &post(&both), &[LOOKUP, LOOKUP, INSERT], &[]);
    executes(&project, 60, &once(post(&empty), "new"), &[REPLAY, INSERT, STORE], &[]);
}

#[test]
fn an_update_executes_a_lookup_an_update_and_the_changes_of_the_index() {
    let project = warm();
    executes(&project, 10, &update("first", 1, None), &[LOOKUP, UPDATE], &[]);
    let changed = [LOOKUP, UPDATE, "UPDATE term", "INSERT text"];
    executes(&project, 20, &update("first", 2, Some("other")), &changed, &[]);
    let again = once(update("first", 3, None), "again");
    executes(&project, 30, &again, &[REPLAY, LOOKUP, UPDATE, STORE], &[]);
    executes(&project, 40, &again, &[REPLAY], &[]);
    let arrays = json!({"arrayOfIntExample": [1, 2]});
    // The key may have another holder, and is searched.
    let same = json!({"id": "first", "version": 4, "key": "k", "objectTypeProperty": arrays});
    executes(&project, 50, &put(&same), &[LOOKUP, LOOKUP, UPDATE, "INSERT text"], &[]);
    let kept = json!({"id": "first", "version": "5", "key": "k"});
    executes(&project, 60, &merge(&kept), &[LOOKUP, UPDATE], &[]);
    // The lost key has a row until its tombstone is put.
    let moved = json!({"key": "k2", "id": "first", "objectTypeProperty": arrays});
    let call = [LOOKUP, LOOKUP, UPDATE, "INSERT text", "INSERT outbox"];
    executes(&project, 70, &post(&moved), &call, &["DELETE outbox"]);
}

#[test]
fn an_update_of_a_large_record_checks_whether_a_stored_response_uses_it() {
    let project = warm();
    let custom = "x".repeat(IDEMPOTENCY_BODY_BYTES);
    let large = json!({"id": "large", "custom": custom, "objectTypeProperty": {}});
    perform(&project, 10, &once(post(&large), "large"));
    drain(&project, 15);
    // The sum of all replaced states is read once.
    let first = [LOOKUP, UPDATE, REPLAY, "SELECT replaced", "INSERT replaced"];
    executes(&project, 20, &update("large", 1, None), &first, &[]);
    executes(&project, 30, &update("large", 2, None), &first[..3], &[]);
}

#[test]
fn a_deletion_executes_a_statement_for_each_table() {
    let call = [LOOKUP, "DELETE resource", "DELETE term", "INSERT text", "INSERT tombstone"];
    executes(&warm(), 10, &delete("first"), &call, &[]);
    let project = warm();
    perform(&project, 10, &post(&json!({"id": "a", "key": "k", "objectTypeProperty": {}})));
    drain(&project, 15);
    // The key has a row until its tombstone is put.
    let call = [LOOKUP, "DELETE resource", "INSERT tombstone", "INSERT outbox"];
    executes(&project, 20, &delete("a"), &call, &["DELETE outbox"]);
}

#[test]
fn a_read_executes_one_statement_and_a_checkpoint_at_most_one() {
    let project = warm();
    executes(&project, 10, &get("first"), &[LOOKUP], &[]);
    for expected in [&["INSERT meta"][..], &[]] {
        project.checkpoint().unwrap();
        assert_eq!(project.database().statements.take(), expected);
    }
}

#[test]
fn a_start_reads_the_metadata_pending_rows_pending_writes_and_the_newest_revision_once() {
    let project = warm();
    project.checkpoint().unwrap();
    let project = crash(&project);
    // The first lookup is for the newest revision, the second for what the index lacks. Nothing was pending.
    let start = ["SELECT sqlite_master", "SELECT meta", LOOKUP, "SELECT outbox", LOOKUP, LOOKUP, UPDATE];
    executes(&project, 10, &update("first", 1, None), &start, &[]);
    executes(&project, 5_000, &update("first", 2, None), &[LOOKUP, UPDATE], &[]);
    // What was pending is read in one statement and put, and a minute later once more.
    let pending = [LOOKUP, LOOKUP, "INSERT outbox", "UPDATE outbox", LOOKUP, "DELETE outbox"];
    executes(&crash(&project), 10_000, &update("first", 3, None), &start, &pending);
}
