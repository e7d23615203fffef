//! An alarm renews an incomplete index in parts.

use super::*;

/// Creates a database whose index is out of date, and whose renewal has that many parts.
fn outdated(parts: usize) -> Shared {
    let mut platform = Platform::new();
    // A part has at most 512 KiB.
    let custom = "x".repeat(257 * 1024);
    for number in 0..parts {
        let body = json!({"id": format!("a{number}"), "custom": custom, "objectTypeProperty": {}});
        assert!(platform.perform(&post(&body)));
    }
    platform.run(HOUR);
    let database = platform.database().clone();
    database.run("UPDATE meta SET value = 0 WHERE name = 'index'");
    database
}

/// Returns how many records the index has.
fn indexed(platform: &Platform) -> i64 {
    platform.database().number(
        "SELECT count(*) FROM resource WHERE seq <= coalesce((SELECT value FROM meta WHERE name = 'indexed'), 0)",
    )
}

/// Returns how many records were renewed: in a database of [`outdated`], the parts.
fn renewed(platform: &Platform) -> i64 {
    platform.database().number("SELECT count(*) FROM resource WHERE generation = 2")
}

#[test]
fn a_large_record_is_indexed_when_the_object_is_idle_and_a_small_one_in_the_alarm() {
    let mut platform = Platform::new();
    let create = |platform: &mut Platform, id: &str, bytes: usize| {
        let body = json!({"id": id, "custom": "x".repeat(bytes), "objectTypeProperty": {}});
        assert!(platform.perform(&post(&body)));
    };
    create(&mut platform, "small", 100);
    platform.run(4_000);
    assert_eq!(indexed(&platform), 0);
    create(&mut platform, "large", 24 * 1024);
    // The next one sets no second timer.
    create(&mut platform, "larger", 25 * 1024);
    assert_eq!((indexed(&platform), platform.pending.len()), (0, 3));
    platform.run(10);
    assert_eq!(indexed(&platform), 3);
    create(&mut platform, "another", 100);
    platform.run(10_000);
    assert_eq!((indexed(&platform), platform.alarms.len()), (4, 1));
    assert!(platform.log.is_empty(), "{:?}", platform.log);
}

#[test]
fn alarms_renew_an_outdated_index_without_any_call() {
    let mut platform = Platform::of(outdated(150));
    platform.database().sqlite.alarm.set(Some(platform.now()));
    platform.run(0);
    // The first of them begins the renewal, which arms the second.
    assert_eq!((renewed(&platform), platform.alarms.len()), (128, 2), "each part in its own turn");
    platform.run(5_000);
    assert!((3..=4).contains(&platform.alarms.len()), "{:?}", platform.alarms);
    let pauses: Vec<_> = platform.alarms.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    assert_eq!(pauses[..2], [0, 1_100]);
    assert!(!platform.machine.project().is_renewing());
    assert!(platform.log.is_empty(), "{:?}", platform.log);
}

/// Returns a platform on which the shape of the resources in [`outdated`] has changed.
fn changed(parts: usize) -> Platform {
    let database = outdated(parts);
    database.run("UPDATE meta SET value = 4 WHERE name = 'index'");
    let custom = json!({"type": "object", "properties": {"custom": {"type": "integer"}}});
    let shape = Shape::of_schema(&custom.to_string()).unwrap_or_else(|refused| panic!("{refused:?}"));
    let project = Project::new(database, Rc::new(shape));
    project.set_epoch(Some(""));
    Platform::with(Machine::new(project))
}

#[test]
fn alarms_renew_the_index_while_calls_are_performed_and_put() {
    let mut platform = changed(150);
    platform.machine.project().make_ready().unwrap();
    assert_eq!(platform.database().number("SELECT value FROM meta WHERE name = 'renewed'"), 0);
    platform.run(0);
    assert_eq!((renewed(&platform), platform.alarms.len()), (64, 1), "each in its own turn");
    // A write and its put wait for nothing.
    assert!(platform.perform(&delete("a149")));
    platform.run(100);
    assert!(platform.kv.contains_key("r1:p:a149"), "{:?}", platform.log);
    assert!(platform.machine.project().is_renewing());
    platform.run(5_000);
    assert!(!platform.machine.project().is_renewing());
    assert!((3..=4).contains(&platform.alarms.len()), "{:?}", platform.alarms);
    let pauses: Vec<_> = platform.alarms.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    assert!(pauses[..2].iter().all(|pause| *pause >= 1_100), "{pauses:?}");
    assert!(platform.log.is_empty(), "{:?}", platform.log);
    platform.run(HOUR);
    assert!(platform.alarms.len() < 6, "nothing is left to do");
}

#[test]
fn a_renewal_that_fails_is_tried_again_in_a_minute() {
    let mut platform = changed(3);
    platform.machine.project().make_ready().unwrap();
    // The beginning of a part fails, and the rest of the alarm does not.
    platform
        .database()
        .run("CREATE TRIGGER t BEFORE UPDATE ON resource BEGIN SELECT raise(ABORT, 'made to fail'); END");
    platform.run(10 * MINUTE);
    assert!((9..=11).contains(&platform.alarms.len()), "{:?}", platform.alarms);
    assert!(platform.log.iter().all(|line| line.starts_with("index not renewed: ")), "{:?}", platform.log);
    platform.database().run("DROP TRIGGER t");
    platform.run(2 * MINUTE);
    assert!(!platform.machine.project().is_renewing());
}
