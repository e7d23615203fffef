//! An alarm rebuilds an incomplete index in parts.

use super::*;

/// Creates a database whose index is out of date, and whose rebuild has that many parts.
fn outdated(parts: usize) -> Shared {
    let mut platform = Platform::new();
    // A part ends after 128 KiB.
    let custom = "x".repeat(128 * 1024);
    for number in 0..parts {
        let body = json!({"id": format!("a{number}"), "custom": custom, "objectTypeProperty": {}});
        assert!(platform.perform(&post(&body)));
    }
    platform.run(HOUR);
    let database = platform.database().clone();
    database.sqlite.connection.execute("UPDATE meta SET value = 0 WHERE name = 'index'", []).unwrap();
    database
}

#[test]
fn alarms_rebuild_a_large_index_without_any_call() {
    let mut platform = Platform::of(outdated(150));
    platform.database().sqlite.alarm.set(Some(platform.now()));
    let parts = |platform: &Platform| {
        platform.database().number("SELECT count(*) FROM resource WHERE seq <= coalesce((SELECT value FROM meta WHERE name = 'rebuilt'), 0)")
    };
    platform.run(0);
    let first = parts(&platform);
    assert!((64..=70).contains(&first), "{first} parts in the first alarm");
    assert_eq!(platform.alarms, [(0, Some(0))]);
    platform.run(5_000);
    assert!((3..=4).contains(&platform.alarms.len()), "{:?}", platform.alarms);
    let pauses: Vec<_> = platform.alarms.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    assert!(pauses[..2].iter().all(|pause| *pause == 1_100), "{pauses:?}");
    assert!(platform.machine.project().make_ready().unwrap());
    assert!(platform.log.is_empty(), "{:?}", platform.log);
}
