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
