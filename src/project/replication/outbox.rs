//! The replication of writes to KV: the tables behind the queue in memory.
//!
//! Revisions strictly rise, so a restart finds what may still have to be replicated: the resources and tombstones above
//! the watermark. A row of the table `outbox` exists only for what revisions cannot show: a key that a resource no
//! longer has, a put that failed or may land late, or a difference that the sweep found.

mod rows;

use core::cell::RefCell;
use std::rc::Rc;

use crate::contract::kv::{EntryKind, Metadata, TOMBSTONE_SECONDS};
use crate::util::time::Millis;

use self::rows::{begin_confirm, entry, name, read_rows, read_writes, store};
pub(crate) use self::rows::{record_difference, record_lost_key};
use super::queue::{Accept, Begun, CONFIRM_MS, Lane, OutboxRow, Queue, Settled, State};
use crate::project::store::database::{Bind, Database, Result, StoreError, binds};
use crate::project::store::meta;
use crate::project::store::records::{self, By, Contents};

/// How long the alarm waits. It drains only the entries that a crash left.
pub(crate) const ALARM_MS: Millis = 5_000;
/// How long a write may wait for its put before plain reads no longer use KV (D33).
const BEHIND_MS: Millis = 5_000;
/// The maximum number of puts in a batch, and of bytes of their values that allow another put.
const BATCH: usize = 64;
const BATCH_BYTES: usize = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    pub entry: Rc<str>,
    /// The value: a record's body, the ID that a key points to, or nothing for a tombstone.
    pub value: String,
    pub metadata: Metadata,
    /// After how many seconds the entry expires; `None` if never.
    pub ttl_seconds: Option<u32>,
    kind: EntryKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    Put(Put),
    /// Ask again at that time, or earlier if a put ends.
    Wait(Millis),
    /// Ask again after a put ended or a write committed.
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Committed {
    pub(crate) revision: Millis,
    pub(crate) id: String,
    pub(crate) state: State,
    /// A key that now points to the resource.
    pub(crate) gained: Option<String>,
    /// A key that no longer points to it. Its outbox row is in the write's transaction.
    pub(crate) lost: Option<String>,
    /// How many resources the write added: 1, 0, or -1.
    pub(crate) added: i64,
    /// What the written resource contains; nothing after a delete.
    pub(crate) contents: Contents,
}

/// The queue, and how far the tables were read into it.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    queue: RefCell<Queue>,
    place: RefCell<TablePosition>,
}

#[derive(Debug, Default)]
struct TablePosition {
    /// Writes above this revision may be missing in the queue; `None` if it has all.
    read_to: Option<Millis>,
    /// Outbox rows after this one may be missing in the queue; `None` if it has all.
    rows_after: Option<(i64, String)>,
    watermark: Millis,
    /// Until when puts that an earlier instance left in flight may land over newer ones; `None` if there are none.
    /// Everything that it may have been putting is put again after that.
    doubt_until: Option<Millis>,
}

impl Outbox {
    /// Sets where a start continues to read: above the watermark, and at the first outbox row. There is nothing to read
    /// if every write up to `newest` is replicated.
    pub(crate) fn start<D: Database>(&self, database: &D, watermark: Millis, newest: Millis) -> Result<()> {
        let sql = "SELECT max(attempts) AS attempts FROM outbox";
        let attempts = database.first(sql, &[], |row| Some(row.integer(0)))?.flatten();
        if let Some(attempts) = attempts {
            self.queue.borrow_mut().start(u32::try_from(attempts).unwrap_or(u32::MAX));
        }
        let (has_rows, is_behind) = (attempts.is_some(), newest > watermark);
        self.place.replace(TablePosition {
            read_to: is_behind.then_some(watermark),
            rows_after: has_rows.then(|| (-1, String::new())),
            watermark,
            // The first drain knows the time.
            doubt_until: (has_rows || is_behind).then_some(Millis::MAX),
        });
        Ok(())
    }

    pub(crate) fn enqueue(&self, project: &str, committed: Committed) {
        let Committed { revision, id, state, gained, lost, .. } = committed;
        let mut queue = self.queue.borrow_mut();
        let mut place = self.place.borrow_mut();
        let accept = if place.read_to.is_some() { Accept::Known } else { Accept::All };
        let mut queued = true;
        if let Some(key) = &gained {
            let state = Some(State::Pointer { id: id.clone() });
            queued &=
                queue.enqueue(EntryKind::Key, &entry(EntryKind::Key, project, key), revision, state, accept);
        }
        queued &= queue.enqueue(
            EntryKind::Resource,
            &entry(EntryKind::Resource, project, &id),
            revision,
            Some(state),
            accept,
        );
        if !queued {
            place.read_to.get_or_insert(revision - 1);
        }
        let Some(key) = lost else { return };
        let name = entry(EntryKind::Key, project, &key);
        if queue.enqueue(EntryKind::Key, &name, revision, Some(State::Deleted), accept) {
            queue.set_row(&name, OutboxRow { revision, attempts: 0, confirm: None });
        } else {
            place.rows_after = Some((-1, String::new()));
        }
    }

    /// Reads the rows again after a sweep added some.
    pub(crate) fn reread_rows(&self) {
        self.place.borrow_mut().rows_after = Some((-1, String::new()));
    }

    /// Reads writes above the revision from the tables, and the rows again, after an import wrote them.
    pub(crate) fn read_from(&self, revision: Millis) {
        self.place.borrow_mut().read_to.get_or_insert(revision);
        self.reread_rows();
    }

    /// Returns how many entries wait for KV or are being put, and the oldest revision among them: in the queue, and in
    /// the tables beyond the rows that the queue has read. An entry that both have may count twice. Excludes entries
    /// that are only put again to confirm.
    pub(crate) fn backlog<D: Database>(&self, database: &D) -> Result<(u64, Option<Millis>)> {
        let (queued, mut oldest) = self.queue.borrow().backlog();
        let mut entries = queued as u64;
        let place = self.place.borrow();
        let mut add = |sql: &str, binds: &[Bind<'_>]| {
            let counted = database.first(sql, binds, |row| Some((row.unsigned(0)?, row.unsigned(1))))?;
            let (more, revision) = counted.unwrap_or_default();
            entries += more;
            oldest = oldest.into_iter().chain(revision).min();
            Ok::<_, StoreError>(())
        };
        if let Some(revision) = place.read_to {
            let sql = "SELECT count(*) AS entries, min(revision) AS oldest FROM (SELECT revision FROM resource \
                       WHERE revision > ?1 UNION ALL SELECT revision FROM tombstone WHERE revision > ?1)";
            add(sql, &binds![revision])?;
        }
        if let Some((kind, name)) = &place.rows_after {
            let sql = "SELECT count(*) AS entries, min(revision) AS oldest FROM outbox WHERE (kind, name) > (?, ?) \
                       AND (attempts > 0 OR confirm IS NOT due)";
            add(sql, &binds![*kind, name])?;
        }
        Ok((entries, oldest))
    }

    /// Returns the revision up to which every write is in KV, or has an outbox row because its put failed. `newest` is
    /// the project's newest revision.
    pub(crate) fn replicated(&self, newest: Millis) -> Millis {
        let place = self.place.borrow();
        self.queue.borrow().replicated(place.read_to.unwrap_or(newest)).max(place.watermark)
    }

    /// Returns whether plain reads must not use KV: it refuses puts, or a write waits too long for its put (D33).
    pub(crate) fn is_behind<D: Database>(&self, database: &D, now: Millis) -> Result<bool> {
        let (_, oldest) = self.backlog(database)?;
        Ok(self.queue.borrow().is_refused() || oldest.is_some_and(|revision| revision + BEHIND_MS < now))
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.queue.borrow().is_busy()
    }

    /// Returns whether the entry already waits for its put, so that a difference in KV is expected.
    pub(crate) fn contains(&self, entry: &str, revision: Option<Millis>) -> bool {
        let read_to = self.place.borrow().read_to;
        let unread = read_to.zip(revision).is_some_and(|(read_to, revision)| revision > read_to);
        unread || self.queue.borrow().covers(entry, 0)
    }

    pub(crate) fn next<D: Database>(&self, database: &D, project: &str, now: Millis) -> Result<Next> {
        self.queue.borrow_mut().follow_clock(now);
        self.read(database, project, now)?;
        if let Some(put) = self.begin(database, Lane::Own, now)? {
            return Ok(Next::Put(put));
        }
        let due = self.queue.borrow_mut().next_due(now).filter(|at| *at > now);
        Ok(due.map_or(Next::Nothing, Next::Wait))
    }

    /// Returns the next puts of a helper, if at least `many` entries only wait for a connection.
    pub(crate) fn next_batch<D: Database>(
        &self,
        database: &D,
        project: &str,
        many: usize,
        now: Millis,
    ) -> Result<Vec<Put>> {
        let (mut puts, mut bytes) = (Vec::new(), 0);
        self.read(database, project, now)?;
        if !self.queue.borrow().has_many(many) {
            return Ok(puts);
        }
        while puts.len() < BATCH && bytes < BATCH_BYTES {
            match self.begin(database, Lane::Helper, now) {
                Ok(Some(put)) => {
                    bytes += put.value.len();
                    puts.push(put);
                }
                Err(error) if puts.is_empty() => return Err(error),
                // After a fault the entry is due again soon. If the fault remains, that attempt reports it.
                Ok(None) | Err(_) => break,
            }
        }
        Ok(puts)
    }

    fn begin<D: Database>(&self, database: &D, lane: Lane, now: Millis) -> Result<Option<Put>> {
        let mut queue = self.queue.borrow_mut();
        let Some(begun) = queue.begin(now, lane) else { return Ok(None) };
        let entry = Rc::clone(&begun.entry);
        let put = begin_confirm(database, &begun).and_then(|()| put(database, begun));
        if put.is_err() {
            queue.put_back(&entry, now);
        }
        put.map(Some)
    }

    pub(crate) fn done<D: Database>(&self, database: &D, put: &Put, now: Millis) -> Result<()> {
        self.queue.borrow_mut().follow_clock(now);
        let settled = self.queue.borrow_mut().succeeded(&put.entry, now);
        let row = match settled {
            None => return Ok(()),
            Some(Settled::Confirm(row, due)) => {
                store(database, put.kind, name(&put.entry), row, due)?;
                self.queue.borrow_mut().set_row(&put.entry, row);
                return Ok(());
            }
            Some(Settled::Done(row)) => row,
        };
        let deleted = database.execute(
            "DELETE FROM outbox WHERE kind = ? AND name = ?",
            &binds![put.kind as i64, name(&put.entry)],
        );
        if deleted.is_err() {
            self.queue.borrow_mut().load(put.kind, &put.entry, row, now + ALARM_MS);
        }
        deleted
    }

    /// Records that a put failed, or that its outcome is unknown.
    pub(crate) fn failed<D: Database>(&self, database: &D, put: &Put, now: Millis) -> Result<()> {
        self.queue.borrow_mut().follow_clock(now);
        let Some((row, due)) = self.queue.borrow_mut().failed(&put.entry, now) else { return Ok(()) };
        store(database, put.kind, name(&put.entry), row, due)?;
        self.queue.borrow_mut().set_row(&put.entry, row);
        Ok(())
    }

    /// Returns when the next put is due; `None` if KV has everything.
    pub(crate) fn next_due(&self, now: Millis) -> Option<Millis> {
        let place = self.place.borrow();
        let mut queue = self.queue.borrow_mut();
        queue.follow_clock(now);
        let unread = place.read_to.is_some() || place.rows_after.is_some();
        let due = queue.next_due(now).or_else(|| unread.then_some(now));
        due.or_else(|| (queue.in_flight() > 0).then_some(now + ALARM_MS))
    }

    /// Stores how far writes are replicated, if that is beyond the stored revision.
    pub(crate) fn advance<D: Database>(&self, database: &D, newest: Millis) -> Result<()> {
        let mut place = self.place.borrow_mut();
        let replicated = self.queue.borrow().replicated(place.read_to.unwrap_or(newest));
        if replicated <= place.watermark {
            return Ok(());
        }
        meta::set(database, meta::REPLICATED, replicated)?;
        place.watermark = replicated;
        Ok(())
    }

    /// Continues to read, if the queue has room.
    fn read<D: Database>(&self, database: &D, project: &str, now: Millis) -> Result<()> {
        let mut place = self.place.borrow_mut();
        // A later time is from before the clock was set back.
        place.doubt_until = place.doubt_until.map(|until| until.min(now + CONFIRM_MS));
        let until = place.doubt_until.unwrap_or(0);
        let mut queue = self.queue.borrow_mut();
        while queue.wants_more() {
            if let Some(after) = place.rows_after.take() {
                let rest = read_rows(database, &mut queue, project, &after, until, now);
                place.rows_after = rest.clone().unwrap_or(Some(after));
                rest?;
            } else if let Some(revision) = place.read_to {
                place.read_to = read_writes(database, &mut queue, project, revision, until)?;
            } else {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Completes a put. Loads the state from the tables if the queue has none.
fn put<D: Database>(database: &D, begun: Begun) -> Result<Put> {
    let Begun { entry, kind, revision, state, .. } = begun;
    let (revision, state) = match state {
        Some(state) => (revision, state),
        None => current(database, kind, name(&entry), revision)?,
    };
    let mut metadata = Metadata { version: None, revision, key: None, id: None, deleted: false };
    let value = match state {
        State::Resource { version, key, body } => {
            metadata.version = Some(version);
            metadata.key = key;
            body
        }
        State::Pointer { id } => {
            metadata.id = Some(id.clone());
            id
        }
        State::Deleted => {
            metadata.deleted = true;
            String::new()
        }
    };
    let ttl_seconds = metadata.deleted.then_some(TOMBSTONE_SECONDS);
    Ok(Put { entry, value, metadata, ttl_seconds, kind })
}

/// Returns the state of an entry in the source of truth. A tombstone has the given revision.
fn current<D: Database>(
    database: &D,
    kind: EntryKind,
    name: &str,
    revision: Millis,
) -> Result<(Millis, State)> {
    let by = match kind {
        EntryKind::Resource => By::Id(name),
        EntryKind::Key => By::Key(name),
    };
    Ok(match (records::raw(database, by)?, kind) {
        (None, _) => (revision, State::Deleted),
        (Some(raw), EntryKind::Key) => (raw.revision, State::Pointer { id: raw.id }),
        (Some(raw), EntryKind::Resource) => {
            (raw.revision, State::Resource { version: raw.version, key: raw.key, body: raw.body })
        }
    })
}
