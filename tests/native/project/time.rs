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

/// Returns the rows of the index.
fn index(disk: &Shared) -> [Vec<String>; 3] {
    let of_records = disk.sqlite.rows("SELECT seq, items, json(entries), body FROM resource");
    [disk.sqlite.rows("SELECT * FROM term"), disk.sqlite.rows("SELECT * FROM vocabulary"), of_records]
}

/// Returns a project that renews an index in small parts.
fn in_parts(disk: &Shared) -> Collection {
    start(disk.clone()).with_parts(128, 1, usize::MAX)
}

/// Returns a project with twenty records, all of which are in the index.
fn with_index() -> Shared {
    let disk = Shared::new();
    let project = start(disk.clone());
    let long = "words ".repeat(20_000);
    for number in 0..20 {
        let body = json!({"id": format!("a{number}"), "key": format!("k{number}"), "custom": long, "objectTypeProperty": {"arrayOfIntExample": [number, 7]}});
        perform(&project, &post(&body), 10 + number);
    }
    project.follow().unwrap();
    disk
}

#[test]
fn an_outdated_index_is_renewed_in_parts_while_calls_are_performed() {
    let disk = with_index();
    let before = index(&disk);
    for old in [0, 1, 1_000] {
        disk.sqlite.connection.execute("UPDATE meta SET value = ? WHERE name = 'index'", [old]).unwrap();
        disk.run("DELETE FROM term; UPDATE resource SET entries = NULL");
        let mut project = in_parts(&disk);
        let mut refused = 0;
        loop {
            assert_eq!(status(&perform(&project, &update("a3", 9, None), 100)), 409);
            assert_eq!(resource(&perform(&project, &get("a19"), 100)).id, "a19");
            assert_eq!(status(&perform(&project, &message(Call::Read(Read::Query(query("", &[])))), 100)), 0);
            let asked =
                perform(&project, &message(Call::Read(Read::Query(query("custom is defined", &[])))), 100);
            if status(&asked) == 0 {
                break;
            }
            assert_eq!(status(&asked), 503);
            assert!(disk.sqlite.alarm.get().is_some(), "the alarm would go on");
            refused += 1;
            // Finished parts remain after a crash.
            project = in_parts(&disk);
        }
        // A part has four records.
        assert_eq!(refused, 4);
        assert_eq!(index(&disk), before);
    }
}

#[test]
fn an_outdated_index_gets_what_is_written_meanwhile_and_not_what_is_deleted() {
    let disk = with_index();
    disk.run("UPDATE meta SET value = 0 WHERE name = 'index'");
    let project = in_parts(&disk);
    resource(&perform(
        &project,
        &post(&json!({"id": "new", "custom": "new", "objectTypeProperty": {}})),
        200,
    ));
    resource(&perform(&project, &update("a3", 1, Some("x")), 201));
    resource(&perform(&project, &delete("a19"), 202));
    assert!(project.is_renewing() && project.renew(u32::MAX).unwrap());
    let after = index(&disk);
    assert_eq!(super::words::index(&super::words::rebuild(&disk))[..after[0].len()], after[0]);
    assert_eq!(index(&disk), after);
}
