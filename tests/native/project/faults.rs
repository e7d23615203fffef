//! A write is performed completely or not at all: after a fault at any statement nothing has changed, and a retry of
//! the write succeeds (D17).

use super::*;
use crate::support::messages::batch;

/// Creates a project with a history: resources with and without a key, a tombstone, a replay, and an outbox with a
/// failed put.
fn with_past() -> (Shared, Project<Shared>) {
    let disk = Shared::new();
    let project = start(disk.clone());
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
        resource(&perform(&project, &message, 10 + now as u64));
    }
    let put = begin(&project, 20);
    project.put_failed(&put, 20).unwrap();
    (disk, project)
}

fn writes() -> Vec<(&'static str, Message)> {
    let floats = json!({"arrayOfFloatExample": [1.5]});
    let others = json!({"arrayOfIntExample": [4], "arrayOfStringExample": ["z"]});
    let long = json!({"id": "a", "version": 2, "custom": "c".repeat(5_000), "objectTypeProperty": {}});
    let all = vec![
        ("create", post(&json!({"objectTypeProperty": {"arrayOfIntExample": [3]}}))),
        ("create with key", post(&json!({"id": "c", "key": "kc", "objectTypeProperty": floats}))),
        ("create again", post(&json!({"id": "gone", "key": "kg", "objectTypeProperty": {}}))),
        ("merge", post(&json!({"id": "a", "objectTypeProperty": others}))),
        ("move the key", post(&json!({"id": "a", "key": "new", "objectTypeProperty": {}}))),
        ("put", put(&json!({"key": "ka", "version": 1, "objectTypeProperty": floats}))),
        ("patch", patch(&json!({"id": "b", "version": 2, "key": "kb", "objectTypeProperty": {}}))),
        ("complex", merge(&json!({"id": "a", "custom": "c"}))),
        ("complex create", merge(&json!({"key": "cc"}))),
        ("update", update("a", 1, Some("t"))),
        ("delete", delete("a")),
        ("conflict", update("a", 9, None)),
        ("not found", delete("none")),
        ("duplicate", post(&json!({"id": "b", "key": "ka", "objectTypeProperty": {}}))),
        ("batch", batch(&[update("a", 1, Some("t")), delete("b"), patch(&long)])),
        ("refused batch", batch(&[update("a", 1, Some("t")), patch(&long), delete("b"), delete("none")])),
    ];
    let repeated =
        all.iter().map(|(name, message)| (*name, once(message.clone(), "new"))).collect::<Vec<_>>();
    all.into_iter().chain(repeated).collect()
}

#[test]
fn a_fault_at_any_statement_of_a_write_changes_nothing() {
    for (name, message) in writes() {
        let (disk, project) = with_past();
        let wanted = perform(&project, &message, 100);
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
            assert_eq!(perform(&project, &message, 100), wanted, "{name}: tried again after a fault");
            assert_eq!(disk.dump(), after, "{name}: tried again after a fault");
            faults += 1;
            assert!(faults < 200, "{name}: no end of statements");
        }
        assert!(faults >= 1, "{name}: no statement could fail");
    }
}

#[test]
fn a_fault_while_tables_are_created_leaves_a_database_that_opens() {
    for faults in 0.. {
        let disk = Shared::new();
        disk.fails_after.set(Some(faults));
        let message = post(&json!({"id": "a", "objectTypeProperty": {}}));
        let failed = start(disk.clone()).perform(&message, &at(1)).is_err();
        disk.fails_after.set(None);
        if !failed {
            assert!(faults > 10, "the tables were made in {faults} statements");
            return;
        }
        let project = start(disk);
        assert_eq!(resource(&perform(&project, &message, 1)).id, "a", "after {faults} statements");
    }
}

#[test]
fn a_fault_of_the_outbox_loses_no_put() {
    let all = drain(&with_past().1, 1_000_000);
    assert_eq!(all.len(), 5, "{all:?}");
    let flags = [false, true];
    for (fails, restart, crash) in flags
        .iter()
        .flat_map(|fails| flags.map(|restart| (*fails, restart)))
        .flat_map(|(fails, restart)| flags.map(|crash| (fails, restart, crash)))
    {
        for faults in 0..12 {
            let (disk, mut project) = with_past();
            if restart {
                project = start(disk.clone());
            }
            disk.fails_after.set(Some(faults));
            let mut done = BTreeSet::new();
            for _ in 0..4 {
                let Ok(Next::Put(put)) = project.next_put(500_000) else { continue };
                if fails {
                    let _ = project.put_failed(&put, 500_000);
                } else {
                    let _ = project.put_done(&put, 500_000);
                    done.insert(put.entry.to_string());
                }
            }
            let _ = project.checkpoint();
            disk.fails_after.set(None);
            // Nor may a later checkpoint pass what could not be stored.
            project.checkpoint().unwrap();
            if crash {
                project = start(disk);
            }
            // Finished puts may be repeated; all others are still pending.
            let entries = &drain(&project, 1_000_000) | &done;
            assert_eq!(entries, all, "fails {fails}, restart {restart}, crash {crash}, faults {faults}");
        }
    }
}
