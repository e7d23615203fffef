//! The longest turn of each kind in the life of a project's object. A turn is what it does for one call, or at one
//! event of its machine.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Bound;
use std::time::Duration;

use resource_edge::call::{
    Call, CallResult, Change, Idempotency, Lookup, Message, Read, Reply, RestorePoint, Write, WriteOptions,
};
use resource_edge::contract::kv::Metadata;
use resource_edge::contract::limits;
use resource_edge::contract::position::ProjectPosition;
use resource_edge::project::replication::machine::{Event, Machine, Task, Timer};
use resource_edge::project::{Listed, Project};
use resource_edge::shape::built_in::SOME_PROPERTY;
use resource_edge::shape::{Action, ObjectId, ResourceInput, UpdateInput};
use resource_edge::util::time::Millis;
use resource_edge::validate;

use super::collection::{Sqlite, draft, moment, shape};
use super::cpu::cpu;

const DAY_MS: Millis = 24 * 60 * 60 * 1000;
/// How long KV needs for a put or a list.
const KV_MS: Millis = 5;
/// How many entries KV lists in a page.
const LIST_ENTRIES: usize = 1_000;
/// How many resources are written once more: with their old states, more than a turn of a deletion removes.
const WRITTEN: usize = 6;

/// What an object did.
pub struct Life {
    /// The longest turn of each kind.
    pub longest: BTreeMap<&'static str, Duration>,
    /// The names of the endpoints whose calls it performed.
    pub performed: BTreeSet<&'static str>,
}

/// Lets an object perform calls and events of every kind.
pub fn life(project: Project<Sqlite>) -> Life {
    let mut source = Object::start(project.into_database(), 1_800_000_000_000, "first");
    source.call("start", Call::Status);
    source.call("status", Call::Status);
    source.pass(3 * DAY_MS);

    source.sql("UPDATE meta SET value = 0 WHERE name = 'index'");
    let mut source = source.restart("first");
    source.call("start of a rebuild", Call::Ping);
    source.pass(DAY_MS);

    let pages = source.export(None);
    let mut standby = Object::start(Sqlite::new(), source.now, "standby");
    standby.import("import", &pages);
    source.move_keys();
    let moved = source.export(Some(end(&pages)));
    standby.import("import of keys that have moved", &moved);
    source.write();
    source.pass(DAY_MS);

    // As a restore leaves it: the object restarts with another epoch, and repairs KV.
    let mut source = source.restart("second");
    source.call("restore", Call::Restore(RestorePoint::Time(0)));
    source.pass(3 * DAY_MS);

    while !source.call("deletion", Call::Clear).body.unwrap().contains("\"isDone\":true") {}
    source.pass(3 * DAY_MS);
    let tombstones = source.export(None);
    standby.pass(5 * DAY_MS);
    standby.import("import of deleted IDs", &tombstones);
    standby.pass(DAY_MS);

    let Life { mut longest, mut performed } = source.life;
    performed.extend(standby.life.performed);
    for (kind, time) in standby.life.longest {
        let known = longest.entry(kind).or_default();
        *known = time.max(*known);
    }
    Life { longest, performed }
}

/// Returns the position that a complete export has reached.
fn end(pages: &[String]) -> ProjectPosition {
    let text = pages.last().and_then(|page| page.lines().last()?.split('"').nth(3));
    text.and_then(ProjectPosition::parse).expect("the end of an export")
}

/// An object, and a KV that stores only metadata.
struct Object {
    machine: Machine<Sqlite>,
    now: Millis,
    kv: BTreeMap<String, Metadata>,
    /// What happens next, by its time.
    events: VecDeque<(Millis, Event)>,
    life: Life,
}

impl Object {
    /// Starts an object. `epoch` changes with each restore.
    fn start(database: Sqlite, now: Millis, epoch: &str) -> Self {
        let project = Project::new(database, shape());
        project.set_epoch(Some(epoch));
        let life = Life { longest: BTreeMap::new(), performed: BTreeSet::new() };
        Self { machine: Machine::new(project), now, kv: BTreeMap::new(), events: VecDeque::new(), life }
    }

    /// Starts another instance of the object, on a copy of its database.
    fn restart(self, epoch: &str) -> Self {
        let before = self.machine.project().database();
        let copy = before.copy();
        copy.alarm.set(before.alarm.get());
        Self { kv: self.kv, life: self.life, ..Self::start(copy, self.now, epoch) }
    }

    fn sql(&self, text: &str) {
        self.machine.project().database().connection.execute(text, []).unwrap();
    }

    /// Measures a turn.
    fn turn<T>(&mut self, kind: &'static str, run: impl FnOnce(&mut Machine<Sqlite>) -> (T, Vec<Task>)) -> T {
        let began = cpu();
        let (result, tasks) = run(&mut self.machine);
        let time = cpu().saturating_sub(began);
        let known = self.life.longest.entry(kind).or_default();
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
        self.life.performed.extend(call.id().map(|id| id.row().name));
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
            Task::Batch(batch) => {
                for put in &batch.puts {
                    self.kv.insert(put.entry.to_string(), put.metadata.clone());
                }
                let outcomes = Ok(vec![Ok(()); batch.puts.len()]);
                self.after(KV_MS, Event::BatchEnded(batch, outcomes));
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
                Event::TimerRang(Timer::Renewal) => "renewal",
                Event::TimerRang(Timer::Index) => "index",
                Event::PutEnded(..) => "end of a put",
                Event::BatchEnded(..) => "end of a batch",
                Event::Listed(..) => "sweep",
            };
            let now = self.now;
            self.turn(kind, |machine| ((), machine.on(event, now)));
        }
    }

    /// Returns the pages of an export after a position.
    fn export(&mut self, mut after: Option<ProjectPosition>) -> Vec<String> {
        let mut pages = Vec::new();
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

    /// Returns some of the resources.
    fn some(&self) -> Vec<Stored> {
        let connection = &self.machine.project().database().connection;
        let sql = format!("SELECT id, version, key, body FROM resource ORDER BY seq LIMIT {WRITTEN}");
        let mut statement = connection.prepare(&sql).unwrap();
        let rows = statement.query_map([], |row| {
            let version = row.get::<_, i64>(1)?.unsigned_abs();
            Ok(Stored { id: row.get(0)?, version, key: row.get(2)?, body: row.get(3)? })
        });
        rows.unwrap().map(Result::unwrap).collect()
    }

    /// Moves keys so that a later import has to take each from a resource whose newer state follows.
    fn move_keys(&mut self) {
        let some = self.some();
        for pair in some.chunks_exact(2) {
            let (giver, taker) = (&pair[0], &pair[1]);
            let key = |key: &str| Some(format!("{key} {}", giver.id));
            self.keyed("move of a key", Change::CreateOrUpdate(giver.input(key("given"))));
            self.keyed("move of a key", Change::CreateOrUpdate(taker.input(Some(giver.key.clone()))));
            self.keyed("move of a key", Change::CreateOrUpdate(giver.input(key("other"))));
        }
    }

    /// Reads and writes some of the resources by every operation, each write with an idempotency key.
    fn write(&mut self) {
        for stored in self.some() {
            let Stored { id, version, key, .. } = &stored;
            self.call("read by ID", Call::Read(Read::Resource(Lookup::Id(id.clone()))));
            self.call("read by key", Call::Read(Read::Resource(Lookup::Key(key.clone()))));
            let action =
                |at| Action::Set { field: SOME_PROPERTY.to_owned(), value: Some(format!("\"b{at}\"")) };
            let actions = (0..limits::ACTIONS).map(action).collect();
            let update = UpdateInput { version: *version, actions };
            self.keyed("update", Change::UpdateById { id: id.clone(), update });
            let whole = ResourceInput { version: Some(version + 1), ..stored.changed().input(None) };
            let (write, number) = self.keyed("overwrite", Change::Overwrite(whole));
            let merge = |text: &str| {
                let body = format!("{{\"id\":{},\"ninthProperty\":\"{text}\"}}", quoted(id));
                validate::resource_input(&shape(), ObjectId::Complex, body.as_bytes())
                    .map_err(|_| "a body")
                    .unwrap()
            };
            self.keyed("merge by path", Change::UpdateByPath(merge("one")));
            self.keyed("merge", Change::UpdateWithUrnLinks(merge("two")));
            let replayed = self.once("repeat of a write", write, number);
            assert!(replayed.head.replayed, "{:?}", replayed.head);
            let whole = ResourceInput { version: Some(version + 4), ..stored.input(None) };
            self.keyed("creation or overwrite", Change::CreateOrOverwrite(whole));
            self.keyed("delete", Change::DeleteById { id: id.clone(), version: None });
            let new = ResourceInput { id: None, ..stored.input(Some(key.clone())) };
            self.keyed("create", Change::CreateOrUpdate(new));
        }
        self.call("whether KV is behind", Call::Replication);
    }

    /// Performs a write with a new idempotency key. Returns both.
    fn keyed(&mut self, kind: &'static str, change: Change) -> (Change, Millis) {
        let number = self.now;
        self.once(kind, change.clone(), number);
        (change, number)
    }

    /// Performs a write with the idempotency key of that number.
    fn once(&mut self, kind: &'static str, change: Change, number: Millis) -> Reply<String> {
        let (caller, key) = ("caller".to_owned(), number.to_string());
        let idempotency = Some(Idempotency { caller, key, fingerprint: [0; 16] });
        let options = WriteOptions { idempotency, ..WriteOptions::default() };
        self.call(kind, Call::Write(Box::new(Write { change, options })))
    }
}

/// A stored resource.
struct Stored {
    id: String,
    version: u64,
    key: String,
    body: String,
}

impl Stored {
    /// Returns it with another word at the beginning of its first array of texts: one that is surely searched.
    fn changed(&self) -> Self {
        let body = self.body.replacen("[\"", "[\"early ", 1);
        Self { id: self.id.clone(), key: self.key.clone(), body, ..*self }
    }

    /// Returns the body of a write of this resource with all its content.
    fn input(&self, key: Option<String>) -> ResourceInput {
        // Without the members that the service sets.
        let content = &self.body[self.body.find("\"objectTypeProperty\"").unwrap()..];
        let Call::Write(write) = draft(&format!("{{{content}")) else { panic!("a write") };
        let Change::CreateOrUpdate(input) = write.change else { panic!("an input") };
        ResourceInput { id: Some(self.id.clone()), key, ..input }
    }
}

/// Returns the text as JSON.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    resource_edge::util::json::string(&mut out, text);
    out
}
