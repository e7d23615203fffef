//! KV is told everything in the end, whatever fails, comes late or is overtaken (architecture: Storage; D17, D19).

use std::collections::BTreeMap;

use proptest::prelude::*;
use resource_edge::contract::kv::{Metadata, TOMBSTONE_SECONDS};
use resource_edge::contract::time::Millis;
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

/// Begins every put that may begin at that time.
fn puts(project: &Collection, now: Millis) -> Vec<Put> {
    let mut begun = Vec::new();
    while let Next::Put(put) = project.next_put(now).unwrap() {
        begun.push(put);
    }
    begun
}

/// The KV keys of puts.
fn entries(puts: &[Put]) -> Vec<&str> {
    puts.iter().map(|put| put.entry.as_ref()).collect()
}

/// Ends every put that may begin, at once; pauses take no time.
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

/// The project after a crash: the same database, an empty memory.
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
    // Some puts succeed, some are in flight, most have not begun.
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
    // KV accepts far less than is written: a put in 5 ms, two new resources and one change of the hot one in each.
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
    assert_eq!((rows(&project), watermark(&project)), (0, 30));
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
        "SELECT key FROM resource WHERE key > ?1 AND (?2 IS NULL OR key <= ?2) ORDER BY key",
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
    // Another project's entries are none of its business.
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

/// What KV holds: value, metadata where it can be read, lifetime.
type Kv = BTreeMap<String, (String, Option<Metadata>, Option<u32>)>;

fn land(kv: &mut Kv, put: &Put) {
    kv.insert(put.entry.to_string(), (put.value.clone(), Some(put.metadata.clone()), put.ttl_seconds));
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
    /// The alarm stores the watermark.
    Checkpoint,
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
        1 => Just(Step::Checkpoint),
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
            Step::Checkpoint => self.project.checkpoint().unwrap(),
        }
    }

    /// Lets everything end, as the alarm does: it rings when the outbox says, and all puts succeed by then.
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
        // The sweep of an empty KV puts everything.
        let mut truth = Kv::new();
        if world.project.next_sweep(world.now).unwrap().is_some() {
            let now = sweep(&world.project, &truth, 3);
            replicate(&world.project, &mut truth, now);
        }
        prop_assert_eq!(told(world.kv), told(truth));
    }
}
