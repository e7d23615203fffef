//! Versions and revisions with any changes of the clock, and what a restart keeps (D3, D5, D6).

use super::*;

#[test]
fn revisions_strictly_rise_with_a_frozen_clock() {
    let project = open();
    let mut last = 0;
    let mut writes = 0;
    for round in 0..20 {
        let id = format!("r{round}");
        for message in [
            post(&json!({"id": id, "objectTypeProperty": {}})),
            update(&id, 1, Some("x")),
            put(&json!({"id": id, "version": 2, "objectTypeProperty": {}})),
            merge(&json!({"id": id})),
            delete(&id),
        ] {
            let answer = perform(&project, &message, 1000);
            let reply = resource(&answer);
            assert!(reply.newest > last, "{} after {last}", reply.newest);
            last = reply.newest;
            writes += 1;
        }
    }
    // No instant is skipped either: a write uses a later instant only if it has to.
    assert_eq!(last, 1000 + writes - 1);
}

#[test]
fn revisions_strictly_rise_when_the_clock_is_set_back() {
    let project = open();
    let first = create(&project, "a", None, 1_000_000);
    let second = perform(&project, &update("a", 1, None), 5);
    let third = create(&project, "b", None, 0);
    let last = perform(&project, &update("b", 1, None), 2_000_000);
    let revisions = [&first, &second, &third, &last].map(|answer| resource(answer).revision);
    assert_eq!(revisions, [1_000_000, 1_000_001, 1_000_002, 2_000_000]);
    assert_eq!(record(&third)["createdAt"], "1970-01-01T00:16:40.002Z");
}

#[test]
fn no_later_write_has_the_revision_of_a_delete() {
    let project = open();
    create(&project, "a", None, 10);
    let deleted = perform(&project, &delete("a"), 10);
    assert_eq!((resource(&deleted).revision, resource(&deleted).newest), (10, 11));
    let made = create(&project, "a", None, 10);
    assert_eq!(resource(&made).revision, 12);
    assert_eq!(record(&made)["version"], 2);
}

#[test]
fn generated_ids_strictly_rise_even_with_constant_entropy_and_a_frozen_clock() {
    let project = open();
    let mut ids = Vec::new();
    for _ in 0..50 {
        let answer = perform(&project, &post(&json!({"objectTypeProperty": {}})), 77);
        ids.push(resource(&answer).id.clone());
    }
    assert!(ids.is_sorted_by(|left, right| left < right), "{ids:?}");
}

#[test]
fn a_database_of_a_newer_version_is_rejected_and_unchanged() {
    let disk = Shared::new();
    start(disk.clone()).perform(&post(&json!({"objectTypeProperty": {}})), &at(1)).unwrap();
    disk.run("UPDATE meta SET value = 1000 WHERE name = 'tables'");
    let dump = disk.dump();
    let project = start(disk.clone());
    assert!(project.perform(&post(&json!({"objectTypeProperty": {}})), &at(2)).is_err());
    assert!(project.next_put(3).is_err());
    assert_eq!(disk.dump(), dump);
}

#[test]
#[allow(clippy::too_many_lines, reason = "one story")]
fn a_large_index_is_rebuilt_over_several_calls_while_lookups_continue() {
    let disk = Shared::new();
    let project = start(disk.clone());
    let long = "words ".repeat(20_000);
    for number in 0..20 {
        let body = json!({"id": format!("a{number}"), "key": format!("k{number}"), "custom": long, "objectTypeProperty": {"arrayOfIntExample": [number, 7]}});
        perform(&project, &post(&body), 10 + number);
    }
    let index = || {
        let lines = disk.dump();
        let of_index = |line: &&str| line.starts_with("term ") || line.starts_with("resource ");
        lines.lines().filter(of_index).map(str::to_owned).collect::<Vec<_>>()
    };
    project.follow().unwrap();
    let before = index();
    for old in [0, 1, 1_000] {
        disk.sqlite.connection.execute("UPDATE meta SET value = ? WHERE name = 'index'", [old]).unwrap();
        disk.run("DELETE FROM term; UPDATE resource SET entries = NULL");
        let mut project = start(disk.clone());
        let mut refused = 0;
        loop {
            let reply = perform(&project, &update("a3", 9, None), 100);
            assert_eq!(resource(&perform(&project, &get("a19"), 100)).id, "a19");
            if status(&reply) == 409 {
                break;
            }
            assert_eq!(status(&reply), 503);
            assert!(disk.sqlite.alarm.get().is_some(), "the alarm would go on");
            refused += 1;
            // Finished parts remain after a crash.
            project = start(disk.clone());
        }
        // Each round has two calls, and a call indexes four records.
        assert!((2..10).contains(&refused), "{refused}");
        assert_eq!(index(), before);
    }
    // The alarm would also do it without calls.
    disk.run("UPDATE meta SET value = 0 WHERE name = 'index'");
    let project = start(disk.clone());
    let mut alarms = 0;
    while disk.number("SELECT value FROM meta WHERE name = 'index'") <= 0 {
        project.next_put(200).unwrap();
        alarms += 1;
    }
    assert!((3..10).contains(&alarms), "{alarms}");
    assert_eq!(index(), before);
    let newest = project.next_due(200).unwrap();
    assert!(newest.is_some(), "puts begin once the index is complete");
}
