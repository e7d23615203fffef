//! A project's database grows with its data, and not with what callers repeat (D30): years of steady writes to the same
//! few resources, with replication, its failures, alarms, and sweeps, on a clock of the test.

use std::collections::BTreeMap;

use super::*;
use crate::support::random::Random;

const DAY: u64 = 86_400_000;

struct Life {
    disk: Shared,
    project: Project<Shared>,
    dice: Random,
    now: u64,
    writes: u64,
}

impl Life {
    fn new(seed: u64) -> Self {
        let disk = Shared::new();
        Self { project: start(disk.clone()), disk, dice: Random::new(seed), now: DAY, writes: 0 }
    }

    fn body(&self, id: &str) -> Value {
        let number = |sides| self.dice.below(sides);
        // Some new values and words, and some that are always the same.
        json!({
            "id": id,
            "key": format!("key-{id}-{}", number(3)),
            "custom": format!("word{} word{} always", number(1 << 30), number(1 << 30)),
            "objectTypeProperty": {
                "arrayOfIntExample": (0..number(20)).map(|_| number(1 << 40)).collect::<Vec<_>>(),
                "arrayOfStringExample": [format!("Text {}", number(1 << 30))],
                "arrayOfObjectType": [{"integerExample": number(1 << 30)}],
            },
        })
    }

    /// Performs a write of some kind to the ID, with a new idempotency key. Some writes are rejected.
    fn write(&mut self, id: &str) {
        let body = self.body(id);
        let large = (self.dice.below(20) == 0).then(|| "x ".repeat(5_000));
        let message = match self.dice.below(10) {
            0 => delete(id),
            1 => put(&json!({"id": id, "version": 0, "objectTypeProperty": {}})),
            2 => merge(&json!({"id": id, "custom": large.unwrap_or_else(|| body["custom"].to_string())})),
            3..6 => update(id, 1 + self.dice.below(3), Some(&body["custom"].to_string())),
            _ => post(&body),
        };
        self.writes += 1;
        let message = once(message, &format!("k{}", self.writes));
        let reply = perform(&self.project, &message, self.now);
        assert!([0, 400, 404, 409].contains(&status(&reply)), "{:?}", reply.head);
    }

    /// Puts what waits, as the alarm does. Some puts fail. Restarts now and then.
    fn replicate(&mut self) {
        for _ in 0..100 {
            match self.project.next_put(self.now).unwrap() {
                Next::Put(put) if self.dice.below(30) == 0 => {
                    self.project.put_failed(&put, self.now).unwrap();
                }
                Next::Put(put) => self.project.put_done(&put, self.now).unwrap(),
                Next::Wait(at) => self.now = self.now.max(at),
                Next::Nothing => break,
            }
        }
        self.project.checkpoint().unwrap();
        if let Some(sweep) = self.project.sweep(self.now).unwrap() {
            // KV has lost everything.
            self.project.sweep_done(&sweep, &[], None, self.now).unwrap();
        }
        if self.dice.below(50) == 0 {
            self.project = start(self.disk.clone());
        }
    }

    /// Returns the bytes of the pages in use, by table and index.
    fn bytes(&self) -> BTreeMap<String, i64> {
        let connection = &self.disk.sqlite.connection;
        let mut tables = connection.prepare("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").unwrap();
        let rows = tables.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }

    fn total(&self) -> i64 {
        self.disk.number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    }
}

#[test]
fn a_year_of_writes_to_the_same_resources_does_not_grow_the_database() {
    let mut life = Life::new(1);
    let mut months = Vec::new();
    for _ in 0..12 {
        for _ in 0..1_250 {
            let id = format!("r{}", life.dice.below(20));
            life.write(&id);
            if life.dice.below(5) == 0 {
                life.replicate();
            }
            life.now += 30 * DAY / 1_250;
        }
        life.replicate();
        months.push(life.total());
    }
    println!("bytes after each month: {months:?}, {:?}", life.bytes());
    // The third month includes the effects of random sizes. A leak of four bytes per write would be visible.
    assert!(months[11] <= months[2] + 8 * 4_096, "{months:?}");
}

#[test]
fn the_index_of_words_stays_below_three_times_its_rebuilt_size() {
    let mut life = Life::new(2);
    let words =
        |life: &Life| (0..40).map(|_| format!("w{}", life.dice.below(1 << 40))).collect::<Vec<_>>().join(" ");
    let mut sizes = Vec::new();
    for _ in 0..20 {
        for number in 0..300 {
            let text = words(&life);
            let body = json!({"id": format!("r{number}"), "custom": text, "objectTypeProperty": {}});
            life.now += 1;
            assert_eq!(status(&perform(&life.project, &post(&body), life.now)), 0);
        }
        life.project.follow().unwrap();
        sizes.push(life.bytes()["text_data"]);
    }
    super::words::rebuild(&life.disk);
    let fresh = life.bytes()["text_data"];
    println!("bytes of the words after each round: {sizes:?}; rebuilt: {fresh}");
    // Removed words remain until FTS5 merges its segments, which it does over time.
    assert!(sizes.iter().all(|size| *size < fresh * 3), "{sizes:?} {fresh}");
}

#[test]
fn a_deleted_id_leaves_about_a_hundred_bytes() {
    let mut life = Life::new(3);
    let mut cycle = |ids: std::ops::Range<u32>| {
        for number in ids {
            let id = format!("0198c0de-0000-7000-8000-{number:012}");
            let body = life.body(&id);
            for message in [post(&body), delete(&id)] {
                life.now += 20_000;
                assert_eq!(status(&perform(&life.project, &message, life.now)), 0);
            }
            if number % 10 == 0 {
                life.replicate();
            }
        }
        life.replicate();
        life.total()
    };
    let before = cycle(0..1_000);
    let after = cycle(1_000..5_000);
    let each = (after - before) / 4_000;
    println!("{each} bytes for each deleted ID, {:?}", life.bytes());
    assert!(each <= 120, "{each}");
}
