//! One project's collection on a synchronous SQL database. Pure: time, randomness, and the database are parameters. A
//! module imports what its row lists, and each of those is above it:
//!
//! | module | contents | imports |
//! |---|---|---|
//! | `store` | tables, records and their log, the index, the words of texts, and the history of positions | nothing |
//! | `failure` | why a call failed | store |
//! | `permit` | whether a user's rights permit a call | nothing |
//! | `query` | queries and searches: budget, plan, SQL, page, and facets | store, failure |
//! | `replication` | how writes reach KV: queue, outbox, sweep, and the machine that drives them | store |
//! | `calls` | reads, writes, changes, and the calls for operators | store, failure, permit, query, replication |

mod calls;
mod failure;
mod permit;
mod query;
pub mod replication;
pub mod store;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use crate::call::{Call, CallResult, Limited, Message, Read, Reply};
use crate::contract::error::ApiError;
use crate::contract::limits;
use crate::contract::position::ProjectPosition;
use crate::rights::Rights;
use crate::shape::Shape;
use crate::util::time::Millis;

use self::calls::replay::Replays;
use self::failure::{Failure, renewing};
use self::permit::Permit;
use self::query::budget::Work;
use self::replication::outbox::Outbox;
pub use self::replication::tasks::{Next, Put, Sweep};
use self::store::capacity::Capacity;
use self::store::database::{Database, Result, StoreError};
use self::store::fields::Fields;
use self::store::history::{self, History};
use self::store::indexer::Indexer;
pub use self::store::meta::key_in;
use self::store::tables::Meta;
use self::store::totals::Totals;
use self::store::{meta, tables};
pub use crate::contract::kv::Listed;

/// The time of a call, and its randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub now: Millis,
    /// Random bytes for an ID.
    pub entropy: [u8; 10],
}

#[derive(Debug)]
pub struct Project<D> {
    database: D,
    shape: Rc<Shape>,
    /// The fields of the shape with their numbers, once the database is up to date.
    fields: OnceCell<Fields>,
    name: OnceCell<String>,
    totals: Totals,
    budget: u64,
    replays: Replays,
    outbox: RefCell<Outbox>,
    history: History,
    index: Indexer,
    capacity: Capacity,
    /// How many sweeps the repair of KV after a restore needs; 0 if there is none.
    repair: Cell<i64>,
    /// How many sockets and requests wait for changes. The platform has them.
    listeners: Cell<u32>,
}

impl<D: Database> Project<D> {
    /// Creates the collection of resources of a shape in the database. Its tables are created or migrated on first use,
    /// also those that resources of another shape are in.
    pub fn new(database: D, shape: Rc<Shape>) -> Self {
        Self::with_budget(database, shape, limits::work::BUDGET)
    }

    /// Sets another budget for the work of a call (`contract::limits::work`). A small budget lets tests reject in a
    /// small collection what is otherwise rejected only in a large one.
    pub fn with_budget(database: D, shape: Rc<Shape>, budget: u64) -> Self {
        Self {
            database,
            shape,
            budget,
            fields: OnceCell::new(),
            name: OnceCell::new(),
            totals: Totals::default(),
            replays: Replays::default(),
            outbox: RefCell::default(),
            history: History::default(),
            index: Indexer::default(),
            capacity: Capacity::default(),
            repair: Cell::default(),
            listeners: Cell::default(),
        }
    }

    /// Sets after how many writes of new records the index follows, so that a test has batches in a small project.
    #[must_use]
    pub fn with_waiting(mut self, writes: i64) -> Self {
        self.index.writes = writes;
        self
    }

    /// Sets the maximum number of records of a part of a renewal of the index, of parts that a query renews, and of
    /// bytes that a write reads during one, so that a test has parts in a small project.
    #[must_use]
    pub fn with_parts(mut self, records: i64, parts: u32, bytes: usize) -> Self {
        self.index.part = records;
        self.index.parts = parts;
        self.index.examined = bytes;
        self
    }

    /// Brings the database up to date.
    pub fn make_ready(&self) -> Result<()> {
        if self.is_ready() {
            return Ok(());
        }
        let (meta, fields) = tables::migrate(&self.database, &self.shape)?;
        self.repair.set(meta.repair);
        if let Some(name) = meta.project {
            self.name.get_or_init(|| name);
        }
        let newest = self.totals.newest(&self.database)?;
        self.outbox.replace(Outbox::start(&self.database, meta.replicated, newest)?);
        self.index.start(&self.database, meta.indexed, meta.renewed)?;
        self.fields.get_or_init(|| fields);
        Ok(())
    }

    /// Returns whether the database is up to date, as far as this instance knows.
    fn is_ready(&self) -> bool {
        self.fields.get().is_some()
    }

    /// Returns the fields of the project. Calls that need them need the index.
    fn fields(&self) -> Result<&Fields> {
        self.fields.get().ok_or_else(|| StoreError::new("the fields of the project are not read"))
    }

    /// Indexes the records that wait. None does before the database is up to date.
    fn catch_up(&self) -> Result<()> {
        self.fields.get().map_or(Ok(()), |fields| self.index.catch_up(fields, &self.database))
    }

    /// Returns whether the index is being renewed: queries of some fields wait for it.
    pub fn is_renewing(&self) -> bool {
        self.index.is_renewing()
    }

    /// Renews at most as many parts of the index, each in a transaction. Returns whether it is complete.
    pub fn renew(&self, parts: u32) -> Result<bool> {
        for _ in 0..parts {
            let Some(fields) = self.fields.get().filter(|_| self.is_renewing()) else { break };
            self.totals.renew(self.index.renew(fields, &self.database)?);
        }
        Ok(!self.is_renewing())
    }

    pub fn database(&self) -> &D {
        &self.database
    }

    /// Returns the database, so that another project can open it.
    pub fn into_database(self) -> D {
        self.database
    }

    /// Performs a call: a read directly, a write in a transaction. `Err` is a fault, and then nothing has changed.
    pub fn perform(&self, message: &Message, moment: &Moment) -> Result<Reply<D::Text>> {
        // The object that gets a ping belongs to no project, so nothing is created in it.
        if !matches!(message.call, Call::Ping) {
            self.make_ready()?;
        }
        let performed = self.numbered(&message.call).and_then(|call| {
            self.complete_for(&call)?;
            Ok(call)
        });
        let performed = performed.and_then(|call| self.perform_call(&message.project, &call, moment));
        performed.or_else(|failure| Ok(failure.refusal()?.into()))
    }

    /// Returns the call with the numbers of its fields in the index. Returns an error if it names a field that the
    /// project does not have: during a deploy, the Worker may have another shape than the object.
    fn numbered<'c>(&self, call: &'c Call) -> Result<Cow<'c, Call>, Failure> {
        if let Some(name) = call.foreign_field(&self.shape) {
            return Err(deployed(name).into());
        }
        let Some(fields) = self.fields.get().filter(|_| call.may_have_paths()) else {
            return Ok(Cow::Borrowed(call));
        };
        let mut call = call.clone();
        let mut foreign = None;
        call.each_path(&mut |path, is_list| {
            if !fields.set_number(path, is_list) {
                foreign = Some(path.to_string());
            }
        });
        foreign.map_or(Ok(Cow::Owned(call)), |name| Err(deployed(&name).into()))
    }

    /// Renews the index as far as the call needs it. Returns an error if that would take too long.
    fn complete_for(&self, call: &Call) -> Result<(), Failure> {
        let names = self.stale_fields(call);
        if names.is_empty() || self.renew(self.index.parts)? {
            return Ok(());
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Err(renewing(&names).into())
    }

    /// Returns the names of the fields in the call of which the index does not have all values.
    fn stale_fields(&self, call: &Call) -> Vec<String> {
        let mut names = Vec::new();
        let Some(fields) = self.fields.get().filter(|_| self.is_renewing() && matches!(call, Call::Read(_)))
        else {
            return names;
        };
        if call.has_words() {
            names.extend_from_slice(fields.unsearched());
        }
        call.clone().each_path(&mut |path, _| {
            let name = path.name();
            if fields.is_stale(path) && names.iter().all(|other| other != name) {
                names.push(name.to_owned());
            }
        });
        names
    }

    fn perform_call(&self, project: &str, call: &Call, moment: &Moment) -> Result<Reply<D::Text>, Failure> {
        match call {
            Call::Read(read) => self.read(read),
            Call::Write(write) => Ok(self.write(project, write, None, moment)?),
            Call::Batch(batch) => Ok(self.batch(project, batch, None, moment)?),
            Call::Limited(limited) => self.perform_limited(project, limited, moment),
            Call::Ping => {
                self.database.has_row("SELECT 1 AS one", &[])?;
                Ok(Reply::new(CallResult::Performed, None))
            }
            Call::Status => Ok(self.status(moment.now)?),
            Call::Export(after) => Ok(self.export(after.as_ref(), &self.position(project, moment)?)?),
            Call::Changes(wanted) => self.changes(wanted, &self.position(project, moment)?),
            Call::Listen(listener) => Ok(self.listen(&listener.after, self.position(project, moment)?)?),
            Call::Import(lines) => self.import(project, lines, moment),
            Call::Clear => Ok(self.clear(moment)?),
            Call::Restore(_) => {
                self.position(project, moment)?;
                self.begin_repair(project, moment.now)?;
                self.repair_began(project);
                // The edge adds the bookmark.
                Ok(Reply::new(CallResult::Performed, None))
            }
            Call::Replication => {
                // After a restore, KV may be newer than the source of truth.
                let bypass_kv = self.repair.get() > 0
                    || self.outbox.borrow_mut().is_behind(&self.database, moment.now)?;
                Ok(Reply::new(CallResult::Replication { bypass_kv }, None))
            }
        }
    }

    /// Performs a call of a user. The edge sends no others than these.
    fn perform_limited(
        &self,
        project: &str,
        Limited { call, rights }: &Limited,
        moment: &Moment,
    ) -> Result<Reply<D::Text>, Failure> {
        match call {
            Call::Read(Read::Resource(lookup)) => Ok(self.look_up(lookup, Some(rights))?),
            Call::Write(write) => Ok(self.write(project, write, Some(rights), moment)?),
            Call::Batch(batch) => Ok(self.batch(project, batch, Some(rights), moment)?),
            _ => Err(ApiError::general().into()),
        }
    }

    /// Returns what a caller with these rights may do.
    fn permit<'r>(&'r self, rights: Option<&'r Rights>) -> Permit<'r> {
        Permit { shape: &self.shape, rights, budget: self.budget }
    }

    /// Runs a transaction that may change what [`Replays`] caches.
    fn transaction<T, E: From<StoreError>>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let done = self.index.transaction(&self.database, run);
        if done.is_err() {
            self.replays.discard_cache();
        }
        done
    }

    /// Returns whether the call needs the epoch of positions, and [`Self::set_epoch`] has not been called.
    pub fn lacks_epoch(&self, call: &Call) -> bool {
        call.needs_epoch() && self.history.lacks_epoch()
    }

    /// Sets the epoch of positions: a text that a restore does not reach, and that changes before each restore. Empty
    /// if there was none.
    /// `None` if the platform restores nothing.
    pub fn set_epoch(&self, epoch: Option<&str>) {
        self.history.set_epoch(epoch);
    }

    /// Returns whether the call is a read that first has to write to the index. If the disk has no room, the platform
    /// performs it in a transaction that it rolls back, and then calls [`Self::rolled_back`].
    pub fn has_to_index(&self, call: &Call) -> bool {
        let reads_index = matches!(call, Call::Read(read) if !matches!(read, Read::Resource(_)));
        reads_index && self.make_ready().is_ok() && (self.index.has_waiting() || self.is_renewing())
    }

    /// Reads again what a transaction that was rolled back has changed in memory.
    pub fn rolled_back(&self) -> Result<()> {
        self.history.discard();
        let meta = Meta::read(&self.database)?;
        self.index.start(&self.database, meta.indexed, meta.renewed)
    }

    /// Returns the position of the project's newest write. Completes a restore that was interrupted.
    fn position(&self, project: &str, moment: &Moment) -> Result<ProjectPosition> {
        let history = match self.history.name() {
            Some(name) => name,
            None => self.read_history(project, moment)?,
        };
        Ok(ProjectPosition { history, revision: self.totals.newest(&self.database)? })
    }

    fn read_history(&self, project: &str, moment: &Moment) -> Result<String> {
        let (name, is_restored) = self.database.transaction(|| {
            let (name, is_restored) = self.history.read(&self.database, &moment.entropy)?;
            if is_restored {
                self.begin_repair(project, moment.now)?;
            }
            Ok::<_, StoreError>((name, is_restored))
        })?;
        self.history.keep(&name);
        if is_restored {
            self.repair_began(project);
        }
        Ok(name)
    }

    /// Returns the work of a call, which has done nothing yet.
    fn work(&self) -> Result<Work<'_, D>> {
        Ok(Work::new(self.fields()?, &self.database, &self.totals, self.budget))
    }

    fn performed(&self, body: String) -> Reply<D::Text> {
        Reply::new(CallResult::Performed, Some(self.database.text_of(body)))
    }

    /// Stores the project's key with its first write: the alarm needs it for the names of KV entries. Begins the
    /// history, so that no read has to write.
    fn store_name(&self, project: &str, entropy: &[u8]) -> Result<()> {
        if self.name.get().is_some() {
            return Ok(());
        }
        history::begin(&self.database, entropy)?;
        meta::set(&self.database, meta::PROJECT, project)
    }

    /// Returns the revision of the newest write, if the database is up to date; else 0.
    pub fn newest(&self) -> Result<Millis> {
        if self.is_ready() { self.totals.newest(&self.database) } else { Ok(0) }
    }

    /// Sets the number of listeners, which only the status reports.
    pub fn count_listeners(&self, listeners: u32) {
        self.listeners.set(listeners);
    }

    /// Returns the project's key; `None` before its first write.
    pub fn name(&self) -> Option<&str> {
        self.name.get().map(String::as_str)
    }
}

/// Returns the error of a call with a field that the project does not have.
fn deployed(name: &str) -> ApiError {
    let message = "The service is being deployed, and its parts do not yet have the same fields. Try again.";
    ApiError::unavailable(message).with_cause(format!("the project has no such field '{name}'"))
}
