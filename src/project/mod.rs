//! One project's collection on a synchronous SQL database. Pure: time, randomness and the database are passed in.

mod condition;
pub mod database;
mod facets;
mod narrow;
mod numbers;
mod order;
mod outbox;
mod query;
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

use crate::call::{Call, Message};
use crate::contract::error::{ApiError, Code};
use crate::contract::operation::Access;
use crate::contract::reply::{Answer, Outcome, QueryCost, Reply, ResourceReply};
use crate::contract::time::Millis;

use database::{Bind, Database, StoreError};
pub use outbox::{Due, Put};
use query::Tail;
use records::By;
pub use sweep::{Listed, Sweep};

/// What performing a call needs from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The time.
    pub now: Millis,
    /// Random bytes for an id.
    pub entropy: [u8; 10],
}

/// The result of a read.
struct Performed<D: Database> {
    page: Page<D>,
    /// Of a query: whether an index narrowed it.
    by_index: Option<bool>,
}

/// A reply whose body passes through.
enum Page<D: Database> {
    /// A page of results.
    Text(D::Text),
    /// A resource without its body, and the body.
    Resource(ResourceReply, D::Text),
    /// A reply without such a body.
    Reply(Reply),
}

impl<D: Database> From<ApiError> for Performed<D> {
    fn from(error: ApiError) -> Self {
        Self { page: Page::Reply(Reply::Error(error)), by_index: None }
    }
}

/// One project's collection.
#[derive(Debug)]
pub struct Project<D> {
    database: D,
    ready: Cell<bool>,
    /// The project's key, once it is known.
    name: OnceCell<String>,
    newest: Newest,
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

    /// Discards what a write that was rolled back may have set.
    fn forget(&self) {
        self.revision.set(None);
        self.size.forget();
    }
}

impl<D: Database> Project<D> {
    /// The collection in the database. Its tables are made or brought up to date on first use.
    #[must_use]
    pub fn new(database: D) -> Self {
        Self { database, ready: Cell::new(false), name: OnceCell::new(), newest: Newest::default() }
    }

    fn make_ready(&self) -> Result<(), StoreError> {
        if !self.ready.get() {
            tables::migrate(&self.database)?;
            self.ready.set(true);
        }
        Ok(())
    }

    /// The database that the collection stands on.
    pub fn database(&self) -> &D {
        &self.database
    }

    /// Performs a call: a read at once, a write inside a transaction. `Err` is a fault, and nothing was changed.
    pub fn perform(&self, message: &Message, moment: &Moment) -> Result<Answer, StoreError> {
        self.make_ready()?;
        if message.call.operation().row().access == Access::Write {
            let written = self.database.transaction(|| self.write(message, moment));
            match &written {
                Ok(answer) if answer.is_success() => {}
                // A refused write may have set a revision, but has added and removed nothing.
                Ok(_) => self.newest.revision.set(None),
                Err(_) => self.newest.forget(),
            }
            return written;
        }
        let before = self.database.rows_read();
        let size = &self.newest.size;
        let Performed { page, by_index } = match &message.call {
            Call::Query(query) => query::page(&self.database, size, query, Tail::First)?,
            Call::QuerySorted(query) => query::page(&self.database, size, query, Tail::Nothing)?,
            Call::Exists(query) => query::exists(&self.database, size, query)?,
            Call::Search(search) => search::page(&self.database, size, search)?,
            Call::GetByKey { key } => self.read(By::Key(key))?,
            Call::GetById { id } => self.read(By::Id(id))?,
            other => return Err(StoreError(format!("{} is not a read", other.operation().row().name))),
        };
        let query =
            by_index.map(|by_index| QueryCost { rows_read: self.database.rows_read() - before, by_index });
        // The one place where a text that passed through becomes part of a reply.
        let reply = match page {
            Page::Text(text) => Reply::Page(self.database.string_of(text)),
            Page::Resource(reply, body) => {
                Reply::Resource(ResourceReply { body: self.database.string_of(body), ..reply })
            }
            Page::Reply(reply) => reply,
        };
        Ok(Answer { reply, replayed: false, query })
    }

    fn read(&self, by: By<'_>) -> Result<Performed<D>, StoreError> {
        Ok(match records::passing(&self.database, by)? {
            Some((id, revision, body)) => {
                let reply = ResourceReply {
                    outcome: Outcome::Done,
                    id,
                    revision,
                    newest: revision,
                    body: String::new(),
                };
                Performed { page: Page::Resource(reply, body), by_index: None }
            }
            None => not_found(&self.database, &self.newest, by)?.into(),
        })
    }

    fn write(&self, message: &Message, moment: &Moment) -> Result<Answer, StoreError> {
        if let Some(idempotency) = &message.terms.idempotency
            && let Some(reply) = replay::recall(&self.database, idempotency, moment.now)?
        {
            let replayed =
                !matches!(&reply, Reply::Error(error) if error.code() == Code::IdempotencyKeyReused);
            return Ok(Answer { reply, replayed, query: None });
        }
        self.remember_name(&message.project)?;
        let reply = write::perform(&self.database, &self.newest, message, moment)?;
        if let Some(idempotency) = &message.terms.idempotency {
            replay::remember(&self.database, idempotency, &reply, moment.now)?;
        }
        Ok(Answer { reply, replayed: false, query: None })
    }

    /// Keeps the project's key, which names its entries in KV when only the alarm is there to ask.
    fn remember_name(&self, project: &str) -> Result<(), StoreError> {
        if self.name()?.is_some() {
            return Ok(());
        }
        self.database.execute("INSERT INTO meta(name, value) VALUES('project', ?)", &[Bind::Text(project)])
    }

    /// The project's key; `None` before its first write.
    fn name(&self) -> Result<Option<&str>, StoreError> {
        if let Some(name) = self.name.get() {
            return Ok(Some(name));
        }
        let stored =
            self.database.first("SELECT value FROM meta WHERE name = 'project'", &[], |row| row.text(0))?;
        Ok(stored.map(|name| self.name.get_or_init(|| name).as_str()))
    }

    /// The entries of KV that are due to be told, the longest due first; at most `limit`.
    pub fn due(&self, now: Millis, limit: u32) -> Result<Vec<Due>, StoreError> {
        self.make_ready()?;
        match self.name()? {
            Some(project) => outbox::due(&self.database, project, now, limit),
            None => Ok(Vec::new()),
        }
    }

    /// What to put for an entry that is due: the truth as it is now.
    pub fn put(&self, due: Due) -> Result<Put, StoreError> {
        outbox::put(&self.database, due)
    }

    /// Notes that a put succeeded.
    pub fn put_done(&self, put: &Put, now: Millis) -> Result<(), StoreError> {
        outbox::done(&self.database, put, now)
    }

    /// Notes that a put failed, or that nobody knows whether it did.
    pub fn put_failed(&self, put: &Put, now: Millis) -> Result<(), StoreError> {
        outbox::failed(&self.database, put, now)
    }

    /// The page of KV to list now for the slow sweep; `None` where none is due.
    pub fn sweep(&self, now: Millis) -> Result<Option<Sweep>, StoreError> {
        self.make_ready()?;
        match self.name()? {
            Some(project) => sweep::due(&self.database, project, now),
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
        self.database.transaction(|| sweep::compare(&self.database, sweep, page, cursor, now))
    }

    /// Begins the sweep anew in an hour, after a list that failed.
    pub fn sweep_failed(&self, now: Millis) -> Result<(), StoreError> {
        self.database.transaction(|| sweep::restart(&self.database, now))
    }

    /// When the next put is due; `None` where KV was told everything.
    pub fn next_due(&self) -> Result<Option<Millis>, StoreError> {
        self.make_ready()?;
        outbox::next_due(&self.database)
    }

    /// When the next page of the sweep is due; `None` before the first write.
    pub fn next_sweep(&self, now: Millis) -> Result<Option<Millis>, StoreError> {
        self.make_ready()?;
        self.name()?.map(|_| sweep::next(&self.database, now)).transpose()
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
