//! The statements that a call executes: a larger budget requires a deliberate change here. The guide lists them
//! (`src/guide/operations.md`, "Statements and rows"). `tests/e2e/rows.test.mjs` counts the rows.

use resource_edge::call::Message;
use resource_edge::contract::limits::IDEMPOTENCY_BODY_BYTES;
use resource_edge::project::{Next, Project};
use serde_json::{Value, json};

use crate::support::messages::{at, delete, get, merge, once, post, put, resource, update};
use crate::support::shared::Shared;

/// Creates a running project that has already read everything that a start reads.
fn warm() -> Project<Shared> {
    let project = Project::new(Shared::new());
    perform(&project, 1, &once(post(&small("first")), "first"));
    drain(&project, 2);
    project
}

fn small(id: &str) -> Value {
    json!({"id": id, "someProperty": "some words", "objectTypeProperty": {"arrayOfIntExample": [1, 2]}})
}

fn perform(project: &Project<Shared>, now: u64, message: &Message) {
    resource(&project.perform(message, &at(now)).unwrap());
}

fn drain(project: &Project<Shared>, mut now: u64) {
    loop {
        match project.next_put(now).unwrap() {
            Next::Put(put) => project.put_done(&put, now).unwrap(),
            Next::Wait(at) => now = at,
            Next::Nothing => return,
        }
    }
}

/// Returns the statements of a call, and those of its replication.
fn statements(project: &Project<Shared>, now: u64, message: &Message) -> (Vec<String>, Vec<String>) {
    project.database().statements.take();
    perform(project, now, message);
    let call = project.database().statements.take();
    drain(project, now + 5_000);
    (call, project.database().statements.take())
}

#[test]
fn a_creation_executes_an_insert_for_each_table() {
    let project = warm();
    let body = json!({"someProperty": "words", "objectTypeProperty": {"arrayOfIntExample": [1]}});
    let inserts = ["INSERT resource", "INSERT term", "INSERT text"];
    assert_eq!(statements(&project, 10, &post(&body)).0, inserts);
    let empty = json!({"objectTypeProperty": {}});
    assert_eq!(statements(&project, 20, &post(&empty)).0, ["INSERT resource"]);
    // With an ID or a key, one lookup finds the target, the last version, and the holder of the key.
    for (now, body) in [
        (30, json!({"id": "a", "objectTypeProperty": {}})),
        (40, json!({"key": "k", "objectTypeProperty": {}})),
    ] {
        let (call, replication) = statements(&project, now, &post(&body));
        assert_eq!(call, ["SELECT resource", "INSERT resource"]);
        assert_eq!(replication, [""; 0], "it begins from memory");
    }
    let both = json!({"id": "b", "key": "kb", "objectTypeProperty": {}});
    assert_eq!(
        statements(&project, 50, &post(&both)).0,
        ["SELECT resource", "SELECT resource", "INSERT resource"]
    );
    let message = once(post(&empty), "new");
    let (call, replication) = statements(&project, 60, &message);
    assert_eq!(call, ["SELECT idempotency", "INSERT resource", "INSERT idempotency"]);
    assert_eq!(replication, [""; 0]);
}

#[test]
fn an_update_executes_a_lookup_an_update_and_the_changes_of_the_index() {
    let project = warm();
    let (call, replication) = statements(&project, 10, &update("first", 1, None));
    assert_eq!(
        (call, replication),
        (vec!["SELECT resource".to_owned(), "UPDATE resource".to_owned()], Vec::new())
    );
    let changed = ["SELECT resource", "UPDATE resource", "DELETE term", "INSERT term", "INSERT text"];
    assert_eq!(statements(&project, 20, &update("first", 2, Some("other"))).0, changed);
    let call = statements(&project, 30, &once(update("first", 3, None), "again")).0;
    assert_eq!(call, ["SELECT idempotency", "SELECT resource", "UPDATE resource", "INSERT idempotency"]);
    assert_eq!(
        statements(&project, 40, &once(update("first", 3, None), "again")).0,
        ["SELECT idempotency"],
        "a replay"
    );
    let same =
        json!({"id": "first", "version": 4, "key": "k", "objectTypeProperty": {"arrayOfIntExample": [1, 2]}});
    let (call, replication) = statements(&project, 50, &put(&same));
    assert_eq!(
        call,
        ["SELECT resource", "SELECT resource", "UPDATE resource"],
        "the key may have another holder"
    );
    assert_eq!(replication, [""; 0]);
    let kept = json!({"id": "first", "version": "5", "key": "k"});
    assert_eq!(statements(&project, 60, &merge(&kept)).0, ["SELECT resource", "UPDATE resource"]);
    let moved = json!({"key": "k2", "id": "first", "objectTypeProperty": {"arrayOfIntExample": [1, 2]}});
    let (call, replication) = statements(&project, 70, &post(&moved));
    assert_eq!(call, ["SELECT resource", "SELECT resource", "UPDATE resource", "INSERT outbox"]);
    assert_eq!(replication, ["DELETE outbox"], "the row of the lost key");
}

#[test]
fn an_update_of_a_large_record_checks_whether_a_stored_response_uses_it() {
    let project = warm();
    let custom = "x".repeat(IDEMPOTENCY_BODY_BYTES);
    let large = json!({"id": "large", "custom": custom, "objectTypeProperty": {}});
    perform(&project, 10, &once(post(&large), "large"));
    let looks = ["SELECT resource", "UPDATE resource", "SELECT idempotency"];
    let (call, _) = statements(&project, 20, &update("large", 1, None));
    assert_eq!(call, [&looks[..], &["SELECT replaced", "INSERT replaced"]].concat(), "the sum is read once");
    assert_eq!(statements(&project, 30, &update("large", 2, None)).0, looks);
}

#[test]
fn a_deletion_executes_a_statement_for_each_table() {
    let project = warm();
    let (call, replication) = statements(&project, 10, &delete("first"));
    assert_eq!(
        call,
        ["SELECT resource", "DELETE resource", "DELETE term", "INSERT text", "INSERT tombstone"]
    );
    assert_eq!(replication, [""; 0]);
}

#[test]
fn a_read_executes_one_statement_and_a_checkpoint_at_most_one() {
    let project = warm();
    assert_eq!(statements(&project, 10, &get("first")).0, ["SELECT resource"]);
    for expected in [&["INSERT meta"][..], &[]] {
        project.database().statements.take();
        project.checkpoint().unwrap();
        assert_eq!(project.database().statements.take(), expected);
    }
}

#[test]
fn a_start_reads_the_metadata_pending_rows_pending_writes_and_the_newest_revision_once() {
    let project = warm();
    project.checkpoint().unwrap();
    let project = Project::new(project.database().clone());
    let (call, replication) = statements(&project, 10, &update("first", 1, None));
    assert_eq!(
        call,
        ["CREATE", "SELECT meta", "SELECT resource", "SELECT outbox", "SELECT resource", "UPDATE resource"],
        "the first is for the newest revision"
    );
    assert_eq!(replication, [""; 0], "nothing was pending");
    assert_eq!(
        statements(&project, 5_000, &update("first", 2, None)).0,
        ["SELECT resource", "UPDATE resource"]
    );
    let project = Project::new(project.database().clone());
    let (_, replication) = statements(&project, 10_000, &update("first", 3, None));
    assert_eq!(
        replication,
        [
            "SELECT resource",
            "SELECT resource",
            "INSERT outbox",
            "UPDATE outbox",
            "SELECT resource",
            "DELETE outbox"
        ],
        "what was pending is read in one statement and put, and a minute later once more"
    );
}
