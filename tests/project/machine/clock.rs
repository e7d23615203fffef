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
