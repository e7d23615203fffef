//! An alarm rebuilds an incomplete index in parts.

use super::*;

/// Creates a database whose index is out of date, and whose rebuild has that many parts.
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

/// Returns how many records the rebuild has indexed: in a database of [`outdated`], its parts.
fn parts(platform: &Platform) -> i64 {
    platform.database().number(
        "SELECT count(*) FROM resource WHERE seq <= coalesce((SELECT value FROM meta WHERE name = 'indexed'), 0)",
    )
}

#[test]
fn a_turn_rebuilds_one_part() {
    let mut platform = Platform::of(outdated(4));
    // The last part makes it ready.
    for done in 1..=3 {
        platform.perform(&delete("a0"));
        assert_eq!(parts(&platform), done);
    }
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
    assert_eq!(parts(&platform), 0);
    create(&mut platform, "large", 24 * 1024);
    // The next one sets no second timer.
    create(&mut platform, "larger", 25 * 1024);
    assert_eq!((parts(&platform), platform.pending.len()), (0, 3));
    platform.run(10);
    assert_eq!(parts(&platform), 3);
    create(&mut platform, "another", 100);
    platform.run(10_000);
    assert_eq!((parts(&platform), platform.alarms.len()), (4, 1));
    assert!(platform.log.is_empty(), "{:?}", platform.log);
}

#[test]
fn alarms_rebuild_a_large_index_without_any_call() {
    let mut platform = Platform::of(outdated(150));
    platform.database().sqlite.alarm.set(Some(platform.now()));
    platform.run(0);
    assert_eq!(parts(&platform), 64, "each in its own turn");
    assert_eq!(platform.alarms, [(0, Some(0))]);
    platform.run(5_000);
    assert!((3..=4).contains(&platform.alarms.len()), "{:?}", platform.alarms);
    let pauses: Vec<_> = platform.alarms.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    assert!(pauses[..2].iter().all(|pause| *pause == 1_100), "{pauses:?}");
    assert!(platform.machine.project().make_ready().unwrap());
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
    assert!(platform.machine.project().make_ready().unwrap());
    let renewed =
        |platform: &Platform| platform.database().number("SELECT value FROM meta WHERE name = 'renewed'");
    assert_eq!(renewed(&platform), 0);
    platform.run(0);
    let done = platform.database().number("SELECT count(*) FROM resource WHERE generation = 2");
    assert_eq!((done, platform.alarms.len()), (64, 1), "each in its own turn");
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
    assert!(platform.machine.project().make_ready().unwrap());
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
