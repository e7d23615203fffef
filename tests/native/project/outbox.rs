//! Everything is eventually replicated to KV, even if puts fail, land late, or overtake each other (architecture:
//! Storage; D17, D19).

mod crashes;
mod sweep;

use std::collections::BTreeMap;

use resource_edge::contract::kv::{Metadata, TOMBSTONE_SECONDS};

use super::*;

/// The contents of KV: value, metadata if it is valid, and lifetime.
type Kv = BTreeMap<String, (String, Option<Metadata>, Option<u32>)>;

/// Begins and returns every put that may begin at that time.
fn puts(project: &Collection, now: Millis) -> Vec<Put> {
    let mut begun = Vec::new();
    while let Next::Put(put) = project.next_put(now).unwrap() {
        begun.push(put);
    }
    begun
}

/// Returns the KV keys of puts.
fn entries(puts: &[Put]) -> Vec<&str> {
    puts.iter().map(|put| put.entry.as_ref()).collect()
}

/// Starts and completes every put, without pauses.
fn replicate(project: &Collection, kv: &mut Kv, now: Millis) -> Vec<String> {
    drain_until(project, now, now + 10_000, |put| land(kv, put))
}

fn rows(project: &Collection) -> i64 {
    project.database().number("SELECT count(*) FROM outbox")
}

fn metadata(put: &Put) -> Value {
    serde_json::from_str(&put.metadata.to_json()).unwrap()
}

#[test]
fn six_resources_whose_puts_fail_are_an_outage_in_which_the_others_wait() {
    let project = open();
    for number in 0..8 {
        create(&project, &format!("a{number}"), None, 10 + number);
    }
    for put in puts(&project, 50) {
        project.put_failed(&put, 50).unwrap();
    }
    assert_eq!(project.next_put(50).unwrap(), Next::Wait(1_050));
}

#[test]
fn a_deleted_resource_and_its_key_become_tombstones_that_expire_after_a_day() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    perform(&project, &delete("a"), 20);
    for project in [crash(&project), project] {
        let begun = puts(&project, 30);
        assert_eq!(begun.len(), 2);
        for put in begun {
            assert_eq!((put.value.as_str(), put.ttl_seconds), ("", Some(TOMBSTONE_SECONDS)), "{put:?}");
            assert_eq!(metadata(&put), json!({"revision": 20, "deleted": true}));
        }
    }
    assert_eq!(TOMBSTONE_SECONDS, 86_400);
}

/// Returns the longest lag, within a minute, of the copy of a hot resource that is updated ten times a second. A put
/// lasts 300 ms and six run at the same time: 20 per second. `creations` is the number of new resources per second.
fn longest_lag(creations: u64) -> Millis {
    const BEGIN: Millis = 1_000;
    let project = open();
    create(&project, "hot", None, BEGIN);
    let mut in_flight: Vec<(Millis, Put)> = Vec::new();
    let (mut version, mut replicated, mut longest) = (1, BEGIN, 0);
    for now in (BEGIN..BEGIN + 60_000).step_by(10) {
        if now % (1_000 / creations) < 10 {
            create(&project, &format!("a{now}"), None, now);
        }
        if now % 100 == 0 {
            perform(&project, &update("hot", version, None), now);
            version += 1;
        }
        let (ended, rest) = in_flight.into_iter().partition(|(end, _)| *end <= now);
        in_flight = rest;
        for (_, put) in ended {
            project.put_done(&put, now).unwrap();
            if &*put.entry == "r1:p:hot" {
                replicated = put.metadata.revision;
            }
        }
        in_flight.extend(puts(&project, now).into_iter().map(|put| (now + 300, put)));
        assert!(in_flight.len() <= 6, "{now}");
        longest = longest.max(now - replicated);
    }
    longest
}

#[test]
fn the_busiest_resource_does_not_starve_when_puts_are_saturated() {
    // The sum of 1.1 s between two puts of a KV key, the puts before it in turn, and its own put.
    for creations in [10, 25, 100] {
        let longest = longest_lag(creations);
        assert!(longest <= 2_200, "{longest} ms behind at {creations} creations a second");
    }
}

#[test]
fn a_failed_put_is_retried_and_put_once_more_after_a_minute() {
    let project = open();
    create(&project, "a", None, 1000);
    let put = puts(&project, 1000).remove(0);
    project.put_failed(&put, 2000).unwrap();
    assert!(puts(&project, 2000).is_empty(), "not at once");
    let again = project.next_due(2000).unwrap().unwrap();
    assert!((2001..=62_000).contains(&again), "{again}");
    project.checkpoint().unwrap();
    assert_eq!(watermark(&project), 1000, "a row contains what failed");
    let project = crash(&project);
    assert!(puts(&project, 2000).is_empty(), "not at once, also after a crash");
    project.put_done(&puts(&project, again).remove(0), again + 1).unwrap();
    let confirm = project.next_due(again + 1).unwrap().expect("the failed put may still land");
    assert!((61_000..=70_000).contains(&confirm), "{confirm}");
    project.put_done(&puts(&project, confirm).remove(0), confirm + 1).unwrap();
    assert_eq!(project.next_due(confirm + 1).unwrap(), None);
    assert_eq!(rows(&project), 0);
}

#[test]
fn pauses_between_retries_grow_to_a_minute() {
    let project = open();
    create(&project, "a", None, 0);
    let (mut now, mut pauses) = (0, Vec::new());
    for _ in 0..12 {
        let put = puts(&project, now).remove(0);
        project.put_failed(&put, now).unwrap();
        let next = project.next_due(now).unwrap().unwrap();
        pauses.push(next - now);
        now = next;
    }
    assert!(pauses.is_sorted(), "{pauses:?}");
    assert!(pauses[0] == 1_000 && pauses[1] == 2_000 && pauses[11] == 60_000, "{pauses:?}");
    let project = crash(&project);
    assert_eq!(project.next_put(now - 60_000).unwrap(), Next::Wait(now), "a start keeps the longest pause");
}

#[test]
fn a_later_write_is_put_soon_even_if_earlier_puts_failed() {
    let project = open();
    create(&project, "a", None, 0);
    for now in [0, 20_000, 40_000] {
        for put in puts(&project, now) {
            project.put_failed(&put, now).unwrap();
        }
    }
    perform(&project, &update("a", 1, None), 40_050);
    assert_eq!(project.next_put(40_050).unwrap(), Next::Wait(41_100));
    let begun = puts(&project, 41_100);
    assert_eq!(entries(&begun), ["r1:p:a"]);
    project.put_failed(&begun[0], 41_100).unwrap();
    assert_eq!(
        project.next_put(41_100).unwrap(),
        Next::Wait(42_100),
        "its pauses are those of a first failure"
    );
}

#[test]
fn a_write_during_an_outage_does_not_wait_until_an_earlier_put_is_confirmed() {
    let project = open();
    create(&project, "a", None, 1_000);
    project.put_failed(&puts(&project, 1_000)[0], 1_000).unwrap();
    project.put_done(&puts(&project, 2_100)[0], 2_100).unwrap();
    for number in 0..6 {
        create(&project, &format!("b{number}"), None, 10_000);
    }
    for put in puts(&project, 10_000) {
        project.put_failed(&put, 10_000).unwrap();
    }
    perform(&project, &update("a", 1, None), 10_050);
    let mut kv = Kv::new();
    replicate(&project, &mut kv, 11_000);
    assert_eq!(kv["r1:p:a"].1.as_ref().map(|metadata| metadata.version), Some(Some(2)));
}

/// Returns when the next turn of the sweep is due.
fn sweep_due(project: &Collection) -> Millis {
    // Before the first sweep, this sets its time.
    project.next_sweep(0).unwrap();
    project.database().number("SELECT value FROM meta WHERE name = 'sweep'").unsigned_abs()
}

/// Performs a whole sweep over the contents of KV, in pages of `size` entries. Returns the time of its end.
fn sweep(project: &Collection, kv: &Kv, size: usize) -> Millis {
    let mut now = sweep_due(project);
    loop {
        let page = project.sweep(now).unwrap().expect("a page that is due");
        let begin: usize = page.cursor.as_deref().map_or(0, |cursor| cursor.parse().unwrap());
        let mut listed = kv.iter().filter(|(entry, _)| entry.starts_with(&page.prefix)).skip(begin);
        let entries: Vec<Listed> = listed
            .by_ref()
            .take(size)
            .map(|(entry, (_, metadata, _))| Listed { entry: entry.clone(), metadata: metadata.clone() })
            .collect();
        let cursor = listed.next().map(|_| (begin + size).to_string());
        project.sweep_done(&page, &entries, cursor.as_deref(), now).unwrap();
        let next = project.next_sweep(now).unwrap().unwrap();
        if next > now + 60_000 {
            return now;
        }
        now = next;
    }
}

fn land(kv: &mut Kv, put: &Put) {
    kv.insert(put.entry.to_string(), (put.value.clone(), Some(put.metadata.clone()), put.ttl_seconds));
}

fn watermark(project: &Collection) -> i64 {
    project.database().number("SELECT value FROM meta WHERE name = 'replicated'")
}
