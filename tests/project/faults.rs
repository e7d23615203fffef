//! A write is performed whole or not at all: after a fault at any statement nothing has changed, and the same write
//! succeeds when tried again (D17).

use resource_edge::call::Message;
use resource_edge::project::Project;
use serde_json::json;

use crate::support::messages::{at, delete, merge, once, patch, post, put, resource, update};
use crate::support::shared::Shared;

/// A project with some past: resources with and without key, a tombstone, a replay, and an outbox that failed once.
fn with_past() -> (Shared, Project<Shared>) {
    let disk = Shared::new();
    let project = Project::new(disk.clone());
    for (now, message) in [
        post(&json!({"id": "a", "key": "ka", "someProperty": "s", "objectTypeProperty": {"arrayOfIntExample": [1, 2], "arrayOfStringExample": ["x"]}})),
        post(&json!({"id": "b", "objectTypeProperty": {"arrayOfObjectType": [{"integerExample": 1}, {}]}})),
        post(&json!({"id": "gone", "key": "kg", "objectTypeProperty": {}})),
        delete("gone"),
        once(update("b", 1, Some("y")), "past"),
    ]
    .into_iter()
    .enumerate()
    {
        resource(&project.perform(&message, &at(10 + now as u64)).unwrap());
    }
    let put = project.put(project.due(20, 1).unwrap().remove(0)).unwrap();
    project.put_failed(&put, 20).unwrap();
    (disk, project)
}

fn writes() -> Vec<(&'static str, Message)> {
    let all = vec![
        ("create", post(&json!({"objectTypeProperty": {"arrayOfIntExample": [3]}}))),
        (
            "create with key",
            post(&json!({"id": "c", "key": "kc", "objectTypeProperty": {"arrayOfFloatExample": [0.1]}})),
        ),
        ("create again", post(&json!({"id": "gone", "key": "kg", "objectTypeProperty": {}}))),
        (
            "merge",
            post(
                &json!({"id": "a", "objectTypeProperty": {"arrayOfIntExample": [4], "arrayOfStringExample": ["z"]}}),
            ),
        ),
        ("move the key", post(&json!({"id": "a", "key": "new", "objectTypeProperty": {}}))),
        (
            "put",
            put(&json!({"key": "ka", "version": 1, "objectTypeProperty": {"arrayOfFloatExample": [1.5]}})),
        ),
        ("patch", patch(&json!({"id": "b", "version": 2, "key": "kb", "objectTypeProperty": {}}))),
        ("complex", merge(&json!({"id": "a", "custom": "c"}))),
        ("complex create", merge(&json!({"key": "cc"}))),
        ("update", update("a", 1, Some("t"))),
        ("delete", delete("a")),
        ("conflict", update("a", 9, None)),
        ("not found", delete("none")),
        ("duplicate", post(&json!({"id": "b", "key": "ka", "objectTypeProperty": {}}))),
    ];
    let repeated =
        all.iter().map(|(name, message)| (*name, once(message.clone(), "new"))).collect::<Vec<_>>();
    all.into_iter().chain(repeated).collect()
}

#[test]
fn a_fault_at_any_statement_of_a_write_changes_nothing() {
    for (name, message) in writes() {
        let (disk, project) = with_past();
        let wanted = project.perform(&message, &at(100)).unwrap();
        let after = disk.dump();
        let mut faults = 0;
        loop {
            let (disk, project) = with_past();
            let before = disk.dump();
            disk.fails_after.set(Some(faults));
            let outcome = project.perform(&message, &at(100));
            let reached = disk.fails_after.get() == Some(0) && outcome.is_err();
            disk.fails_after.set(None);
            if !reached {
                assert_eq!(outcome.unwrap(), wanted, "{name}");
                break;
            }
            assert_eq!(
                disk.dump(),
                before,
                "{name}: a fault after {faults} statements left something behind"
            );
            assert_eq!(
                project.perform(&message, &at(100)).unwrap(),
                wanted,
                "{name}: tried again after a fault"
            );
            assert_eq!(disk.dump(), after, "{name}: tried again after a fault");
            faults += 1;
            assert!(faults < 200, "{name}: no end of statements");
        }
        assert!(faults >= 1, "{name}: no statement could fail");
    }
}

#[test]
fn a_fault_while_the_tables_are_made_leaves_a_database_that_opens() {
    for faults in 0.. {
        let disk = Shared::new();
        disk.fails_after.set(Some(faults));
        let message = post(&json!({"id": "a", "objectTypeProperty": {}}));
        let failed = Project::new(disk.clone()).perform(&message, &at(1)).is_err();
        disk.fails_after.set(None);
        if !failed {
            assert!(faults > 10, "the tables were made in {faults} statements");
            return;
        }
        let project = Project::new(disk);
        assert_eq!(
            resource(&project.perform(&message, &at(1)).unwrap()).id,
            "a",
            "after {faults} statements"
        );
    }
}

#[test]
fn a_fault_of_the_outbox_loses_no_put() {
    for faults in 0..8 {
        let (disk, project) = with_past();
        let due = project.due(1_000_000, 100).unwrap();
        let put = project.put(due[0].clone()).unwrap();
        disk.fails_after.set(Some(faults));
        let _ = project.put_done(&put, 30);
        let _ = project.put_failed(&put, 30);
        disk.fails_after.set(None);
        // Whatever was noted, what KV was not told stays due, and a put that was made may be made again.
        let still: Vec<_> = project.due(1_000_000, 100).unwrap().into_iter().map(|due| due.entry).collect();
        for other in &due[1..] {
            assert!(still.contains(&other.entry), "{} was lost after {faults} statements", other.entry);
        }
        assert!(project.next_due().unwrap().is_some());
    }
}
