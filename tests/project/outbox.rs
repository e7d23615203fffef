//! KV is told everything in the end, whatever fails, comes late or is overtaken (architecture: Storage; D17, D19).

use std::collections::BTreeMap;

use proptest::prelude::*;
use resource_edge::contract::kv::{Metadata, TOMBSTONE_SECONDS};
use resource_edge::contract::time::Millis;
use resource_edge::project::{Listed, Project, Put};
use serde_json::{Value, json};

use crate::support::messages::{at, delete, get, post, resource, update};
use crate::support::shared::Shared;

type Collection = Project<Shared>;

fn open() -> Collection {
    Project::new(Shared::new())
}

fn create(project: &Collection, id: &str, key: Option<&str>, now: Millis) {
    let answer = project.perform(&post(&json!({"id": id, "key": key, "objectTypeProperty": {}})), &at(now));
    resource(&answer.unwrap());
}

fn entries(project: &Collection, now: Millis) -> Vec<String> {
    project.due(now, 1000).unwrap().into_iter().map(|due| due.entry).collect()
}

fn puts(project: &Collection, now: Millis) -> Vec<Put> {
    project.due(now, 1000).unwrap().into_iter().map(|due| project.put(due).unwrap()).collect()
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
    assert_eq!(entries(&project, 100), ["k1:p:k", "r1:p:a"]);
    let put = puts(&project, 100).remove(1);
    assert_eq!(put.value, resource(&project.perform(&get("a"), &at(0)).unwrap()).body);
    assert_eq!(metadata(&put), json!({"version": 21, "revision": 30, "key": "k"}));
    assert_eq!(put.ttl_seconds, None);
}

#[test]
fn a_write_arms_the_alarm_within_seconds_and_a_drained_outbox_is_due_never() {
    let project = open();
    assert_eq!(project.next_due().unwrap(), None);
    create(&project, "a", None, 1000);
    let alarm = project.database().sqlite.alarm.get().unwrap();
    assert!((1000..=11_000).contains(&alarm), "{alarm}");
    assert_eq!(project.next_due().unwrap(), Some(1000));
    for put in puts(&project, 1000) {
        project.put_done(&put, 1001).unwrap();
    }
    assert_eq!(project.next_due().unwrap(), None);
    assert!(entries(&project, Millis::from(u32::MAX)).is_empty());
}

#[test]
fn a_put_that_succeeds_does_not_settle_a_later_write() {
    let project = open();
    create(&project, "a", None, 10);
    let first = puts(&project, 10).remove(0);
    project.perform(&update("a", 1, None), &at(11)).unwrap();
    project.put_done(&first, 12).unwrap();
    let second = puts(&project, 12).remove(0);
    assert_eq!(metadata(&second)["version"], 2);
    project.put_done(&second, 13).unwrap();
    assert_eq!(project.next_due().unwrap(), None);
}

#[test]
fn a_deleted_resource_and_its_key_become_tombstones_that_expire_after_a_day() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    project.perform(&delete("a"), &at(20)).unwrap();
    for put in puts(&project, 30) {
        assert_eq!((put.value.as_str(), put.ttl_seconds), ("", Some(TOMBSTONE_SECONDS)), "{put:?}");
        assert_eq!(metadata(&put), json!({"revision": 20, "deleted": true}));
    }
    assert_eq!(TOMBSTONE_SECONDS, 86_400);
}

#[test]
fn a_moved_key_leaves_a_tombstone_and_a_pointer() {
    let project = open();
    create(&project, "a", Some("old"), 10);
    create(&project, "a", Some("new"), 20);
    let told: BTreeMap<String, (String, Value)> = puts(&project, 30)
        .iter()
        .map(|put| (put.due.entry.clone(), (put.value.clone(), metadata(put))))
        .collect();
    assert_eq!(told["k1:p:new"], ("a".to_owned(), json!({"revision": 20, "id": "a"})));
    assert_eq!(told["k1:p:old"], (String::new(), json!({"revision": 20, "deleted": true})));
    assert_eq!(told["r1:p:a"].1["key"], "new");
}

#[test]
fn a_put_that_failed_is_tried_again_and_once_more_after_a_minute() {
    let project = open();
    create(&project, "a", None, 1000);
    let put = puts(&project, 1000).remove(0);
    project.put_failed(&put, 2000).unwrap();
    assert!(entries(&project, 2000).is_empty(), "not at once");
    let again = project.next_due().unwrap().unwrap();
    assert!((2001..=62_000).contains(&again), "{again}");
    project.put_done(&puts(&project, again).remove(0), again + 1).unwrap();
    let confirm = project.next_due().unwrap().expect("the failed put may still land");
    assert!((61_000..=70_000).contains(&confirm), "{confirm}");
    project.put_done(&puts(&project, confirm).remove(0), confirm + 1).unwrap();
    assert_eq!(project.next_due().unwrap(), None);
}

#[test]
fn pauses_grow_and_end_at_a_minute() {
    let project = open();
    create(&project, "a", None, 0);
    let (mut now, mut pauses) = (0, Vec::new());
    for _ in 0..12 {
        let put = puts(&project, now).remove(0);
        project.put_failed(&put, now).unwrap();
        let next = project.next_due().unwrap().unwrap();
        pauses.push(next - now);
        now = next;
    }
    assert!(pauses.is_sorted(), "{pauses:?}");
    assert!(pauses[0] <= 5_000 && pauses[11] == 60_000, "{pauses:?}");
}

#[test]
fn a_later_write_is_told_at_once_even_when_earlier_puts_failed() {
    let project = open();
    create(&project, "a", None, 0);
    for now in [0, 20_000, 40_000] {
        for put in puts(&project, now) {
            project.put_failed(&put, now).unwrap();
        }
    }
    project.perform(&update("a", 1, None), &at(50_000)).unwrap();
    assert_eq!(entries(&project, 50_000), ["r1:p:a"]);
}

#[test]
fn a_sweep_of_a_lost_namespace_tells_kv_of_every_resource_and_key_again() {
    let project = open();
    for number in 0..150 {
        let key = (number % 2 == 0).then(|| format!("k{number:03}"));
        create(&project, &format!("a{number:03}"), key.as_deref(), 10);
    }
    drain(&project, &mut Kv::new(), 1000);
    let now = sweep(&project, &Kv::new(), 40);
    assert_eq!(entries(&project, now).len(), 150 + 75);
}

#[test]
fn a_sweep_notes_what_differs_and_nothing_else() {
    let project = open();
    let mut kv = Kv::new();
    for number in 0..100 {
        create(&project, &format!("a{number:03}"), Some(&format!("k{number:03}")), 10);
    }
    drain(&project, &mut kv, 1000);
    let now = sweep(&project, &kv, 7);
    assert_eq!(entries(&project, now), [""; 0], "KV equals the truth");

    kv.remove("r1:p:a000");
    kv.remove("r1:p:a050");
    kv.remove("k1:p:k099");
    kv.insert("r1:p:orphan".to_owned(), kv["r1:p:a001"].clone());
    kv.insert("k1:p:k010".to_owned(), kv["k1:p:k011"].clone());
    kv.insert("r1:p:a020".to_owned(), (String::new(), None, None));
    // Another project's entries are none of its business.
    kv.insert("r1:q:a000".to_owned(), kv["r1:p:a001"].clone());
    let now = sweep(&project, &kv, 7);
    assert_eq!(
        entries(&project, now),
        ["r1:p:a000", "r1:p:a020", "r1:p:a050", "r1:p:orphan", "k1:p:k010", "k1:p:k099"]
    );
    let orphan = puts(&project, now).remove(3);
    assert_eq!(metadata(&orphan)["deleted"], json!(true));
}

#[test]
fn a_sweep_that_could_not_list_begins_anew_within_the_hour() {
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

/// Puts all that is due.
fn drain(project: &Collection, kv: &mut Kv, now: Millis) {
    while let [put, ..] = puts(project, now).as_slice() {
        land(kv, put);
        project.put_done(put, now).unwrap();
    }
}

/// A whole sweep over what KV holds, in pages of that size; the time at its end.
fn sweep(project: &Collection, kv: &Kv, size: usize) -> Millis {
    let mut now = project.next_sweep(0).unwrap().unwrap();
    loop {
        let page = project.sweep(now).unwrap().expect("a page that is due");
        let begin: usize = page.cursor.as_deref().map_or(0, |cursor| cursor.parse().unwrap());
        let mut listed = kv.iter().filter(|(entry, _)| entry.starts_with(&page.prefix)).skip(begin);
        let entries: Vec<Listed> = listed
            .by_ref()
            .take(size)
            .map(|(entry, (_, metadata, _))| Listed {
                entry: entry.clone(),
                metadata: metadata.clone(),
            })
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

#[test]
fn the_outbox_hands_out_no_more_than_asked_and_the_longest_due_first() {
    let project = open();
    for number in 0..20 {
        create(&project, &format!("a{number:02}"), None, 100 + number);
    }
    let due: Vec<String> = project.due(1000, 5).unwrap().into_iter().map(|due| due.entry).collect();
    assert_eq!(due, ["r1:p:a00", "r1:p:a01", "r1:p:a02", "r1:p:a03", "r1:p:a04"]);
    assert!(project.due(1000, 0).unwrap().is_empty());
    assert_eq!(entries(&project, 104).len(), 5, "what is not due yet");
}

/// What KV holds: value, metadata where it can be read, lifetime.
type Kv = BTreeMap<String, (String, Option<Metadata>, Option<u32>)>;

fn land(kv: &mut Kv, put: &Put) {
    kv.insert(put.due.entry.clone(), (put.value.clone(), Some(put.metadata.clone()), put.ttl_seconds));
}

#[derive(Debug, Clone)]
enum Step {
    /// A resource is written, under one of some keys.
    Write { id: u8, key: Option<u8> },
    /// A resource is deleted.
    Delete { id: u8 },
    /// A due entry is taken, to be put from then on.
    Begin,
    /// A put that was begun ends.
    End { which: u8, how: End },
    /// Time passes.
    Wait { ms: u32 },
    /// The process is killed: what was begun may land or not, and nobody notes it.
    Crash { lands: bool },
}

#[derive(Debug, Clone, Copy)]
enum End {
    Lands,
    FailsForGood,
    /// Nobody knows; it lands within half a minute.
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
        4 => (any::<u8>(), end).prop_map(|(which, how)| Step::End { which, how }),
        3 => (0..20_000_u32).prop_map(|ms| Step::Wait { ms }),
        1 => any::<bool>().prop_map(|lands| Step::Crash { lands }),
    ]
}

/// A drain that puts one value a key at a time, as the Worker's does.
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
        let due = self.project.due(self.now, 100).unwrap();
        let free = due.into_iter().find(|due| self.in_flight.iter().all(|put| put.due.entry != due.entry));
        if let Some(due) = free {
            self.in_flight.push(self.project.put(due).unwrap());
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
                // A key that is taken is refused, which changes nothing.
                self.project.perform(&post(&body), &at(self.now)).unwrap();
            }
            Step::Delete { id } => {
                self.project.perform(&delete(&format!("r{id}")), &at(self.now)).unwrap();
            }
            Step::Begin => self.begin(),
            Step::End { which, how } => self.end(usize::from(*which), *how),
            Step::Wait { ms } => self.wait(Millis::from(*ms)),
            Step::Crash { lands } => {
                for put in std::mem::take(&mut self.in_flight) {
                    if *lands {
                        land(&mut self.kv, &put);
                    }
                }
                self.project = Project::new(self.project.database().clone());
            }
        }
    }

    /// Lets everything end, as the alarm does: it rings when the outbox says, and all puts succeed by then.
    fn settle(&mut self) {
        while !self.in_flight.is_empty() {
            self.end(0, End::Lands);
        }
        while let Some(due) = self.project.next_due().unwrap() {
            self.wait(due.saturating_sub(self.now).max(1));
            self.begin();
            self.end(0, End::Lands);
        }
        assert!(self.late.is_empty(), "the outbox was done before what might still land");
    }
}

/// What reads take from KV: of a key's entry the id alone, of tombstones nothing.
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
    fn kv_equals_the_truth_in_the_end(steps in prop::collection::vec(step(), 1..80)) {
        let mut world = World {
            project: open(), now: 1_000_000, kv: Kv::new(), in_flight: Vec::new(), late: Vec::new(),
        };
        for step in &steps {
            world.take(step);
        }
        world.settle();
        // The sweep of an empty KV tells the whole truth.
        let mut truth = Kv::new();
        if world.project.next_sweep(world.now).unwrap().is_some() {
            let now = sweep(&world.project, &truth, 3);
            drain(&world.project, &mut truth, now);
        }
        prop_assert_eq!(told(world.kv), told(truth));
    }
}
