//! The outbox after a crash, and the next start (D17, D19).

use super::*;

#[test]
fn a_moved_key_leaves_a_tombstone_and_a_pointer_also_after_a_crash() {
    let project = open();
    create(&project, "a", Some("old"), 10);
    replicate(&project, &mut Kv::new(), 15);
    create(&project, "a", Some("new"), 20);
    for project in [crash(&project), project] {
        let entries: BTreeMap<String, (String, Value)> = puts(&project, 2_000)
            .iter()
            .map(|put| (put.entry.to_string(), (put.value.clone(), metadata(put))))
            .collect();
        assert_eq!(entries["k1:p:new"], ("a".to_owned(), json!({"revision": 20, "id": "a"})));
        assert_eq!(entries["k1:p:old"], (String::new(), json!({"revision": 20, "deleted": true})));
        assert_eq!(entries["r1:p:a"].1["key"], "new");
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
fn a_put_in_flight_at_a_crash_that_overwrites_a_newer_one_is_corrected_after_a_minute() {
    let project = open();
    create(&project, "a", Some("k"), 1_000);
    create(&project, "gone", Some("gone"), 1_001);
    create(&project, "quiet", None, 1_002);
    let in_flight = puts(&project, 1_010);
    assert_eq!(in_flight.len(), 5);
    // The next instance starts with a write of one of these resources.
    let project = crash(&project);
    perform(&project, &update("a", 1, None), 2_000);
    perform(&project, &delete("gone"), 2_001);
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
fn a_key_that_is_lost_right_after_a_crash_is_put_again_too() {
    let project = open();
    create(&project, "a", Some("k"), 1_000);
    let pointer = puts(&project, 1_010).remove(0);
    project.put_failed(&pointer, 1_020).unwrap();
    let late = puts(&project, 50_000).into_iter().find(|put| put.entry == pointer.entry).unwrap();
    let project = crash(&project);
    perform(&project, &delete("a"), 50_010);
    let mut kv = Kv::new();
    replicate(&project, &mut kv, 50_020);
    land(&mut kv, &late);
    replicate(&project, &mut kv, 110_020);
    assert_eq!(kv["k1:p:k"].0, "", "a tombstone");
    assert_eq!(rows(&project), 0);
}

#[test]
fn a_put_in_flight_at_a_crash_restarts_immediately_while_an_earlier_put_awaits_its_repeat() {
    let project = open();
    create(&project, "a", None, 1_000);
    for put in puts(&project, 1_010) {
        project.put_failed(&put, 1_020).unwrap();
    }
    replicate(&project, &mut Kv::new(), 3_000);
    perform(&project, &update("a", 1, None), 50_000);
    let late = puts(&project, 50_010).remove(0);
    let project = crash(&project);
    assert_eq!(replicate(&project, &mut Kv::new(), 50_020), ["r1:p:a"]);
    project.checkpoint().unwrap();
    let project = crash(&project);
    perform(&project, &update("a", 2, None), 52_000);
    let mut kv = Kv::new();
    replicate(&project, &mut kv, 52_010);
    replicate(&project, &mut kv, 62_000);
    assert_eq!(corrected(&project, &mut kv, &late, 112_000), ["r1:p:a"]);
    assert_eq!(rows(&project), 0);
}

#[test]
fn a_put_in_flight_at_a_crash_is_repeated_even_if_the_clock_is_set_back() {
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
    corrected(&project, &mut kv, &late, now + 60_010);
}

/// Lets a put land late, and checks that the outbox corrects it at that time. Returns what it puts.
fn corrected(project: &Collection, kv: &mut Kv, late: &Put, now: Millis) -> Vec<String> {
    let truth = kv.clone();
    land(kv, late);
    assert_ne!(*kv, truth);
    let entries = replicate(project, kv, now);
    assert_eq!(*kv, truth);
    entries
}

#[test]
fn a_start_without_pending_puts_repeats_no_put() {
    let project = open();
    create(&project, "a", Some("k"), 1_000);
    replicate(&project, &mut Kv::new(), 1_010);
    project.checkpoint().unwrap();
    for wakes in 1..4 {
        let now = 100_000 * wakes;
        let project = crash(&project);
        perform(&project, &update("a", wakes, None), now);
        assert_eq!(replicate(&project, &mut Kv::new(), now + 10), ["r1:p:a"]);
        assert_eq!((rows(&project), project.next_due(now + 20).unwrap()), (0, None));
        project.checkpoint().unwrap();
    }
}

#[test]
fn a_crash_during_the_repeat_of_a_put_causes_another_repeat() {
    let project = open();
    create(&project, "a", None, 1_000);
    puts(&project, 1_010);
    let project = crash(&project);
    replicate(&project, &mut Kv::new(), 2_000);
    project.checkpoint().unwrap();
    let confirm = puts(&project, 62_000).remove(0);
    // The confirmation is in flight, and lands after the put of a later write.
    let project = crash(&project);
    perform(&project, &update("a", 1, None), 63_000);
    let mut kv = Kv::new();
    replicate(&project, &mut kv, 63_010);
    assert_eq!(corrected(&project, &mut kv, &confirm, 125_000), ["r1:p:a"]);
}

#[test]
fn the_watermark_advances_and_a_later_start_puts_nothing() {
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
    perform(&project, &update("a", 1, None), 40);
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
fn a_put_in_flight_at_a_crash_is_corrected_if_its_key_was_lost_twice() {
    let project = open();
    create(&project, "a", Some("k"), 1_000);
    create(&project, "a", Some("other"), 1_001);
    create(&project, "b", Some("k"), 1_002);
    let in_flight = puts(&project, 1_010);
    let late = in_flight.iter().find(|put| put.entry.as_ref() == "k1:p:k").unwrap();
    assert_eq!(late.value, "b");
    perform(&project, &delete("b"), 1_011);
    // The put lands half a minute after the crash, when the confirmation of the first loss is over.
    let (project, lands_at) = (crash(&project), 70_000);
    let (mut kv, mut now, mut has_landed) = (Kv::new(), 40_000, false);
    while let Some(due) = project.next_due(now).unwrap() {
        now = due.max(now + 1);
        if now > lands_at && !has_landed {
            land(&mut kv, late);
            has_landed = true;
        }
        replicate(&project, &mut kv, now);
    }
    assert!(has_landed, "the outbox was done before what might still land");
    assert_eq!(kv["k1:p:k"].0, "");
}

#[test]
fn an_entry_whose_state_cannot_be_read_waits_a_second() {
    let project = open();
    create(&project, "a", None, 1_000);
    let after_fault = |statements| {
        let project = crash(&project);
        project.database().fails_after.set(Some(statements));
        let is_fault = project.next_put(5_000).is_err();
        project.database().fails_after.set(None);
        is_fault.then(|| project.next_put(5_000).unwrap())
    };
    // The last statement reads the state.
    let last = (0..).map_while(after_fault).last();
    assert_eq!(last, Some(Next::Wait(6_000)));
}
