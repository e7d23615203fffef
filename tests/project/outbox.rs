//! Everything is eventually replicated to KV, even if puts fail, land late, or overtake each other (architecture:
//! Storage; D17, D19).

use std::collections::BTreeMap;

use proptest::prelude::*;
use resource_edge::contract::kv::{Metadata, TOMBSTONE_SECONDS};
use resource_edge::contract::time::Millis;
use resource_edge::project::database::Database;
use resource_edge::project::{Listed, Next, Project, Put};
use serde_json::{Value, json};

use crate::support::messages::{at, body, delete, get, post, resource, update};
use crate::support::shared::Shared;

type Collection = Project<Shared>;

fn open() -> Collection {
    Project::new(Shared::new())
}

fn create(project: &Collection, id: &str, key: Option<&str>, now: Millis) {
    let answer = project.perform(&post(&json!({"id": id, "key": key, "objectTypeProperty": {}})), &at(now));
    resource(&answer.unwrap());
}

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

/// Begins and completes every put; pauses take no time.
fn replicate(project: &Collection, kv: &mut Kv, now: Millis) -> Vec<String> {
    let (mut now, end) = (now, now + 10_000);
    let mut told = Vec::new();
    loop {
        match project.next_put(now).unwrap() {
            Next::Put(put) => {
                land(kv, &put);
                project.put_done(&put, now).unwrap();
                told.push(put.entry.to_string());
            }
            Next::Wait(at) if at <= end => now = at,
            Next::Wait(_) | Next::Nothing => return told,
        }
    }
}

/// Returns the project after a crash: the same database with an empty memory.
fn crash(project: &Collection) -> Collection {
    Project::new(project.database().clone())
}

fn watermark(project: &Collection) -> i64 {
    project.database().number("SELECT value FROM meta WHERE name = 'replicated'")
}

fn rows(project: &Collection) -> i64 {
    project.database().number("SELECT count(*) FROM outbox")
}

fn metadata(put: &Put) -> Value {
    serde_json::to_value(&put.metadata).unwrap()
}

#[test]
fn any_number_of_writes_to_a_resource_is_one_put_of_the_newest() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    for version in 1..=20 {
        project.perform(&update("a", version, Some("x")), &at(10 + version)).unwrap();
    }
    let begun = puts(&project, 100);
    assert_eq!(entries(&begun), ["k1:p:k", "r1:p:a"]);
    assert_eq!(begun[1].value, body(&project.perform(&get("a"), &at(0)).unwrap()));
    assert_eq!(metadata(&begun[1]), json!({"version": 21, "revision": 30, "key": "k"}));
    assert_eq!(begun[1].ttl_seconds, None);
}

#[test]
fn a_write_arms_the_alarm_within_seconds_and_what_is_replicated_is_due_never() {
    let project = open();
    assert_eq!(project.next_due(0).unwrap(), None);
    create(&project, "a", None, 1000);
    let alarm = project.database().sqlite.alarm.get().unwrap();
    assert!((1000..=11_000).contains(&alarm), "{alarm}");
    assert_eq!(project.next_due(1000).unwrap(), Some(1000));
    for put in puts(&project, 1000) {
        project.put_done(&put, 1001).unwrap();
    }
    assert_eq!(project.next_due(1001).unwrap(), None);
    assert_eq!(project.next_put(Millis::from(u32::MAX)).unwrap(), Next::Nothing);
}

#[test]
fn an_ordinary_write_has_no_row_in_the_outbox() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    project.perform(&update("a", 1, Some("x")), &at(11)).unwrap();
    create(&project, "b", None, 12);
    project.perform(&delete("b"), &at(13)).unwrap();
    assert_eq!(rows(&project), 0);
    create(&project, "a", Some("moved"), 14);
    assert_eq!(rows(&project), 1, "the lost key");
    project.perform(&delete("a"), &at(15)).unwrap();
    assert_eq!(rows(&project), 2, "the deleted resource's key");
    replicate(&project, &mut Kv::new(), 20);
    assert_eq!(rows(&project), 0);
}

#[test]
fn a_put_that_succeeds_does_not_settle_a_later_write() {
    let project = open();
    create(&project, "a", None, 10);
    let first = puts(&project, 10).remove(0);
    project.perform(&update("a", 1, None), &at(11)).unwrap();
    assert!(puts(&project, 12).is_empty(), "two puts of one KV key are in flight");
    project.put_done(&first, 12).unwrap();
    assert_eq!(project.next_put(12).unwrap(), Next::Wait(1110), "KV accepts a write a second");
    let second = puts(&project, 1110).remove(0);
    assert_eq!(metadata(&second)["version"], 2);
    project.put_done(&second, 1111).unwrap();
    assert_eq!(project.next_due(1111).unwrap(), None);
}

#[test]
fn at_most_six_puts_are_in_flight() {
    let project = open();
    for number in 0..20 {
        create(&project, &format!("a{number}"), None, 10 + number);
    }
    let begun = puts(&project, 50);
    assert_eq!(entries(&begun), ["r1:p:a0", "r1:p:a1", "r1:p:a2", "r1:p:a3", "r1:p:a4", "r1:p:a5"]);
    project.put_done(&begun[3], 60).unwrap();
    assert_eq!(entries(&puts(&project, 60)), ["r1:p:a6"]);
}

#[test]
fn a_deleted_resource_and_its_key_become_tombstones_that_expire_after_a_day() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    project.perform(&delete("a"), &at(20)).unwrap();
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

#[test]
fn a_moved_key_leaves_a_tombstone_and_a_pointer_also_after_a_crash() {
    let project = open();
    create(&project, "a", Some("old"), 10);
    replicate(&project, &mut Kv::new(), 15);
    create(&project, "a", Some("new"), 20);
    for project in [crash(&project), project] {
        let told: BTreeMap<String, (String, Value)> = puts(&project, 2_000)
            .iter()
            .map(|put| (put.entry.to_string(), (put.value.clone(), metadata(put))))
            .collect();
        assert_eq!(told["k1:p:new"], ("a".to_owned(), json!({"revision": 20, "id": "a"})));
        assert_eq!(told["k1:p:old"], (String::new(), json!({"revision": 20, "deleted": true})));
        assert_eq!(told["r1:p:a"].1["key"], "new");
    }
}

#[test]
fn a_crash_between_commit_and_put_loses_nothing() {
    let project = open();
    for number in 0..700 {
        let key = (number % 3 == 0).then(|| format!("k{number}"));
        create(&project, &format!("a{number}"), key.as_deref(), 10);
    }
    let mut kv = Kv::new();
    // Some puts succeed, some are in flight, and most have not begun.
    for put in puts(&project, 1000) {
        land(&mut kv, &put);
        project.put_done(&put, 1000).unwrap();
    }
    puts(&project, 1001);
    project.checkpoint().unwrap();
    let project = crash(&project);
    assert!(project.next_due(2000).unwrap().is_some(), "the alarm has to ring again");
    replicate(&project, &mut kv, 2000);
    assert_eq!(kv.len(), 700 + 234);
}

#[test]
fn a_put_in_flight_at_a_crash_that_lands_over_a_newer_one_is_corrected_after_a_minute() {
    let project = open();
    create(&project, "a", Some("k"), 1_000);
    create(&project, "gone", Some("gone"), 1_001);
    create(&project, "quiet", None, 1_002);
    let in_flight = puts(&project, 1_010);
    assert_eq!(in_flight.len(), 5);
    // The next instance starts with a write of one of these resources.
    let project = crash(&project);
    project.perform(&update("a", 1, None), &at(2_000)).unwrap();
    project.perform(&delete("gone"), &at(2_001)).unwrap();
    let mut kv = Kv::new();
    assert_eq!(replicate(&project, &mut kv, 2_010).len(), 5);
    project.checkpoint().unwrap();
    let truth = kv.clone();
    for put in &in_flight {
        land(&mut kv, put);
    }
    assert_ne!(kv, truth);
    // Nothing else happens: each alarm finds an object that has just started.
    let (mut now, mut project, mut alarms) = (12_000, project, 0);
    while let Some(due) = project.next_due(now).unwrap() {
        assert!(alarms < 5, "it does not end");
        (now, alarms) = (due.max(now + 1_100), alarms + 1);
        project = crash(&project);
        replicate(&project, &mut kv, now);
        project.checkpoint().unwrap();
    }
    assert_eq!(kv, truth);
    assert!((60_000..=70_000).contains(&now), "{now}");
    assert_eq!((rows(&project), watermark(&project)), (0, 2_001));
}

#[test]
fn a_key_that_is_lost_right_after_a_crash_is_confirmed_too() {
    let project = open();
    create(&project, "a", Some("k"), 1_000);
    let pointer = puts(&project, 1_010).remove(0);
    project.put_failed(&pointer, 1_020).unwrap();
    let late = puts(&project, 50_000).into_iter().find(|put| put.entry == pointer.entry).unwrap();
    let project = crash(&project);
    project.perform(&delete("a"), &at(50_010)).unwrap();
    let mut kv = Kv::new();
    replicate(&project, &mut kv, 50_020);
    land(&mut kv, &late);
    replicate(&project, &mut kv, 110_020);
    assert_eq!(kv["k1:p:k"].0, "", "a tombstone");
    assert_eq!(rows(&project), 0);
}

#[test]
fn a_put_in_flight_at_a_crash_is_begun_again_at_once_while_an_earlier_one_waits_to_be_confirmed() {
    let project = open();
    create(&project, "a", None, 1_000);
    for put in puts(&project, 1_010) {
        project.put_failed(&put, 1_020).unwrap();
    }
    replicate(&project, &mut Kv::new(), 3_000);
    project.perform(&update("a", 1, None), &at(50_000)).unwrap();
    let late = puts(&project, 50_010).remove(0);
    let project = crash(&project);
    assert_eq!(replicate(&project, &mut Kv::new(), 50_020), ["r1:p:a"]);
    project.checkpoint().unwrap();
    let project = crash(&project);
    project.perform(&update("a", 2, None), &at(52_000)).unwrap();
    let mut kv = Kv::new();
    replicate(&project, &mut kv, 52_010);
    replicate(&project, &mut kv, 62_000);
    let truth = kv.clone();
    land(&mut kv, &late);
    assert_ne!(kv, truth);
    assert_eq!(replicate(&project, &mut kv, 112_000), ["r1:p:a"]);
    assert_eq!((kv, rows(&project)), (truth, 0));
}

#[test]
fn a_put_in_flight_at_a_crash_is_confirmed_even_if_the_clock_is_set_back() {
    let project = open();
    create(&project, "a", Some("k"), 500_000);
    let mut kv = Kv::new();
    replicate(&project, &mut kv, 500_010);
    create(&project, "a", Some("l"), 502_000);
    let late = puts(&project, 502_010).into_iter().find(|put| &*put.entry == "k1:p:k").unwrap();
    let project = crash(&project);
    let now = 100_000;
    replicate(&project, &mut kv, now - 50);
    create(&project, "b", Some("k"), now);
    replicate(&project, &mut kv, now + 10);
    project.checkpoint().unwrap();
    let truth = kv.clone();
    land(&mut kv, &late);
    assert_ne!(kv, truth);
    replicate(&project, &mut kv, now + 60_010);
    assert_eq!(kv, truth);
}

#[test]
fn a_start_without_anything_left_confirms_nothing() {
    let project = open();
    create(&project, "a", Some("k"), 1_000);
    replicate(&project, &mut Kv::new(), 1_010);
    project.checkpoint().unwrap();
    for wakes in 1..4 {
        let now = 100_000 * wakes;
        let project = crash(&project);
        project.perform(&update("a", wakes, None), &at(now)).unwrap();
        assert_eq!(replicate(&project, &mut Kv::new(), now + 10), ["r1:p:a"]);
        assert_eq!((rows(&project), project.next_due(now + 20).unwrap()), (0, None));
        project.checkpoint().unwrap();
    }
}

#[test]
fn a_crash_in_the_put_that_confirms_makes_it_uncertain_again() {
    let project = open();
    create(&project, "a", None, 1_000);
    puts(&project, 1_010);
    let project = crash(&project);
    replicate(&project, &mut Kv::new(), 2_000);
    project.checkpoint().unwrap();
    let confirm = puts(&project, 62_000).remove(0);
    // It is in flight, and lands after the put of a later write.
    let project = crash(&project);
    project.perform(&update("a", 1, None), &at(63_000)).unwrap();
    let mut kv = Kv::new();
    replicate(&project, &mut kv, 63_010);
    let truth = kv.clone();
    land(&mut kv, &confirm);
    assert_eq!(replicate(&project, &mut kv, 125_000), ["r1:p:a"]);
    assert_eq!(kv, truth);
}

#[test]
fn the_watermark_advances_and_a_start_after_it_puts_nothing() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    create(&project, "b", None, 20);
    project.checkpoint().unwrap();
    assert!(watermark(&project) < 10, "nothing is replicated yet");
    let begun = puts(&project, 30);
    assert_eq!(entries(&begun), ["k1:p:k", "r1:p:a", "r1:p:b"]);
    for put in &begun[..2] {
        project.put_done(put, 31).unwrap();
    }
    project.checkpoint().unwrap();
    assert_eq!(watermark(&project), 19);
    project.perform(&update("a", 1, None), &at(40)).unwrap();
    project.put_done(&begun[2], 41).unwrap();
    project.checkpoint().unwrap();
    assert_eq!(watermark(&project), 39);
    assert_eq!(replicate(&crash(&project), &mut Kv::new(), 2000), ["k1:p:k", "r1:p:a"]);
    replicate(&project, &mut Kv::new(), 2000);
    project.checkpoint().unwrap();
    assert_eq!(watermark(&project), 40);
    let before = project.database().dump();
    project.checkpoint().unwrap();
    let project = crash(&project);
    assert_eq!(replicate(&project, &mut Kv::new(), 5000), [""; 0]);
    project.checkpoint().unwrap();
    assert_eq!(project.database().dump(), before, "a checkpoint without progress writes nothing");
}

#[test]
fn a_key_that_is_written_all_the_time_is_put_every_1_1_seconds_with_its_newest_state() {
    let project = open();
    create(&project, "hot", None, 1);
    let (mut version, mut hot, mut others) = (1, Vec::new(), 0);
    // KV accepts far less than is written: a put takes 5 ms, and in that time there are two new resources and one
    // change of the hot one.
    for step in 0..2_000 {
        let now = 1_000 + step * 5;
        create(&project, &format!("a{step}"), None, now);
        create(&project, &format!("b{step}"), None, now);
        project.perform(&update("hot", version, None), &at(now)).unwrap();
        version += 1;
        if let Next::Put(put) = project.next_put(now).unwrap() {
            if &*put.entry == "r1:p:hot" {
                assert_eq!(metadata(&put)["version"], version, "the newest state");
                hot.push(now);
            } else {
                others += 1;
            }
            project.put_done(&put, now).unwrap();
        }
    }
    assert!(hot.windows(2).all(|pair| (1_100..=1_115).contains(&(pair[1] - pair[0]))), "{hot:?}");
    assert!(hot.len() >= 9 && others > 1_900, "{} {others}", hot.len());
    replicate(&project, &mut Kv::new(), 20_000);
    assert_eq!(project.next_due(40_000).unwrap(), None);
}

/// Returns the longest lag, within a minute, of the copy of a hot resource that is updated ten times a second. A put
/// takes 300 ms and six run at once: 20 per second. `creations` are added per second.
fn longest_lag(creations: u64) -> Millis {
    const BEGIN: Millis = 1_000;
    let project = open();
    create(&project, "hot", None, BEGIN);
    let mut in_flight: Vec<(Millis, Put)> = Vec::new();
    let (mut version, mut told, mut longest) = (1, BEGIN, 0);
    for now in (BEGIN..BEGIN + 60_000).step_by(10) {
        if now % (1_000 / creations) < 10 {
            create(&project, &format!("a{now}"), None, now);
        }
        if now % 100 == 0 {
            project.perform(&update("hot", version, None), &at(now)).unwrap();
            version += 1;
        }
        let (ended, rest) = in_flight.into_iter().partition(|(end, _)| *end <= now);
        in_flight = rest;
        for (_, put) in ended {
            project.put_done(&put, now).unwrap();
            if &*put.entry == "r1:p:hot" {
                told = put.metadata.revision;
            }
        }
        in_flight.extend(puts(&project, now).into_iter().map(|put| (now + 300, put)));
        assert!(in_flight.len() <= 6, "{now}");
        longest = longest.max(now - told);
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
fn an_outage_of_kv_with_steady_writes_loses_nothing_and_tries_little() {
    let project = open();
    let (mut kv, mut tries, mut now) = (Kv::new(), 0, 0);
    for second in 0..3_600_u64 {
        now = 1_000 * (second + 1);
        for number in 0..3 {
            create(&project, &format!("a{second}-{number}"), None, now + number);
        }
        create(&project, "hot", Some("k"), now + 5);
        for put in puts(&project, now + 10) {
            project.put_failed(&put, now + 20).unwrap();
            tries += 1;
        }
    }
    assert!(tries < 200, "{tries} puts in an hour without KV");
    assert!(rows(&project) < 100, "{} rows", rows(&project));
    project.checkpoint().unwrap();
    let survivor = crash(&project);
    for project in [&survivor, &project] {
        kv.clear();
        let mut end = now;
        while let Some(due) = project.next_due(end).unwrap() {
            end = due.max(end + 1);
            replicate(project, &mut kv, end);
            project.checkpoint().unwrap();
            assert!(end < now + 600_000, "it does not end");
        }
        assert_eq!(kv.len(), 3 * 3_600 + 2);
        assert_eq!(rows(project), 0);
    }
}

#[test]
fn a_put_that_failed_is_tried_again_and_once_more_after_a_minute() {
    let project = open();
    create(&project, "a", None, 1000);
    let put = puts(&project, 1000).remove(0);
    project.put_failed(&put, 2000).unwrap();
    assert!(puts(&project, 2000).is_empty(), "not at once");
    let again = project.next_due(2000).unwrap().unwrap();
    assert!((2001..=62_000).contains(&again), "{again}");
    project.checkpoint().unwrap();
    assert_eq!(watermark(&project), 1000, "a row holds what failed");
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
fn pauses_grow_and_end_at_a_minute() {
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
    project.perform(&update("a", 1, None), &at(40_050)).unwrap();
    assert_eq!(project.next_put(40_050).unwrap(), Next::Wait(41_100));
    assert_eq!(entries(&puts(&project, 41_100)), ["r1:p:a"]);
}

#[test]
fn tables_of_the_first_version_keep_their_rows_and_start_with_everything_replicated() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    create(&project, "b", None, 20);
    project.perform(&delete("b"), &at(30)).unwrap();
    let record = project.perform(&get("a"), &at(40)).unwrap().body;
    let disk = Shared::new();
    let connection = &disk.sqlite.connection;
    connection.execute_batch(include_str!("../support/first_version.sql")).unwrap();
    connection.execute("INSERT INTO resource VALUES(1, 'a', 'k', 1, 10, 10, ?)", [record]).unwrap();
    connection
        .execute_batch(
            "INSERT INTO tombstone VALUES('b', 1, 30);
             INSERT INTO outbox(kind, name, revision, due, attempts) VALUES(0, 'a', 10, 10, 0)",
        )
        .unwrap();
    let project = Project::new(disk.clone());
    assert_eq!(replicate(&project, &mut Kv::new(), 2000), ["r1:p:a"]);
    assert_eq!(watermark(&project), 30);
    assert_eq!(replicate(&project, &mut Kv::new(), 62_000), ["r1:p:a"], "its put may have been in flight");
    assert_eq!(rows(&project), 0);
    let read = project.perform(&get("a"), &at(3000)).unwrap();
    assert_eq!(resource(&read).revision, 10);
}

#[test]
fn look_ups_by_key_use_the_index_of_keys() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    let connection = &project.database().sqlite.connection;
    for sql in [
        "SELECT seq, body FROM resource WHERE key = ?",
        "SELECT 1 FROM resource WHERE key = ?",
        "SELECT seq FROM resource r WHERE r.key = (?1 ->> 0)",
        "SELECT seq FROM resource r WHERE r.key IN (SELECT value FROM json_each(?1))",
        "SELECT key FROM resource WHERE key > ?1 AND (?2 IS NULL OR key <= ?2) ORDER BY key LIMIT ?3",
        "SELECT seq FROM resource r WHERE r.key IS NOT NULL ORDER BY r.key, r.seq LIMIT 20",
    ] {
        let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let binds = vec![rusqlite::types::Null; plan.parameter_count()];
        let steps: Vec<String> = plan
            .query_map(rusqlite::params_from_iter(binds), |row| row.get(3))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let steps = steps.join("; ");
        assert!(steps.contains("INDEX resource_key") && !steps.contains("TEMP B-TREE"), "{sql}: {steps}");
    }
}

#[test]
fn a_sweep_of_a_lost_namespace_tells_kv_of_every_resource_and_key_again() {
    let project = open();
    for number in 0..150 {
        let key = (number % 2 == 0).then(|| format!("k{number:03}"));
        create(&project, &format!("a{number:03}"), key.as_deref(), 10);
    }
    replicate(&project, &mut Kv::new(), 1000);
    let now = sweep(&project, &Kv::new(), 40);
    assert_eq!(replicate(&project, &mut Kv::new(), now).len(), 150 + 75);
    assert_eq!(rows(&project), 0);
}

/// Creates a project whose resources are written directly into the database, all replicated as far as the project
/// knows.
fn large(resources: u64) -> Collection {
    let project = open();
    create(&project, "a", None, 10);
    replicate(&project, &mut Kv::new(), 20);
    project.checkpoint().unwrap();
    project.next_sweep(20).unwrap();
    let connection = &project.database().sqlite.connection;
    connection
        .execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
             INSERT INTO resource(seq, id, key, version, revision, body) \
             SELECT i + 100, printf('r%07d', i), iif(i % 2, printf('k%07d', i), NULL), 1, i + 100, '{}' FROM n",
            [resources as i64],
        )
        .unwrap();
    connection.execute("UPDATE meta SET value = 1 << 40 WHERE name = 'replicated'", []).unwrap();
    crash(&project)
}

/// Returns how many differences a sweep of an empty KV recorded in each turn. `between` runs after each turn and
/// returns the project that continues.
fn turns(mut project: Collection, between: impl Fn(Collection) -> Collection) -> Vec<i64> {
    let mut now = project.next_sweep(0).unwrap().unwrap();
    let mut turns = Vec::new();
    loop {
        let before = (rows(&project), project.database().cost().rows_read);
        let page = project.sweep(now).unwrap().expect("a turn that is due");
        project.swept(&page, &[], None, now).unwrap();
        turns.push(rows(&project) - before.0);
        let read = project.database().cost().rows_read - before.1;
        assert!(read <= 5_000, "{read} rows read in a turn");
        project = between(project);
        let next = project.next_sweep(now).unwrap().unwrap();
        if next > now + 3_600_000 {
            return turns;
        }
        assert!(next <= now + 1_000 && turns.len() < 1_000);
        now = next;
    }
}

#[test]
fn a_sweep_of_a_large_lost_namespace_takes_turns_of_a_thousand() {
    let turns = turns(large(200_000), |project| project);
    assert!(turns.iter().all(|noted| *noted <= 1_000), "{turns:?}");
    assert_eq!(turns.iter().sum::<i64>(), 200_001 + 100_000);
    assert_eq!(turns.len(), 201 + 101, "the last turn of each finds the end");
}

#[test]
fn a_sweep_that_is_killed_between_turns_goes_on() {
    let noted = turns(large(5_500), |project| crash(&project));
    assert_eq!(noted, [1_000, 1_000, 1_000, 1_000, 1_000, 501, 1_000, 1_000, 750]);
}

#[test]
fn a_turn_that_fails_is_made_again() {
    let project = large(1_500);
    let now = project.next_sweep(0).unwrap().unwrap();
    let page = project.sweep(now).unwrap().unwrap();
    project.database().fails_after.set(Some(500));
    project.swept(&page, &[], None, now).unwrap_err();
    project.database().fails_after.set(None);
    assert_eq!(rows(&project), 0);
    assert_eq!(project.sweep(now).unwrap(), Some(page));
}

#[test]
fn a_sweep_of_few_kv_entries_among_many_resources_compares_all() {
    let project = large(3_000);
    let mut kv = Kv::new();
    // Each page of KV covers more than a turn compares.
    for number in [1_u32, 1_500, 2_900] {
        let metadata = Metadata {
            version: Some(1),
            revision: Millis::from(number) + 100,
            key: None,
            id: None,
            deleted: false,
        };
        kv.insert(format!("r1:p:r{number:07}"), ("{}".to_owned(), Some(metadata), None));
    }
    kv.insert("r1:p:r0001000-orphan".to_owned(), kv["r1:p:r0001500"].clone());
    for size in [1, 2, 10] {
        let project = crash(&project);
        sweep(&project, &kv, size);
        let database = project.database();
        assert_eq!(database.number("SELECT count(*) FROM outbox WHERE kind = 0"), 3_001 - 3 + 1, "{size}");
        let connection = &database.sqlite.connection;
        connection.execute("DELETE FROM outbox", []).unwrap();
        connection.execute("UPDATE meta SET value = 0 WHERE name = 'sweep'", []).unwrap();
    }
}

#[test]
fn a_sweep_waits_while_many_puts_wait_but_not_for_ever() {
    let project = large(5_000);
    let now = project.next_sweep(0).unwrap().unwrap();
    let page = project.sweep(now).unwrap().unwrap();
    project.swept(&page, &[], None, now).unwrap();
    // KV accepts nothing.
    puts(&project, now);
    let next = project.next_sweep(now + 1_000).unwrap().unwrap();
    assert_eq!((next, project.sweep(now + 1_000).unwrap()), (now + 11_000, None));
    assert!(project.sweep(now + 3_700_000).unwrap().is_some(), "not for ever");
    assert!(rows(&project) <= 1_000);
}

#[test]
fn empty_pages_of_kv_are_no_lost_namespace_and_do_not_go_on_for_ever() {
    let project = large(10);
    let mut now = project.next_sweep(0).unwrap().unwrap();
    for turn in 0_u64.. {
        let page = project.sweep(now).unwrap().unwrap();
        project.swept(&page, &[], Some(&format!("page {turn}")), now).unwrap();
        assert_eq!(rows(&project), 0, "an empty page says nothing");
        let next = project.next_sweep(now).unwrap().unwrap();
        if next > now + 60_000 {
            assert!((100..=2_000).contains(&turn) && next <= now + 3_600_000, "{turn}");
            assert_eq!(project.sweep(next).unwrap().unwrap().cursor, None, "it begins anew");
            return;
        }
        now = next;
    }
}

#[test]
fn a_sweep_notes_what_differs_and_nothing_else() {
    let project = open();
    let mut kv = Kv::new();
    for number in 0..100 {
        create(&project, &format!("a{number:03}"), Some(&format!("k{number:03}")), 10);
    }
    replicate(&project, &mut kv, 1000);
    let now = sweep(&project, &kv, 7);
    assert_eq!(replicate(&project, &mut Kv::new(), now), [""; 0], "KV equals the source of truth");

    kv.remove("r1:p:a000");
    kv.remove("r1:p:a050");
    kv.remove("k1:p:k099");
    kv.insert("r1:p:orphan".to_owned(), kv["r1:p:a001"].clone());
    kv.insert("k1:p:k010".to_owned(), kv["k1:p:k011"].clone());
    kv.insert("r1:p:a020".to_owned(), (String::new(), None, None));
    // Entries of another project are ignored.
    kv.insert("r1:q:a000".to_owned(), kv["r1:p:a001"].clone());
    let now = sweep(&project, &kv, 7);
    let begun = puts(&project, now);
    assert_eq!(
        entries(&begun),
        ["r1:p:a000", "r1:p:a020", "r1:p:a050", "r1:p:orphan", "k1:p:k010", "k1:p:k099"]
    );
    assert_eq!(metadata(&begun[3])["deleted"], json!(true));
}

#[test]
fn a_sweep_ignores_what_waits_for_its_put() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    sweep(&project, &Kv::new(), 7);
    assert_eq!(rows(&project), 0);
    let project = crash(&project);
    project
        .database()
        .sqlite
        .connection
        .execute("UPDATE meta SET value = 0 WHERE name = 'sweep'", [])
        .unwrap();
    sweep(&project, &Kv::new(), 7);
    assert_eq!(rows(&project), 0, "also before a start has read it");
}

#[test]
fn a_sweep_that_could_not_list_restarts_within_the_hour() {
    let project = open();
    create(&project, "a", None, 10);
    let now = project.next_sweep(10).unwrap().unwrap();
    assert!(project.sweep(now - 1).unwrap().is_none());
    assert!(project.sweep(now).unwrap().is_some());
    project.sweep_failed(now).unwrap();
    let again = project.next_sweep(now).unwrap().unwrap();
    assert!(again > now && again <= now + 3_600_000, "{again}");
    assert_eq!(project.sweep(again).unwrap().and_then(|sweep| sweep.cursor), None);
}

/// Performs a whole sweep over the contents of KV, in pages of that size. Returns the time of its end.
fn sweep(project: &Collection, kv: &Kv, size: usize) -> Millis {
    let mut now = project.next_sweep(0).unwrap().unwrap();
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
        project.swept(&page, &entries, cursor.as_deref(), now).unwrap();
        let next = project.next_sweep(now).unwrap().unwrap();
        if next > now + 60_000 {
            return now;
        }
        now = next;
    }
}

/// The contents of KV: value, metadata if it is valid, and lifetime.
type Kv = BTreeMap<String, (String, Option<Metadata>, Option<u32>)>;

fn land(kv: &mut Kv, put: &Put) {
    kv.insert(put.entry.to_string(), (put.value.clone(), Some(put.metadata.clone()), put.ttl_seconds));
}

#[derive(Debug, Clone)]
enum Step {
    /// Writes a resource, under one of a few keys.
    Write { id: u8, key: Option<u8> },
    /// Deletes a resource.
    Delete { id: u8 },
    /// Begins a due put.
    Begin,
    /// Ends a put that has begun.
    End { which: u8, how: End },
    /// Lets time pass.
    Wait { ms: u32 },
    /// Kills the process: puts that have begun may land immediately, later, or never, and nothing records it.
    Crash { how: End },
    /// Stores the watermark, as the alarm does.
    Checkpoint,
}

#[derive(Debug, Clone, Copy)]
enum End {
    Lands,
    FailsForGood,
    /// Unknown: it lands within half a minute.
    LandsLate {
        ms: u32,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let end = prop_oneof![
        3 => Just(End::Lands),
        1 => Just(End::FailsForGood),
        2 => (0..30_000_u32).prop_map(|ms| End::LandsLate { ms }),
    ];
    prop_oneof![
        3 => (0..3_u8, prop::option::of(0..3_u8)).prop_map(|(id, key)| Step::Write { id, key }),
        1 => (0..3_u8).prop_map(|id| Step::Delete { id }),
        4 => Just(Step::Begin),
        4 => (any::<u8>(), end.clone()).prop_map(|(which, how)| Step::End { which, how }),
        3 => (0..20_000_u32).prop_map(|ms| Step::Wait { ms }),
        1 => end.prop_map(|how| Step::Crash { how }),
        1 => Just(Step::Checkpoint),
    ]
}

/// A drain with one put per key at a time, like the Worker's.
struct World {
    project: Collection,
    now: Millis,
    kv: Kv,
    in_flight: Vec<Put>,
    late: Vec<(Millis, Put)>,
}

impl World {
    fn wait(&mut self, ms: Millis) {
        self.now += ms;
        self.late.sort_by_key(|(when, _)| *when);
        while self.late.first().is_some_and(|(when, _)| *when <= self.now) {
            let (_, put) = self.late.remove(0);
            land(&mut self.kv, &put);
        }
    }

    fn begin(&mut self) {
        if let Next::Put(put) = self.project.next_put(self.now).unwrap() {
            assert!(self.in_flight.iter().all(|other| other.entry != put.entry), "two puts of one KV key");
            self.in_flight.push(put);
        }
    }

    fn end(&mut self, which: usize, how: End) {
        if self.in_flight.is_empty() {
            return;
        }
        let put = self.in_flight.remove(which % self.in_flight.len());
        match how {
            End::Lands => {
                land(&mut self.kv, &put);
                self.project.put_done(&put, self.now).unwrap();
            }
            End::FailsForGood => self.project.put_failed(&put, self.now).unwrap(),
            End::LandsLate { ms } => {
                self.project.put_failed(&put, self.now).unwrap();
                self.late.push((self.now + Millis::from(ms), put));
            }
        }
    }

    fn take(&mut self, step: &Step) {
        self.now += 1;
        match step {
            Step::Write { id, key } => {
                let key = key.map(|key| format!("k{key}"));
                let body = json!({"id": format!("r{id}"), "key": key, "objectTypeProperty": {}});
                // A key in use is rejected, which changes nothing.
                self.project.perform(&post(&body), &at(self.now)).unwrap();
            }
            Step::Delete { id } => {
                self.project.perform(&delete(&format!("r{id}")), &at(self.now)).unwrap();
            }
            Step::Begin => self.begin(),
            Step::End { which, how } => self.end(usize::from(*which), *how),
            Step::Wait { ms } => self.wait(Millis::from(*ms)),
            Step::Crash { how } => {
                for put in std::mem::take(&mut self.in_flight) {
                    match how {
                        End::Lands => land(&mut self.kv, &put),
                        End::FailsForGood => {}
                        End::LandsLate { ms } => self.late.push((self.now + Millis::from(*ms), put)),
                    }
                }
                self.project = Project::new(self.project.database().clone());
            }
            Step::Checkpoint => self.project.checkpoint().unwrap(),
        }
    }

    /// Lets everything end, as the alarm does: it rings when the outbox is due, and all puts succeed by then.
    fn settle(&mut self) {
        while !self.in_flight.is_empty() {
            self.end(0, End::Lands);
        }
        while let Some(due) = self.project.next_due(self.now).unwrap() {
            self.wait(due.saturating_sub(self.now).max(1));
            self.begin();
            self.end(0, End::Lands);
        }
        assert!(self.late.is_empty(), "the outbox was done before what might still land");
    }
}

/// Returns what reads use from KV: only the ID of a key's entry, and nothing of tombstones.
fn told(kv: Kv) -> BTreeMap<String, (String, Option<Metadata>)> {
    kv.into_iter()
        .filter(|(_, (value, _, _))| !value.is_empty())
        .map(|(entry, (value, metadata, _))| {
            let metadata = metadata.filter(|_| entry.starts_with("r1:"));
            (entry, (value, metadata))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn kv_equals_the_source_of_truth_in_the_end(steps in prop::collection::vec(step(), 1..80)) {
        let mut world = World {
            project: open(), now: 1_000_000, kv: Kv::new(), in_flight: Vec::new(), late: Vec::new(),
        };
        for step in &steps {
            world.take(step);
        }
        world.settle();
        // The sweep of an empty KV puts everything.
        let mut truth = Kv::new();
        if world.project.next_sweep(world.now).unwrap().is_some() {
            let now = sweep(&world.project, &truth, 3);
            replicate(&world.project, &mut truth, now);
        }
        prop_assert_eq!(told(world.kv), told(truth));
    }
}
