//! One project's collection on a synchronous SQL database. Pure: time, randomness and the database are passed in.

mod condition;
pub mod database;
mod facets;
mod narrow;
mod numbers;
mod order;
mod outbox;
mod query;
mod queue;
mod records;
mod replay;
mod search;
mod sql;
mod sweep;
mod tables;
mod terms;
mod text;
mod write;

use std::cell::{Cell, OnceCell};

use crate::call::{Call, Lookup, Message, Read, Write};
use crate::contract::error::{ApiError, Code};
use crate::contract::reply::{CallResult, Outcome, Reply, ResourceHead};
use crate::contract::time::Millis;

use database::{Bind, Database, StoreError};
use outbox::{Committed, Outbox};
pub use outbox::{Next, Put};
use query::Tail;
use records::By;
use replay::Replays;
pub use sweep::{Listed, Sweep};

/// What performing a call needs from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The time.
    pub now: Millis,
    /// Random bytes for an id.
    pub entropy: [u8; 10],
}

/// One project's collection.
#[derive(Debug)]
pub struct Project<D> {
    database: D,
    ready: Cell<bool>,
    /// The project's key, once it is known.
    name: OnceCell<String>,
    newest: Newest,
    replays: Replays,
    outbox: Outbox,
}

/// The project's newest revision and its size, kept in memory: no other writes to the database.
#[derive(Debug, Default)]
struct Newest {
    revision: Cell<Option<Millis>>,
    /// How many resources it has.
    size: records::Size,
}

impl Newest {
    fn get<D: Database>(&self, database: &D) -> Result<Millis, StoreError> {
        if let Some(known) = self.revision.get() {
            return Ok(known);
        }
        let stored = records::newest(database)?;
        self.revision.set(Some(stored));
        Ok(stored)
    }

    fn set(&self, revision: Millis) {
        self.revision.set(Some(revision));
    }
}

impl<D: Database> Project<D> {
    /// The collection in the database. Its tables are made or brought up to date on first use.
    #[must_use]
    pub fn new(database: D) -> Self {
        Self {
            database,
            ready: Cell::new(false),
            name: OnceCell::new(),
            newest: Newest::default(),
            replays: Replays::default(),
            outbox: Outbox::default(),
        }
    }

    fn make_ready(&self) -> Result<(), StoreError> {
        if self.ready.get() {
            return Ok(());
        }
        let meta = tables::migrate(&self.database)?;
        if let Some(name) = meta.project {
            self.name.get_or_init(|| name);
        }
        let newest = self.newest.get(&self.database)?;
        self.outbox.start(&self.database, meta.replicated, newest)?;
        self.ready.set(true);
        Ok(())
    }

    /// The database that the collection stands on.
    pub fn database(&self) -> &D {
        &self.database
    }

    /// Performs a call: a read at once, a write inside a transaction. `Err` is a fault, and nothing was changed.
    pub fn perform(&self, message: &Message, moment: &Moment) -> Result<Reply<D::Text>, StoreError> {
        self.make_ready()?;
        match &message.call {
            Call::Read(read) => self.perform_read(read),
            Call::Write(write) => self.write(&message.project, write, moment),
        }
    }

    fn perform_read(&self, read: &Read) -> Result<Reply<D::Text>, StoreError> {
        let before = self.database.rows_read();
        let size = &self.newest.size;
        let mut reply = match read {
            Read::Resource(Lookup::Id(id)) => self.read(By::Id(id))?,
            Read::Resource(Lookup::Key(key)) => self.read(By::Key(key))?,
            Read::Query(query) => query::page(&self.database, size, query, Tail::First)?,
            Read::QuerySorted(query) => query::page(&self.database, size, query, Tail::Nothing)?,
            Read::Exists(query) => query::exists(&self.database, size, query)?,
            Read::Search(search) => search::page(&self.database, size, search)?,
        };
        if let Some(cost) = &mut reply.head.query {
            cost.rows_read = self.database.rows_read() - before;
        }
        Ok(reply)
    }

    fn read(&self, by: By<'_>) -> Result<Reply<D::Text>, StoreError> {
        Ok(match records::passing(&self.database, by)? {
            Some((id, revision, body)) => {
                let head = ResourceHead { outcome: Outcome::Done, id, revision, newest: revision };
                Reply::new(CallResult::Resource(head), Some(body))
            }
            None => not_found(&self.database, &self.newest, by)?.into(),
        })
    }

    /// Performs a write inside a transaction, and enqueues what it changed once it is committed.
    fn write(&self, project: &str, write: &Write, moment: &Moment) -> Result<Reply<D::Text>, StoreError> {
        let written = self.database.transaction(|| self.write_once(project, write, moment));
        if written.is_err() {
            self.replays.forget();
        }
        let (reply, committed) = written?;
        if let Some(committed) = committed {
            self.newest.set(committed.revision);
            self.newest.size.change(committed.added);
            let project = self.name.get_or_init(|| project.to_owned());
            self.outbox.enqueue(project, committed);
        }
        Ok(Reply { head: reply.head, body: reply.body.map(|body| self.database.text_of(body)) })
    }

    fn write_once(
        &self,
        project: &str,
        write: &Write,
        moment: &Moment,
    ) -> Result<(Reply<String>, Option<Committed>), StoreError> {
        let idempotency = write.options.idempotency.as_ref();
        if let Some(idempotency) = idempotency
            && let Some(reply) = replay::recall(&self.database, idempotency, moment.now)?
        {
            return Ok((reply, None));
        }
        let (reply, committed) = write::perform(&self.database, &self.newest, write, moment)?;
        if committed.is_some() && self.name.get().is_none() {
            // The alarm needs the project's key to name its KV entries.
            records::set_meta(&self.database, "project", Bind::Text(project))?;
        }
        if let Some(idempotency) = idempotency {
            replay::remember(&self.database, &self.replays, idempotency, &reply, moment.now)?;
        }
        Ok((reply, committed))
    }

    /// The project's key; `None` before its first write.
    fn name(&self) -> Option<&str> {
        self.name.get().map(String::as_str)
    }

    /// What to put to KV next.
    pub fn next_put(&self, now: Millis) -> Result<Next, StoreError> {
        self.make_ready()?;
        match self.name() {
            Some(project) => self.outbox.next(&self.database, project, now),
            None => Ok(Next::Nothing),
        }
    }

    /// Records that a put succeeded.
    pub fn put_done(&self, put: &Put, now: Millis) -> Result<(), StoreError> {
        self.outbox.done(&self.database, put, now)
    }

    /// Records that a put failed, or that its end is unknown.
    pub fn put_failed(&self, put: &Put, now: Millis) -> Result<(), StoreError> {
        self.outbox.failed(&self.database, put, now)
    }

    /// Stores how far writes are replicated, for the next start. Costs a row, so it is for the alarm.
    pub fn checkpoint(&self) -> Result<(), StoreError> {
        self.make_ready()?;
        self.outbox.advance(&self.database, self.newest.get(&self.database)?)
    }

    /// The page of KV to list now for the slow sweep; `None` where none is due, or where many puts wait.
    pub fn sweep(&self, now: Millis) -> Result<Option<Sweep>, StoreError> {
        self.make_ready()?;
        match self.name() {
            Some(project) => sweep::due(&self.database, &self.outbox, project, now),
            None => Ok(None),
        }
    }

    /// Notes what differs from the truth on a page of KV; `cursor` is where KV says that the next page begins.
    pub fn swept(
        &self,
        sweep: &Sweep,
        page: &[Listed],
        cursor: Option<&str>,
        now: Millis,
    ) -> Result<(), StoreError> {
        let compare = || sweep::compare(&self.database, &self.outbox, sweep, page, cursor, now);
        self.database.transaction(compare)?;
        self.outbox.reread_rows();
        Ok(())
    }

    /// Begins the sweep anew in an hour, after a list that failed.
    pub fn sweep_failed(&self, now: Millis) -> Result<(), StoreError> {
        self.database.transaction(|| sweep::restart(&self.database, now))
    }

    /// When the next put is due; `None` if KV has everything.
    pub fn next_due(&self, now: Millis) -> Result<Option<Millis>, StoreError> {
        self.make_ready()?;
        Ok(self.name().and_then(|_| self.outbox.next_due(now)))
    }

    /// When the next page of the sweep is due; `None` before the first write.
    pub fn next_sweep(&self, now: Millis) -> Result<Option<Millis>, StoreError> {
        self.make_ready()?;
        self.name().map(|_| sweep::next(&self.database, &self.outbox, now)).transpose()
    }
}

/// 404 with the project's newest revision (D19; section 10).
fn not_found<D: Database>(database: &D, newest: &Newest, by: By<'_>) -> Result<ApiError, StoreError> {
    let (what, name) = match by {
        By::Id(id) => ("ID", id),
        By::Key(key) => ("key", key),
    };
    let mut error =
        ApiError::new(Code::ResourceNotFound, format!("The Resource with {what} '{name}' was not found."));
    error.revision = Some(newest.get(database)?);
    Ok(error)
}
