//! The helpers, which put when many entries wait.

use super::*;

/// Creates a resource with a key: a write that changes two entries.
fn create_with_key(platform: &mut Platform, number: usize) {
    let body = json!({"id": format!("a{number}"), "key": format!("k{number}"), "objectTypeProperty": {}});
    assert!(platform.perform(&post(&body)), "{number}");
}

/// Returns how many entries wait, and how long the oldest of them has waited.
fn backlog(platform: &Platform) -> (u64, u64) {
    let message = Message { project: "p".to_owned(), call: Call::Status };
    let reply = platform.machine.project().perform(&message, &at(platform.now())).unwrap();
    let status: Value = serde_json::from_str(&reply.body.unwrap()).unwrap();
    let number = |name: &str| status[name].as_u64().unwrap_or(0);
    (number("backlog"), number("backlogAgeMs"))
}

#[test]
fn helpers_keep_pace_with_four_hundred_writes_a_second_if_a_put_lasts_60_ms() {
    let mut platform = Platform::new();
    platform.put_ms = 60;
    let mut oldest = 0;
    for number in 0..20 * 400 {
        if number % 2 == 0 {
            platform.run(5);
        }
        create_with_key(&mut platform, number);
        oldest = oldest.max(if number % 100 == 0 { backlog(&platform).1 } else { 0 });
    }
    let most = platform.batches.iter().max();
    assert!(oldest < 3_000 && most <= Some(&64), "{oldest} ms, batches of {most:?}");
    platform.run(oldest);
    assert_eq!((backlog(&platform), platform.behind()), ((0, 0), 0));
}

#[test]
fn writes_that_the_queue_has_no_room_for_follow_as_soon_as_it_has() {
    let mut platform = Platform::new();
    // More entries than the queue holds, within the time in which KV accepts one put of each.
    for number in 0..3_000 {
        create_with_key(&mut platform, number);
        if number % 50 == 49 {
            platform.run(10);
        }
    }
    platform.run(1_500);
    assert_eq!((backlog(&platform), platform.behind()), ((0, 0), 0));
}

#[test]
fn few_writes_need_no_helper() {
    let mut platform = Platform::new();
    for number in 0..30 {
        create_with_key(&mut platform, number);
    }
    platform.run(1_000);
    assert_eq!((platform.behind(), platform.batches.len()), (0, 0));
}

#[test]
fn a_batch_that_fails_is_put_again_and_an_outage_of_kv_stops_the_helpers() {
    let mut platform = Platform::new();
    platform.fails = true;
    for number in 0..300 {
        create_with_key(&mut platform, number);
    }
    platform.run(10 * MINUTE);
    assert_eq!(platform.behind(), 300);
    assert!(platform.batches.len() <= 24, "{:?}", platform.batches);
    platform.fails = false;
    platform.run(3 * MINUTE);
    assert_eq!(platform.behind(), 0);
}
