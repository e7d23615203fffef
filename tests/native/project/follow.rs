//! The index follows the records that wait (`project::store::indexer`).

use super::words::{index, rebuild};
use super::*;

/// How many writes of records may wait.
const WRITES: u64 = 128;
/// The bytes of a record that does not wait.
const BYTES: usize = 512 * 1024;

fn small(number: u64) -> Message {
    post(&json!({"id": format!("r{number}"), "custom": "red words", "objectTypeProperty": {}}))
}

/// Creates a project with so many records that wait.
fn waiting(count: u64) -> Collection {
    let project = open();
    for number in 0..count {
        resource(&perform(&project, &small(number), 10 + number));
    }
    assert_eq!(indexed(&project), 0);
    project
}

/// Returns after how many creations the index gets all of them.
fn most() -> u64 {
    let project = open();
    let is_last = |number: &u64| {
        resource(&perform(&project, &small(*number), 10 + number));
        indexed(&project) > 0
    };
    (0..WRITES).find(is_last).expect("a batch") + 1
}

/// Returns how many records the index has.
fn indexed(project: &Collection) -> i64 {
    project.database().number("SELECT count(*) FROM text_docsize")
}

#[test]
fn the_write_after_which_too_many_records_wait_indexes_all_of_them() {
    let count = most();
    let project = waiting(count - 1);
    project.database().statements.take();
    resource(&perform(&project, &small(count - 1), 1_000));
    let statements = project.database().statements.take();
    let batch = [
        "SELECT resource",
        "INSERT resource",
        "SELECT resource",
        "SELECT resource",
        "INSERT term",
        "INSERT text",
        "INSERT meta",
    ];
    assert_eq!(statements, batch);
    assert_eq!(indexed(&project), count as i64);
    // The next one waits again.
    resource(&perform(&project, &small(count), 2_000));
    assert_eq!(indexed(&project), count as i64);
}

#[test]
fn a_large_record_is_indexed_with_its_creation_or_the_update_that_makes_it_large() {
    let large = "word ".repeat(BYTES / 5);
    let project = waiting(2);
    resource(&perform(&project, &post(&json!({"custom": large, "objectTypeProperty": {}})), 1_000));
    assert_eq!(indexed(&project), 3);
    let project = waiting(2);
    resource(&perform(&project, &update("r1", 1, Some(&large)), 1_000));
    assert_eq!(indexed(&project), 2);
    let before = index(&project);
    assert_eq!(index(&rebuild(project.database())), before);
}

/// Returns how many pages SQLite writes for the index of so many large records with the same values, in a project that
/// has others.
fn pages(name: &str, count: u64) -> u64 {
    let folder = std::env::temp_dir().join(format!("resource-edge-{name}-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let connection = rusqlite::Connection::open(folder.join("objects")).unwrap();
    for (name, value) in [("journal_mode", "WAL"), ("wal_autocheckpoint", "0")] {
        connection.pragma_update(None, name, value).unwrap();
    }
    let project = start(crate::support::sqlite::Sqlite::with(connection));
    let create = |number: u64| {
        let numbers: Vec<u64> = (0..2_000).map(|at| at * 10 + number % 2).collect();
        let message = post(&json!({"objectTypeProperty": {"arrayOfIntExample": numbers}}));
        resource(&project.perform(&message, &at(1_700_000_000_000 + number)).unwrap());
    };
    (0..40).for_each(create);
    project.follow().unwrap();
    (40..40 + count).for_each(create);
    let connection = &project.database().connection;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    project.follow().unwrap();
    let bytes = std::fs::metadata(folder.join("objects-wal")).unwrap().len();
    drop(project);
    std::fs::remove_dir_all(folder).unwrap();
    // A page with its header in the log.
    bytes / 4_120
}

#[test]
fn the_index_of_several_large_records_changes_hardly_more_pages_than_that_of_one() {
    let (one, several) = (pages("one", 1), pages("several", 8));
    assert!(one > 100 && several < one * 3 / 2, "{one}, {several}");
}

#[test]
fn a_batch_writes_neighboring_values_of_large_records_together() {
    let project = open();
    project.make_ready().unwrap();
    project.database().run(
        "CREATE TEMP TABLE written(value, resource);
         CREATE TEMP TRIGGER write AFTER INSERT ON main.term
         BEGIN INSERT INTO written VALUES(NEW.value, NEW.resource); END",
    );
    let numbers: Vec<u64> = (0..5_000).collect();
    for number in 0..4 {
        let message = post(&json!({"objectTypeProperty": {"arrayOfIntExample": numbers}}));
        resource(&perform(&project, &message, 10 + number));
    }
    project.follow().unwrap();
    let number = |sql: &str| project.database().number(sql);
    assert_eq!(number("SELECT count(*) FROM written"), 20_000);
    // The smallest and the largest value are written apart.
    let farthest = "SELECT max(rows) FROM (SELECT max(rowid) - min(rowid) AS rows FROM written \
                    WHERE value BETWEEN 1 AND 4998 GROUP BY value)";
    assert!(number(farthest) < 1_000, "{}", number(farthest));
}

#[test]
fn updates_of_a_record_that_waits_are_counted_too() {
    let project = waiting(1);
    let is_last = |version: &u64| {
        resource(&perform(&project, &update("r0", *version, Some("blue")), 100 + version));
        indexed(&project) > 0
    };
    assert!((1..WRITES).any(|version| is_last(&version)));
}

#[test]
fn a_fault_of_a_batch_refuses_the_write_and_the_next_write_indexes_the_same_records() {
    let count = most();
    for restarts in [false, true] {
        for faults in 0.. {
            let mut project = waiting(count - 1);
            let before = project.database().dump();
            project.database().fails_after.set(Some(faults));
            let failed = project.perform(&small(count - 1), &at(1_000)).is_err();
            project.database().fails_after.set(None);
            if !failed {
                assert!(faults >= 7, "{faults}");
                break;
            }
            assert_eq!(project.database().dump(), before, "{faults}");
            if restarts {
                project = crash(&project);
            }
            resource(&perform(&project, &small(count - 1), 1_000));
            assert_eq!(indexed(&project), count as i64, "{faults}");
        }
    }
}

#[test]
fn an_import_indexes_a_record_that_a_later_line_changes_or_deletes_as_it_is_at_the_end() {
    let time = |ms: u64| resource_edge::util::time::format(1_700_000_000_000 + ms);
    let line = |id: &str, created: u64, (version, modified): (u64, u64), key: Option<&str>, words: &str| {
        let key = key.map(|key| format!(r#""key":"{key}","#)).unwrap_or_default();
        format!(
            r#"{{"id":"{id}","version":{version},{key}"createdAt":"{}","lastModifiedAt":"{}","objectTypeProperty":{{"arrayOfIntExample":[{version}],"arrayOfUniqueIntExample":[],"arrayOfTwonumbersExample":[],"arrayOfFloatExample":[],"arrayOfNumberNoDefaultsExample":[],"arrayOfStringExample":[],"arrayOfObjectType":[]}},"custom":"{words}"}}"#,
            time(created),
            time(modified)
        )
    };
    let lines = [
        line("changed", 5, (1, 10), None, "red"),
        line("renamed", 4, (1, 11), Some("k"), "green"),
        line("deleted", 6, (1, 12), None, "blue"),
        line("changed", 5, (2, 13), None, "yellow"),
        line("holder", 3, (1, 14), Some("k"), "black"),
        format!(r#"{{"deletedAt":"{}","id":"deleted","version":1}}"#, time(15)),
        line("last", 2, (1, 16), None, "white"),
    ];
    let project = open();
    let import = message(Call::Import(lines.join("\n")));
    let reply = perform(&project, &import, 1_700_000_001_000);
    assert!(body(&reply).contains("\"imported\":7"), "{reply:?}");
    let found = index(&project);
    assert_eq!(found.iter().filter(|row| row.contains("yellow")).count(), 2, "{found:#?}");
    assert!(!found.iter().any(|row| row.contains("red") || row.contains("blue")), "{found:#?}");
    assert_eq!(index(&rebuild(project.database())), found);
}
