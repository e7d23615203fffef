//! The clock is set to another time: nothing stops, and nothing loops.

use super::*;

fn set_back(platform: &mut Platform, ms: Millis) {
    platform.ahead -= ms;
}

#[test]
fn replication_continues_after_the_clock_is_set_back() {
    for by in [2_000, HOUR, 365 * DAY] {
        let mut platform = Platform::new();
        platform.put_ms = 2;
        for number in 0..5 {
            platform.create(&format!("before{number}"));
        }
        platform.run(100);
        set_back(&mut platform, by);
        for number in 0..6_000 {
            platform.create(&format!("a{number}"));
            platform.run(20);
        }
        platform.run(5_000);
        assert_eq!(platform.behind(), 0, "{by} ms back");
    }
}

#[test]
fn an_entry_that_was_just_put_is_put_again_soon_after_the_clock_is_set_back() {
    let mut platform = Platform::new();
    platform.create("a");
    platform.run(100);
    set_back(&mut platform, HOUR);
    platform.change("a", 1);
    platform.run(2_000);
    assert_eq!(platform.behind(), 0);
}

#[test]
fn a_failed_put_is_retried_by_the_next_call_after_the_clock_is_set_back() {
    let mut platform = Platform::new();
    platform.fails = true;
    // So many that the queue pauses.
    for number in 0..20 {
        platform.create(&format!("a{number}"));
    }
    platform.run(10_000);
    platform.fails = false;
    set_back(&mut platform, HOUR);
    // A read changes nothing, but its object finds that the alarm is too far away.
    platform.perform(&crate::support::messages::get("a0"));
    platform.run(MINUTE);
    assert_eq!(platform.behind(), 0);
}

#[test]
fn a_failed_put_is_retried_by_an_object_that_starts_after_the_clock_is_set_back() {
    let mut platform = Platform::new();
    platform.fails = true;
    platform.create("a");
    platform.run(10_000);
    let mut platform = Platform { ahead: platform.ahead - HOUR, ..Platform::of(platform.database().clone()) };
    platform.time = 10_000;
    platform.create("b");
    platform.run(MINUTE);
    assert_eq!(platform.behind(), 0);
}

#[test]
fn a_running_alarm_ends_after_the_clock_is_set_back() {
    let mut platform = Platform::new();
    platform.put_ms = 900;
    let mut was_running = false;
    for number in 0..200 {
        platform.create(&format!("a{number}"));
        platform.run(100);
        if platform.alarm_is_running && !was_running {
            set_back(&mut platform, HOUR);
            was_running = true;
        }
    }
    assert!(was_running && platform.alarms.len() > 1, "{:?}", platform.alarms);
    for (began, ended) in &platform.alarms {
        assert!(ended.unwrap_or(platform.time) - began <= 6_000, "{:?}", platform.alarms);
    }
}

#[test]
fn the_sweep_does_not_wait_for_the_time_from_before_the_clock_was_set_back() {
    let mut platform = Platform::new();
    platform.create("a");
    platform.run(MINUTE);
    set_back(&mut platform, 365 * DAY);
    platform.kv.clear();
    platform.create("b");
    platform.run(DAY);
    assert_eq!(platform.behind(), 0);
    assert!(platform.lists.len() <= 6, "{:?}", platform.lists);
}

#[test]
fn nothing_loops_after_the_clock_is_set_forward() {
    for by in [HOUR, 365 * DAY] {
        let mut platform = Platform::new();
        platform.create("a");
        platform.run(100);
        platform.ahead += by;
        platform.create("b");
        platform.run(HOUR);
        assert_eq!(platform.behind(), 0);
        assert!(platform.alarms.len() < 10, "{:?}", platform.alarms);
    }
}

/// Returns whether plain reads bypass KV (D33), and how long the oldest write waits.
fn behind(platform: &Platform) -> (bool, Option<u64>) {
    let ask = |call| perform(platform.machine.project(), &message(call), platform.now());
    let CallResult::Replication { bypass_kv } = ask(Call::Replication).head.result else { panic!() };
    let status: Value = serde_json::from_str(&ask(Call::Status).body.unwrap()).unwrap();
    (bypass_kv, status["backlogAgeMs"].as_u64())
}

/// Returns the machine of an object that starts on the platform's data, with its clock.
fn restarted(platform: &Platform) -> Platform {
    let (time, ahead, put_ms) = (platform.time, platform.ahead, platform.put_ms);
    Platform { time, ahead, put_ms, ..Platform::of(platform.database().clone()) }
}

/// Performs a write with a revision that is an hour ahead of the clock, in each way in which that happens.
fn ahead_by_an_hour(how: &str) -> Platform {
    let mut platform = Platform::new();
    // A put hangs until its timeout.
    platform.put_ms = 25_000;
    if how == "an import" {
        let time = resource_edge::util::time::format(platform.now() + HOUR);
        let arrays = "ArrayOfIntExample,ArrayOfUniqueIntExample,ArrayOfTwonumbersExample,ArrayOfFloatExample,\
                      ArrayOfNumberNoDefaultsExample,ArrayOfStringExample,ArrayOfObjectType";
        let arrays = arrays.split(',').map(|name| format!("\"a{}\":[]", &name[1..])).collect::<Vec<_>>();
        let line = format!(
            "{{\"id\":\"a\",\"version\":1,\"createdAt\":\"{time}\",\"lastModifiedAt\":\"{time}\",\
             \"objectTypeProperty\":{{{}}}}}",
            arrays.join(",")
        );
        assert!(platform.perform(&message(Call::Import(line))));
    } else {
        platform.create("a");
        platform.run(MINUTE);
        set_back(&mut platform, HOUR);
        platform.change("a", 1);
    }
    assert_eq!(behind(&platform), (false, Some(0)), "{how}");
    platform
}

#[test]
fn a_write_waits_as_long_as_it_waits_though_its_revision_is_ahead_of_the_clock() {
    for how in ["an import", "a clock that was set back"] {
        let mut platform = ahead_by_an_hour(how);
        platform.run(5_000);
        assert_eq!(behind(&platform), (false, Some(5_000)), "{how}");
        platform.run(1);
        assert_eq!(behind(&platform), (true, Some(5_001)), "{how}");
        // After a restart, nothing shows since when it waits.
        let mut platform = restarted(&platform);
        assert_eq!(behind(&platform), (true, Some(5_001)), "{how}");
        platform.put_ms = 20;
        platform.create("b");
        platform.run(2 * MINUTE);
        assert_eq!((platform.behind(), behind(&platform)), (0, (false, None)), "{how}");
    }
}

#[test]
fn a_newer_write_does_not_shorten_the_wait_and_the_next_one_begins_another() {
    let mut platform = Platform::new();
    platform.create("a");
    platform.run(HOUR);
    platform.put_ms = 25_000;
    platform.change("a", 1);
    for version in 2..8 {
        platform.run(1_000);
        platform.change("a", version);
    }
    assert_eq!(behind(&platform), (true, Some(6_000)), "the put in flight has the oldest write");
    platform.run(19_000);
    assert_eq!(behind(&platform), (true, Some(24_000)), "the next put has the others");
    platform.put_ms = 20;
    platform.run(MINUTE);
    assert_eq!(behind(&platform), (false, None));
    platform.change("a", 8);
    assert_eq!(behind(&platform), (false, Some(0)));
}

#[test]
fn a_clock_that_is_set_back_does_not_shorten_a_wait() {
    let mut platform = Platform::new();
    platform.put_ms = 25_000;
    platform.create("a");
    platform.run(4_000);
    assert_eq!(behind(&platform), (false, Some(4_000)));
    set_back(&mut platform, HOUR);
    platform.create("b");
    platform.run(1_500);
    assert_eq!(behind(&platform), (true, Some(5_500)));
}
