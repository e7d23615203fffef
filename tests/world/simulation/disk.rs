//! The object's storage: SQLite and one alarm. It outlives the object's memory, as a Durable Object's storage does.
//!
//! A [`Disk`] is the storage of one instance of the object. A fuse ends the instance, or fails a statement,
//! after a number of steps: a step is a statement, a commit, or setting the alarm. Earlier commits remain; an
//! open transaction is rolled back.
//!
//! Commits are on disk at once, unless the storage holds them: then the platform delays everything that leaves the
//! object until they are on disk, and a kill loses them.

use std::cell::Cell;
use std::rc::Rc;

use resource_edge::call::Cost;
use resource_edge::project::Project;
use resource_edge::project::store::database::{self, Bind, Database, FirstText, Row, StoreError};
use resource_edge::util::time::Millis;
use serde_json::Value;

use crate::support::sqlite::{Sqlite, texts_in_memory};
use crate::world::simulation::mutant::Mutant;

/// The effect when the fuse has burnt down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fuse {
    /// The instance ends.
    Crash,
    /// The statement fails.
    Fail,
}

/// Reads the index: `#` is the numbers of some fields. Other numbers differ from theirs in higher bits.
const TERMS: &str =
    "SELECT path, value, resource, edge FROM term WHERE path & 16383 IN (#) ORDER BY path, value, resource";
const ENTRIES: &str = "SELECT seq || ' ' || coalesce(json(entries), '{}') FROM resource ORDER BY seq";
/// The bits of a field's number.
const NUMBER: u64 = 16_383;

thread_local! {
    /// A database with the tables of a project: creating them would be most of a simulation's time.
    static EMPTY: Storage = Storage::with_tables();
}

/// The part of the storage that outlives the instances.
pub(crate) struct Storage {
    pub(crate) sqlite: Sqlite,
    /// When the alarm rings, by the object's clock.
    pub(crate) alarm: Cell<Option<Millis>>,
    pub(crate) mutant: Cell<Option<Mutant>>,
    fuse: Cell<Option<(u32, Fuse)>>,
    /// Whether there are commits that are not on disk.
    held: Cell<bool>,
}

impl Storage {
    fn of(sqlite: Sqlite) -> Self {
        sqlite.connection.set_prepared_statement_cache_capacity(512);
        let (alarm, mutant) = <(Cell<_>, Cell<_>)>::default();
        Self { sqlite, alarm, mutant, fuse: Cell::default(), held: Cell::default() }
    }

    /// Creates a database with the tables of a project. `project::faults` has the faults while they are created.
    pub(crate) fn new() -> Self {
        EMPTY.with(Self::copy)
    }

    fn with_tables() -> Self {
        let storage = Rc::new(Self::of(Sqlite::new()));
        let project = Project::new(Disk::new(Rc::clone(&storage)), Rc::default());
        project.next_put(0).expect("the tables are created");
        drop(project);
        Rc::into_inner(storage).expect("nobody else has the storage")
    }

    /// Lets further commits wait for the disk, until [`Self::sync`].
    pub(crate) fn hold(&self) {
        if !self.held.replace(true) {
            self.run("SAVEPOINT held");
        }
    }

    /// Writes everything that was committed to the disk.
    pub(crate) fn sync(&self) {
        if self.held.take() {
            self.run("RELEASE held");
        }
    }

    /// Loses the commits that are not on disk. Returns whether there were some.
    pub(crate) fn lose(&self) -> bool {
        let held = self.held.take();
        if held {
            self.run("ROLLBACK TO held");
            self.run("RELEASE held");
        }
        held
    }

    /// Returns a copy of the contents, without an alarm.
    pub(crate) fn copy(&self) -> Self {
        Self::of(self.sqlite.copy())
    }

    /// Returns the numbers of the fields that the index has.
    pub(crate) fn indexed_fields(&self) -> Vec<String> {
        let numbers = self.sqlite.rows("SELECT number FROM field WHERE indexed ORDER BY number");
        numbers.iter().map(|row| row.replace(|char: char| !char.is_ascii_digit(), "")).collect()
    }

    /// Returns what the index has of these fields. The words are of all fields.
    pub(crate) fn index(&self, numbers: &[String]) -> Vec<String> {
        let mut index = self.sqlite.rows(&TERMS.replace('#', &numbers.join(",")));
        let each = self.sqlite.query(ENTRIES, &[], &mut |row| {
            let row = row.text(0).unwrap_or_default();
            let (seq, entries) = row.split_once(' ').expect("a number and entries");
            let entries = serde_json::from_str(entries).expect("entries are JSON");
            index.push(format!("{seq} {}", entries_of(&entries, numbers)));
            Ok(())
        });
        each.expect("the entries");
        index
    }

    /// Returns the words of all records.
    pub(crate) fn words(&self) -> Vec<String> {
        self.sqlite.rows("SELECT term, doc, cnt FROM vocabulary ORDER BY term")
    }

    /// Returns the records.
    pub(crate) fn records(&self) -> Vec<String> {
        self.sqlite.rows("SELECT seq, revision, body FROM resource ORDER BY seq")
    }

    pub(crate) fn light(&self, steps: u32, fuse: Fuse) {
        self.fuse.set(Some((steps, fuse)));
    }

    /// Removes the fuse. Returns whether it was still burning.
    pub(crate) fn put_out(&self) -> bool {
        self.fuse.take().is_some()
    }

    fn run(&self, sql: &str) {
        self.sqlite.query(sql, &[], &mut |_| Ok(())).expect("a transaction's statement");
    }
}

/// Returns the entries of these fields, also those in the items of lists.
fn entries_of(entries: &Value, numbers: &[String]) -> Value {
    match entries {
        Value::Array(items) => items.iter().map(|item| entries_of(item, numbers)).collect(),
        Value::Object(members) => {
            let number = |name: &str| name.parse::<u64>().map(|number| (number & NUMBER).to_string());
            let is_known = |name: &str| number(name).is_ok_and(|number| numbers.contains(&number));
            let known = members.iter().filter(|(name, _)| is_known(name));
            let mut known: Vec<_> =
                known.map(|(name, value)| (name.clone(), entries_of(value, numbers))).collect();
            known.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(known.into_iter().collect())
        }
        other => other.clone(),
    }
}

/// The storage of one instance of the object.
pub(crate) struct Disk {
    pub(crate) storage: Rc<Storage>,
    /// The cached time of the alarm, as in `worker/object/database.rs`.
    known_alarm: Cell<Option<Millis>>,
    ended: Cell<bool>,
}

impl Disk {
    pub(crate) fn new(storage: Rc<Storage>) -> Self {
        let known_alarm = Cell::new(storage.alarm.get());
        Self { storage, known_alarm, ended: Cell::new(false) }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended.get()
    }

    fn step(&self, commits: bool) -> Result<(), StoreError> {
        if self.ended.get() {
            return Err(StoreError::new("the instance has ended"));
        }
        match self.storage.fuse.get() {
            // A finished commit can no longer fail.
            Some((0, Fuse::Fail)) if commits => Ok(()),
            Some((0, fuse)) => {
                self.storage.fuse.set(None);
                self.ended.set(fuse == Fuse::Crash);
                Err(StoreError::new(format!("made to end: {fuse:?}")))
            }
            Some((left, fuse)) => {
                self.storage.fuse.set(Some((left - 1, fuse)));
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Database for Disk {
    texts_in_memory!();

    fn query(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.step(false)?;
        match self.storage.mutant.get() {
            Some(mutant) => mutant.query(&self.storage.sqlite, sql, binds, each),
            None => self.storage.sqlite.query(sql, binds, each),
        }
    }

    fn transaction<T, E: From<StoreError>>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mutant = self.storage.mutant.get();
        if matches!(mutant, Some(Mutant::NoTransaction | Mutant::ImportPartly)) {
            return run();
        }
        let alarms = (self.storage.alarm.get(), self.known_alarm.get());
        // Without a fuse, nothing but a refusal fails.
        let keeps = mutant == Some(Mutant::KeepRefusedBatch) && self.storage.fuse.get().is_none();
        self.storage.run("SAVEPOINT step");
        let result = run().and_then(|value| Ok(self.step(false).map(|()| value)?));
        let lost = mutant == Some(Mutant::AcknowledgeBeforeCommit) && self.storage.fuse.get().is_some();
        if result.is_err() && !keeps || lost {
            self.storage.run("ROLLBACK TO step");
            self.storage.alarm.set(alarms.0);
            self.known_alarm.set(alarms.1);
        }
        self.storage.run("RELEASE step");
        let value = result?;
        Ok(self.step(true).map(|()| value)?)
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        self.storage.sqlite.bytes()
    }

    fn cost(&self) -> Cost {
        self.storage.sqlite.cost()
    }

    fn arm(&self, at: Millis) -> Result<(), StoreError> {
        self.step(false)?;
        if self.known_alarm.get().is_some_and(|known| known <= at)
            || self.storage.mutant.get() == Some(Mutant::LoseAlarms)
        {
            return Ok(());
        }
        self.storage.alarm.set(Some(at));
        self.known_alarm.set(Some(at));
        Ok(())
    }

    fn alarm_rang(&self) {
        self.known_alarm.set(None);
    }
}
