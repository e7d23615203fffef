//! The event loop of an object, on a simple platform: calls of KV last some time, and the clock may be set to another
//! time. `tests/world/simulation` shows the same machine in a world in which everything goes wrong at random.

mod clock;
mod helpers;
mod index;

use std::collections::BTreeMap;

use resource_edge::project::replication::machine::{Event, Machine, PUTS, Task};

use super::*;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// An object on its platform.
struct Platform {
    machine: Machine<Shared>,
    /// The time that has passed. No change of the clock changes it.
    time: Millis,
    /// By how much the clock is ahead of that time.
    ahead: Millis,
    /// The events still to come, by their time. Events of one time happen in the order in which they were added.
    pending: BTreeMap<(Millis, u64), Event>,
    order: u64,
    /// How long a put lasts.
    put_ms: Millis,
    /// How late the alarm rings.
    alarm_ms: Millis,
    /// Whether puts and lists fail.
    fails: bool,
    alarm_is_running: bool,
    /// The revision of each entry in KV.
    kv: BTreeMap<String, Millis>,
    /// When the puts began.
    puts: Vec<Millis>,
    /// How many puts each batch has.
    batches: Vec<usize>,
    /// When the alarm rang, and when it ended.
    alarms: Vec<(Millis, Option<Millis>)>,
    lists: Vec<Millis>,
    log: Vec<String>,
}

impl Platform {
    fn new() -> Self {
        Self::of(Shared::new())
    }

    fn of(database: Shared) -> Self {
        Self::with(Machine::new(start(database)))
    }

    fn with(machine: Machine<Shared>) -> Self {
        Self {
            machine,
            time: 0,
            // Far from 0, so that the clock can be set back.
            ahead: 1_000_000 * HOUR,
            pending: BTreeMap::new(),
            order: 0,
            put_ms: 20,
            alarm_ms: 0,
            fails: false,
            alarm_is_running: false,
            kv: BTreeMap::new(),
            puts: Vec::new(),
            batches: Vec::new(),
            alarms: Vec::new(),
            lists: Vec::new(),
            log: Vec::new(),
        }
    }

    fn now(&self) -> Millis {
        self.time + self.ahead
    }

    fn database(&self) -> &Shared {
        self.machine.project().database()
    }

    /// Performs a call. Returns whether it succeeded.
    fn perform(&mut self, message: &Message) -> bool {
        let reply = self.machine.project().perform(message, &at(self.now()));
        self.on(Event::Performed { writes: message.call.is_write() });
        reply.is_ok_and(|reply| reply.body.is_some())
    }

    fn create(&mut self, id: &str) {
        assert!(self.perform(&post(&json!({"id": id, "objectTypeProperty": {}}))), "{id}");
    }

    fn change(&mut self, id: &str, version: u64) {
        assert!(self.perform(&update(id, version, None)), "{id} {version}");
    }

    fn on(&mut self, event: Event) {
        for task in self.machine.on(event, self.now()) {
            self.begin(task);
        }
    }

    fn begin(&mut self, task: Task) {
        match task {
            Task::Put(put) => {
                self.puts.push(self.time);
                let failed = if self.fails { Err("made to fail".to_owned()) } else { Ok(()) };
                self.after(self.put_ms, Event::PutEnded(put, failed));
            }
            Task::Batch(batch) => {
                self.batches.push(batch.puts.len());
                let failed = if self.fails { Err("made to fail".to_owned()) } else { Ok(()) };
                let rounds = batch.puts.len().div_ceil(PUTS) as Millis;
                let outcomes = Ok(vec![failed; batch.puts.len()]);
                self.after(rounds * self.put_ms, Event::BatchEnded(batch, outcomes));
            }
            Task::List(sweep) => {
                self.lists.push(self.time);
                let listed = |entry: &String| Listed { entry: entry.clone(), metadata: None };
                let page = self.kv.keys().filter(|entry| entry.starts_with(&sweep.prefix)).map(listed);
                let page =
                    if self.fails { Err("made to fail".to_owned()) } else { Ok((page.collect(), None)) };
                self.after(self.put_ms, Event::Listed(sweep, page));
            }
            Task::Wait { ms, timer } => self.after(ms.into(), Event::TimerRang(timer)),
            Task::EndAlarm => {
                assert!(self.alarm_is_running, "an alarm ends twice");
                self.alarm_is_running = false;
                self.alarms.last_mut().unwrap().1 = Some(self.time);
            }
            Task::Log { event, reason, .. } => self.log.push(format!("{event}: {reason}")),
        }
    }

    fn after(&mut self, ms: Millis, event: Event) {
        self.order += 1;
        self.pending.insert((self.time + ms, self.order), event);
    }

    /// Returns when the alarm rings.
    fn alarm(&self) -> Option<Millis> {
        let alarm = self.database().sqlite.alarm.get().filter(|_| !self.alarm_is_running);
        alarm.map(|at| (at.saturating_sub(self.ahead) + self.alarm_ms).max(self.time))
    }

    /// Lets time pass.
    fn run(&mut self, ms: Millis) {
        let end = self.time + ms;
        loop {
            let event = self.pending.keys().next().map(|(at, _)| *at);
            let alarm = self.alarm();
            let Some(next) = event.into_iter().chain(alarm).min().filter(|next| *next <= end) else { break };
            self.time = next;
            if alarm == Some(next) {
                self.alarm_is_running = true;
                self.alarms.push((next, None));
                assert!(self.alarms.len() < 10_000, "the alarm rings without an end");
                self.on(Event::AlarmRang);
            } else if let Some((_, event)) = self.pending.pop_first() {
                let put: &[Put] = match &event {
                    Event::PutEnded(put, Ok(())) => std::slice::from_ref(put),
                    Event::BatchEnded(batch, Ok(outcomes)) if outcomes[0].is_ok() => &batch.puts,
                    _ => &[],
                };
                for put in put {
                    self.kv.insert(put.entry.to_string(), put.metadata.revision);
                }
                self.on(event);
            }
        }
        self.time = end;
    }

    /// Returns how many entries KV lacks, or has in an older state.
    fn behind(&self) -> usize {
        let connection = &self.database().sqlite.connection;
        let mut statement = connection.prepare("SELECT id, revision FROM resource").unwrap();
        let rows =
            statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))).unwrap();
        rows.map(Result::unwrap)
            .filter(|(id, revision)| {
                self.kv.get(&format!("r1:p:{id}")).copied() != Some(revision.unsigned_abs())
            })
            .count()
    }
}

#[test]
fn a_write_is_put_at_once_and_one_alarm_stores_the_watermark() {
    let mut platform = Platform::new();
    platform.create("a");
    assert_eq!(platform.puts, [0]);
    platform.run(HOUR);
    assert_eq!((platform.alarms.len(), platform.behind()), (1, 0));
    let newest = platform.database().number("SELECT revision FROM resource");
    assert_eq!(platform.database().number("SELECT value FROM meta WHERE name = 'replicated'"), newest);
}

#[test]
fn an_outage_of_kv_is_survived_by_the_alarm_alone() {
    let mut platform = Platform::new();
    platform.fails = true;
    for number in 0..30 {
        platform.create(&format!("a{number}"));
    }
    platform.run(10 * MINUTE);
    assert_eq!(platform.behind(), 30);
    assert!(platform.puts.len() < 100, "{} puts without KV", platform.puts.len());
    assert!(platform.database().number("SELECT count(*) FROM outbox") <= 30);
    platform.fails = false;
    platform.run(3 * MINUTE);
    assert_eq!(platform.behind(), 0);
    assert!(platform.log.iter().all(|line| line == "put failed: made to fail"), "{:?}", platform.log);
    // The last of them confirm.
    platform.run(2 * MINUTE);
    let (puts, alarms) = (platform.puts.len(), platform.alarms.len());
    platform.run(20 * HOUR);
    assert_eq!((platform.puts.len(), platform.alarms.len()), (puts, alarms), "nothing is left to do");
}

#[test]
fn an_alarm_ends_after_five_seconds_of_steady_writes() {
    let mut platform = Platform::new();
    platform.put_ms = 900;
    platform.create("a");
    for version in 1..200 {
        platform.run(100);
        platform.change("a", version);
        platform.create(&format!("b{version}"));
    }
    let lengths = platform.alarms.iter().filter_map(|(began, ended)| Some((*ended)? - began));
    let longest = lengths.max().unwrap();
    assert_eq!(longest, 5_000);
    assert!(platform.alarms.len() > 2, "{:?}", platform.alarms);
}

#[test]
fn every_day_an_alarm_sweeps_and_a_failed_list_is_repeated_within_the_hour() {
    let mut platform = Platform::new();
    platform.create("a");
    platform.run(DAY - MINUTE);
    assert!(platform.lists.is_empty());
    platform.kv.clear();
    platform.fails = true;
    platform.run(2 * MINUTE);
    assert_eq!(platform.lists.len(), 1);
    platform.fails = false;
    platform.run(HOUR);
    assert_eq!((platform.lists.len(), platform.behind()), (3, 0), "resources, then keys");
    assert_eq!(platform.puts[1], platform.lists[1] + platform.put_ms, "when the list ends");
    assert_eq!(platform.lists[2], platform.lists[1] + platform.put_ms + 1_100, "in the next alarm");
    platform.run(DAY);
    assert_eq!(platform.lists.len(), 5);
}

#[test]
fn a_backlog_is_put_in_chains_of_forty_that_alarms_begin_at_once() {
    const ENTRIES: usize = 600;
    let mut platform = Platform::new();
    platform.alarm_ms = 10;
    for number in 0..ENTRIES {
        // The machine gets no event, as if the object ended before its puts.
        let body = json!({"id": format!("a{number}"), "objectTypeProperty": {}});
        platform.machine.project().perform(&post(&body), &at(platform.now())).unwrap();
    }
    let alone = Machine::with_many(start(platform.database().clone()), usize::MAX);
    let mut platform = Platform { alarm_ms: 10, ..Platform::with(alone) };
    platform.run(20_000);
    assert_eq!(platform.behind(), 0);
    let begins: Vec<Millis> = platform.alarms.iter().map(|(began, _)| *began).collect();
    for (at, began) in begins.iter().enumerate() {
        let end = begins.get(at + 1).copied().unwrap_or(Millis::MAX);
        let chain = platform.puts.iter().filter(|put| (*began..end).contains(put)).count();
        assert!(chain <= 40, "{chain} puts after an alarm");
    }
    // Six at a time, without a pause.
    let lasted = platform.puts.last().unwrap() - platform.puts[0];
    let least = ENTRIES as Millis / 6 * platform.put_ms;
    assert!(lasted <= least + least / 20, "{lasted} ms instead of {least}");
    assert!(platform.alarms.len() <= ENTRIES / 40 + 3, "{:?}", platform.alarms);
}

#[test]
fn a_chain_that_a_write_began_is_continued_by_the_alarm() {
    let mut platform = Platform::with(Machine::with_many(start(Shared::new()), usize::MAX));
    platform.alarm_ms = 10;
    for number in 0..100 {
        let body = json!({"id": format!("a{number}"), "objectTypeProperty": {}});
        platform.machine.project().perform(&post(&body), &at(platform.now())).unwrap();
    }
    platform.create("b");
    assert!(platform.alarms.is_empty());
    platform.run(1_000);
    assert_eq!(platform.behind(), 0);
    let before = platform.puts.iter().filter(|put| **put < platform.alarms[0].0).count();
    assert_eq!(before, 40);
    assert_eq!(platform.alarms.len(), 2, "{:?}", platform.alarms);
}

#[test]
fn a_second_write_is_put_by_a_timer_as_soon_as_kv_accepts_it() {
    let mut platform = Platform::new();
    platform.create("a");
    platform.run(500);
    platform.change("a", 1);
    platform.run(500);
    platform.change("a", 2);
    platform.run(500);
    platform.change("a", 3);
    platform.run(1_000);
    assert_eq!((platform.behind(), platform.puts), (0, vec![0, 1_100, 2_200]));
    assert!(platform.alarms.is_empty());
}

#[test]
fn a_failed_put_arms_the_alarm_for_its_retry() {
    let mut platform = Platform::new();
    platform.fails = true;
    platform.create("a");
    // Whatever happens to the alarm that the write has armed.
    platform.database().sqlite.alarm.set(None);
    platform.run(100);
    assert_eq!(platform.alarm(), Some(20 + 1_100));
}

#[test]
fn an_outbox_row_that_could_not_be_removed_is_removed_soon() {
    let mut platform = Platform::new();
    assert!(platform.perform(&post(&json!({"id": "a", "key": "k", "objectTypeProperty": {}}))));
    platform.run(100);
    assert!(platform.perform(&delete("a")));
    let rows = |platform: &Platform| platform.database().number("SELECT count(*) FROM outbox");
    platform.run(1_010);
    assert_eq!((platform.puts.len(), rows(&platform)), (4, 1), "both tombstones are on their way");
    platform.database().fails_after.set(Some(0));
    platform.run(20);
    platform.database().fails_after.set(None);
    assert!(platform.log.iter().any(|line| line.starts_with("put not settled")), "{:?}", platform.log);
    platform.run(20_000);
    assert_eq!(rows(&platform), 0);
}
