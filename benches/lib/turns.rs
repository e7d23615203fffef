//! The longest turn of each kind in the life of a project's object. A turn is what it does for one call, or at one
//! event of its machine.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::time::Duration;

use resource_edge::call::reply::{CallResult, Reply};
use resource_edge::call::{Call, Change, Idempotency, Message, RestorePoint, Write, WriteOptions};
use resource_edge::contract::kv::Metadata;
use resource_edge::project::replication::machine::{Event, Machine, Task, Timer};
use resource_edge::project::{Listed, Project};
use resource_edge::util::time::Millis;
use resource_edge::validate;
use rusqlite::backup::Backup;

use super::collection::{Sqlite, draft, moment};
use super::cpu::cpu;

const DAY_MS: Millis = 24 * 60 * 60 * 1000;
/// How long KV needs for a put or a list.
const KV_MS: Millis = 5;
/// How many entries KV lists in a page.
const LIST_ENTRIES: usize = 1_000;
/// How many resources are written once more: with their old states, more than a turn of a deletion removes.
const WRITTEN: usize = 20;

/// Returns the longest turn of each kind.
pub fn longest(project: Project<Sqlite>) -> BTreeMap<&'static str, Duration> {
    let mut source = Object::start(project.into_database(), 1_800_000_000_000, "first");
    source.call("start", Call::Status);
    source.call("status", Call::Status);
    source.pass(3 * DAY_MS);

    source.sql("UPDATE meta SET value = 0 WHERE name = 'index'");
    let mut source = source.restart("first");
    source.call("start of a rebuild", Call::Ping);
    source.pass(DAY_MS);

    let pages = source.export();
    source.write();
    source.pass(DAY_MS);

    // As a restore leaves it: the object restarts with another epoch, and repairs KV.
    let mut source = source.restart("second");
    source.call("restore", Call::Restore(RestorePoint::Time(0)));
    source.pass(3 * DAY_MS);

    let mut standby = Object::start(Sqlite::new(), source.now, "standby");
    standby.import("import", &pages);
    while !source.call("deletion", Call::Clear).body.unwrap().contains("\"isDone\":true") {}
    source.pass(3 * DAY_MS);
    let tombstones = source.export();
    standby.import("import of deleted IDs", &tombstones);
    standby.pass(DAY_MS);

    let mut longest = source.longest;
    for (kind, time) in standby.longest {
        let known = longest.entry(kind).or_default();
        *known = time.max(*known);
    }
    longest
}

/// An object, and a KV that stores only metadata.
struct Object {
    machine: Machine<Sqlite>,
    now: Millis,
    kv: BTreeMap<String, Metadata>,
    /// What happens next, by its time.
    events: VecDeque<(Millis, Event)>,
    longest: BTreeMap<&'static str, Duration>,
}

impl Object {
    /// Starts an object. `epoch` changes with each restore.
    fn start(database: Sqlite, now: Millis, epoch: &str) -> Self {
        let project = Project::new(database);
        project.set_epoch(epoch);
        let (kv, events, longest) = (BTreeMap::new(), VecDeque::new(), BTreeMap::new());
        Self { machine: Machine::new(project), now, kv, events, longest }
    }

    /// Starts another instance of the object, on a copy of its database.
    fn restart(self, epoch: &str) -> Self {
        let mut copy = Sqlite::new();
        let before = self.machine.project().database();
        let backup = Backup::new(&before.connection, &mut copy.connection).unwrap();
        backup.run_to_completion(i32::MAX, Duration::ZERO, None).unwrap();
        drop(backup);
        copy.alarm.set(before.alarm.get());
        Self { kv: self.kv, longest: self.longest, ..Self::start(copy, self.now, epoch) }
    }

    fn sql(&self, text: &str) {
        self.machine.project().database().connection.execute(text, []).unwrap();
    }

    /// Measures a turn.
    fn turn<T>(&mut self, kind: &'static str, run: impl FnOnce(&mut Machine<Sqlite>) -> (T, Vec<Task>)) -> T {
        let began = cpu();
        let (result, tasks) = run(&mut self.machine);
        let time = cpu().saturating_sub(began);
        let known = self.longest.entry(kind).or_default();
        *known = time.max(*known);
        for task in tasks {
            self.perform(task);
        }
        result
    }

    fn call(&mut self, kind: &'static str, call: Call) -> Reply<String> {
        self.now += 1;
        let now = self.now;
        let writes = call.is_write();
        let message = Message { project: "bench".to_owned(), call };
        let reply = self.turn(kind, |machine| {
            let reply = machine.project().perform(&message, &moment(now, now)).unwrap();
            (reply, machine.on(Event::Performed { writes }, now))
        });
        if let CallResult::Error(error) = &reply.head.result {
            panic!("{kind}: {}", error.message());
        }
        reply
    }

    fn perform(&mut self, task: Task) {
        match task {
            Task::Put(put) => {
                self.kv.insert(put.entry.to_string(), put.metadata.clone());
                self.after(KV_MS, Event::PutEnded(put, Ok(())));
            }
            Task::List(sweep) => {
                let from =
                    sweep.cursor.clone().map_or(Bound::Included(sweep.prefix.clone()), Bound::Excluded);
                let entries = self.kv.range((from, Bound::Unbounded));
                let entries = entries.take_while(|(entry, _)| entry.starts_with(&sweep.prefix));
                let listed = |(entry, metadata): (&String, &Metadata)| Listed {
                    entry: entry.clone(),
                    metadata: Some(metadata.clone()),
                };
                let page: Vec<Listed> = entries.take(LIST_ENTRIES).map(listed).collect();
                let cursor = (page.len() == LIST_ENTRIES).then(|| page[LIST_ENTRIES - 1].entry.clone());
                self.after(KV_MS, Event::Listed(sweep, Ok((page, cursor))));
            }
            Task::Wait { ms, timer } => self.after(u64::from(ms), Event::TimerRang(timer)),
            Task::EndAlarm => {}
            Task::Log { event, about, reason } => panic!("{event} {about}: {reason}"),
        }
    }

    fn after(&mut self, ms: Millis, event: Event) {
        let at = self.now + ms;
        let place = self.events.partition_point(|(other, _)| *other <= at);
        self.events.insert(place, (at, event));
    }

    /// Performs everything that happens in this time.
    fn pass(&mut self, ms: Millis) {
        let end = self.now + ms;
        loop {
            let event = self.events.front().map(|(at, _)| *at);
            let alarm = self.machine.project().database().alarm.get();
            let (at, is_alarm) = match (event, alarm) {
                (Some(event), Some(alarm)) if alarm < event => (alarm, true),
                (Some(event), _) => (event, false),
                (None, Some(alarm)) => (alarm, true),
                (None, None) => return self.now = end,
            };
            if at > end {
                return self.now = end;
            }
            self.now = self.now.max(at);
            let event = if is_alarm { Event::AlarmRang } else { self.events.pop_front().unwrap().1 };
            let kind = match &event {
                Event::Performed { .. } => "call",
                Event::AlarmRang => "alarm",
                Event::TimerRang(Timer::Puts(_)) => "timer of the puts",
                Event::TimerRang(Timer::Rebuild) => "rebuild",
                Event::PutEnded(..) => "end of a put",
                Event::Listed(..) => "sweep",
            };
            let now = self.now;
            self.turn(kind, |machine| ((), machine.on(event, now)));
        }
    }

    /// Returns the pages of an export.
    fn export(&mut self) -> Vec<String> {
        let (mut pages, mut after) = (Vec::new(), None);
        loop {
            let reply = self.call("export", Call::Export(after));
            pages.push(reply.body.unwrap());
            let CallResult::Export(next) = reply.head.result else { panic!("a page of an export") };
            if next.is_none() {
                return pages;
            }
            after = next;
        }
    }

    /// Imports pages, each in as many requests as it needs.
    fn import(&mut self, kind: &'static str, pages: &[String]) {
        for page in pages {
            let mut lines: Vec<&str> = page.lines().collect();
            while !lines.is_empty() {
                let body = self.call(kind, Call::Import(lines.join("\n"))).body.unwrap();
                let taken = body.split_once("\"taken\":").unwrap().1;
                let taken: usize = taken[..taken.find(',').unwrap()].parse().unwrap();
                assert!(taken > 0, "{body}");
                lines.drain(..taken);
            }
        }
    }

    /// Updates, overwrites, deletes, and creates some of the resources, each write with an idempotency key.
    fn write(&mut self) {
        let mut found: Vec<(String, i64, String)> = Vec::new();
        {
            let connection = &self.machine.project().database().connection;
            let sql = format!("SELECT id, version, body FROM resource ORDER BY seq LIMIT {WRITTEN}");
            let mut statement = connection.prepare(&sql).unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
            found.extend(rows.map(Result::unwrap));
        }
        for (id, version, body) in found {
            let update = format!(
                "{{\"version\":{version},\"actions\":[{{\"action\":\"changeSomeProperty\",\"someProperty\":\"b\"}}]}}"
            );
            let update = validate::update_input(update.as_bytes()).map_err(|_| "an update").unwrap();
            self.keyed("update", Change::UpdateById { id: id.clone(), update });
            // Without the members that the service sets.
            let key = &body[body.find("\"key\"").unwrap()..body.find("\"createdAt\"").unwrap()];
            let content = &body[body.find("\"objectTypeProperty\"").unwrap()..];
            let Call::Write(write) = draft(&format!("{{{key}{content}")) else { panic!("a write") };
            let Change::CreateOrUpdate(input) = write.change else { panic!("an input") };
            self.keyed("overwrite", Change::CreateOrOverwrite(input.clone()));
            self.keyed("delete", Change::DeleteById { id, version: None });
            self.keyed("create", Change::CreateOrUpdate(input));
        }
    }

    fn keyed(&mut self, kind: &'static str, change: Change) {
        let key = self.now.to_string();
        let idempotency = Some(Idempotency { caller: "caller".to_owned(), key, fingerprint: [0; 16] });
        let options = WriteOptions { idempotency, ..WriteOptions::default() };
        self.call(kind, Call::Write(Box::new(Write { change, options })));
    }
}
