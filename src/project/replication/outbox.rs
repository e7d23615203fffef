//! The replication of writes to KV: the tables behind the queue in memory.
//!
//! Revisions strictly rise, so a restart finds what may still have to be replicated: the resources and tombstones above
//! the watermark. A row of the table `outbox` exists only for what revisions cannot show: a key that a resource no
//! longer has, a put that failed or may land late, or a difference that the sweep found.

use std::rc::Rc;

use crate::contract::kv::{EntryKind, Metadata, TOMBSTONE_SECONDS};
use crate::util::time::Millis;

use super::queue::{Accept, Begun, CONFIRM_MS, OutboxRow, Queue};
use super::tasks::Put;
use crate::project::store::database::{Database, Result, Row, binds};
use crate::project::store::log::{LogEntry, LogReader};
use crate::project::store::records::By;
use crate::project::store::totals::Contents;

/// How long the alarm waits. It drains only the entries that a crash left.
pub(crate) const ALARM_MS: Millis = 5_000;
/// How long a write may wait for its put before plain reads no longer use KV (D33).
const BEHIND_MS: Millis = 5_000;

/// How many rows are read at once if the queue does not contain everything.
const READ: usize = 256;

#[derive(Debug)]
pub(crate) struct Committed {
    pub(crate) revision: Millis,
    pub(crate) id: String,
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
    pub(super) queue: Queue,
    /// Writes above this revision may be missing in the queue; `None` if it has all.
    read_to: Option<Millis>,
    /// Outbox rows after this one may be missing in the queue; `None` if it has all.
    rows_after: Option<(i64, String)>,
    /// The stored revision up to which writes are replicated.
    pub(super) watermark: Millis,
    /// Until when puts that an earlier instance left in flight may land over newer ones; 0 if there are none.
    /// Everything that it may have been putting is put again after that.
    doubt_until: Millis,
}

impl Outbox {
    /// Continues to read where an earlier instance ended: above the watermark, and at the first outbox row. There is
    /// nothing to read if every write up to `newest` is replicated.
    pub(crate) fn start<D: Database>(database: &D, watermark: Millis, newest: Millis) -> Result<Self> {
        let sql = "SELECT max(attempts) AS attempts FROM outbox";
        let attempts = database.first(sql, &[], |row| Some(row.integer(0)))?.flatten();
        let (has_rows, is_behind) = (attempts.is_some(), newest > watermark);
        Ok(Self {
            queue: Queue::start(attempts.map_or(0, |attempts| u32::try_from(attempts).unwrap_or(u32::MAX))),
            read_to: is_behind.then_some(watermark),
            rows_after: has_rows.then(before_all_rows),
            watermark,
            // The first drain knows the time.
            doubt_until: if has_rows || is_behind { Millis::MAX } else { 0 },
        })
    }

    pub(crate) fn enqueue(&mut self, project: &str, committed: Committed, now: Millis) {
        let Committed { revision, id, gained, lost, .. } = committed;
        let was_read = self.is_read();
        let Self { queue, read_to, rows_after, .. } = self;
        queue.follow_clock(now);
        let accept = if read_to.is_some() { Accept::Known } else { Accept::All };
        let mut add = |kind, name: &str| {
            let entry = entry_of(kind, project, name);
            queue.enqueue(&entry, revision, now, accept).then_some(entry)
        };
        let pointer = gained.is_none_or(|key| add(EntryKind::Key, &key).is_some());
        if add(EntryKind::Resource, &id).is_none() || !pointer {
            read_to.get_or_insert(revision - 1);
        }
        if let Some(key) = lost {
            match add(EntryKind::Key, &key) {
                Some(entry) => queue.set_row(&entry, OutboxRow { revision, attempts: 0, confirm: None }),
                None => *rows_after = Some(before_all_rows()),
            }
        }
        self.wait_since(was_read, now);
    }

    /// Reads the rows again after a sweep added some.
    pub(crate) fn reread_rows(&mut self) {
        self.rows_after = Some(before_all_rows());
    }

    /// Reads writes above the revision from the tables, and the rows again, after an import wrote them.
    pub(crate) fn read_from(&mut self, revision: Millis, now: Millis) {
        let was_read = self.is_read();
        self.queue.follow_clock(now);
        self.read_to.get_or_insert(revision);
        self.reread_rows();
        self.wait_since(was_read, now);
    }

    /// Returns whether the queue has everything.
    fn is_read(&self) -> bool {
        self.read_to.is_none() && self.rows_after.is_none()
    }

    /// Notes since when there are writes to read, if there were none before.
    fn wait_since(&mut self, was_read: bool, now: Millis) {
        if was_read && !self.is_read() {
            self.queue.unread_since = Some(now);
        }
    }

    /// Returns since when a write waits that has to be read. If an earlier instance of the object performed it, its
    /// revision is the best guess. A revision ahead of the clock was no time: then the write waits too long.
    fn since(&self, revision: Millis, now: Millis) -> Millis {
        let guess = if revision > now { now.saturating_sub(BEHIND_MS + 1) } else { revision };
        self.queue.unread_since.unwrap_or(guess)
    }

    /// Returns how many entries wait for KV or are being put, and since when the oldest of them does: in the queue, and
    /// in the tables beyond the rows that the queue has read. An entry that both have may count twice. Excludes entries
    /// that are only put again to confirm.
    pub(crate) fn backlog<D: Database>(
        &mut self,
        database: &D,
        now: Millis,
    ) -> Result<(u64, Option<Millis>)> {
        self.queue.follow_clock(now);
        let (queued, mut oldest) = self.queue.backlog();
        let mut entries = queued as u64;
        let mut add = |(more, revisions): (u64, Option<(Millis, Millis)>)| {
            entries += more;
            let since = revisions.map(|(first, last)| self.since(first, now).min(self.since(last, now)));
            oldest = oldest.into_iter().chain(since).min();
        };
        if let Some(revision) = self.read_to {
            add(LogReader::after(revision).rest(database)?);
        }
        if let Some((kind, name)) = &self.rows_after {
            let sql = "SELECT count(*) AS entries, min(revision) AS first, max(revision) AS last FROM outbox \
                       WHERE (kind, name) > (?, ?) AND (attempts > 0 OR confirm IS NOT due)";
            let read = |row: &dyn Row| Some((row.unsigned(0)?, row.unsigned(1).zip(row.unsigned(2))));
            add(database.first(sql, &binds![*kind, name], read)?.unwrap_or_default());
        }
        Ok((entries, oldest))
    }

    /// Returns the revision up to which every write is in KV, or has an outbox row because its put failed. `newest` is
    /// the project's newest revision.
    pub(crate) fn replicated(&self, newest: Millis) -> Millis {
        self.queue.replicated(self.read_to.unwrap_or(newest)).max(self.watermark)
    }

    /// Returns whether plain reads must not use KV: it refuses puts, or a write waits too long for its put (D33).
    pub(crate) fn is_behind<D: Database>(&mut self, database: &D, now: Millis) -> Result<bool> {
        let (_, oldest) = self.backlog(database, now)?;
        Ok(self.queue.is_refused() || oldest.is_some_and(|since| since + BEHIND_MS < now))
    }

    /// Returns whether the entry already waits for its put, so that a difference in KV is expected.
    pub(crate) fn contains(&self, entry: &str, revision: Option<Millis>) -> bool {
        let unread = self.read_to.zip(revision).is_some_and(|(read_to, revision)| revision > read_to);
        unread || self.queue.covers(entry, 0)
    }

    /// Returns when the next put is due; `None` if KV has everything.
    pub(super) fn next_due(&mut self, now: Millis) -> Option<Millis> {
        self.queue.follow_clock(now);
        self.next_begin(now).or_else(|| (self.queue.in_flight() > 0).then_some(now + ALARM_MS))
    }

    /// Returns when the next put may begin, or what waits may be read; `None` if nothing waits but puts in flight.
    pub(super) fn next_begin(&mut self, now: Millis) -> Option<Millis> {
        let readable = if self.queue.wants_more() { Some(now) } else { self.queue.room_at() };
        let unread = readable.filter(|_| !self.is_read());
        self.queue.next_due(now).into_iter().chain(unread).min()
    }

    /// Continues to read, if the queue has room. Puts of what it reads may be in flight until `doubt_until`.
    pub(super) fn read<D: Database>(&mut self, database: &D, project: &str, now: Millis) -> Result<()> {
        self.queue.follow_clock(now);
        self.queue.remove_idle(now);
        // A later time is from before the clock was set back.
        self.doubt_until = self.doubt_until.min(now + CONFIRM_MS);
        while self.queue.wants_more() {
            match (&self.rows_after, self.read_to) {
                (Some(_), _) => self.read_rows(database, project, now)?,
                (None, Some(_)) => self.read_writes(database, project, now)?,
                (None, None) => break,
            }
        }
        if self.is_read() {
            self.queue.unread_since = None;
        }
        Ok(())
    }

    /// Reads the next outbox rows into the queue. A put of a row may be in flight, unless the row waits to confirm an
    /// earlier put. A row that is due in more than [`CONFIRM_MS`], the longest pause, is from before the clock was set
    /// back.
    fn read_rows<D: Database>(&mut self, database: &D, project: &str, now: Millis) -> Result<()> {
        let Some((kind, name)) = &self.rows_after else { return Ok(()) };
        let sql = "SELECT kind, name, revision, due, attempts, confirm FROM outbox WHERE (kind, name) > (?, ?) \
                   ORDER BY kind, name LIMIT ?";
        let latest = now + CONFIRM_MS;
        let rows = database.rows(sql, &binds![*kind, name, READ], |row| {
            let attempts = u32::try_from(row.integer(4)?).ok()?;
            let stored = OutboxRow { revision: row.unsigned(2)?, attempts, confirm: row.unsigned(5) };
            Some((row.integer(0)?, row.text(1)?, stored, row.unsigned(3)?))
        })?;
        let last = rows.last().filter(|_| rows.len() == READ);
        self.rows_after = last.map(|(kind, name, ..)| (*kind, name.clone()));
        for (kind, name, mut row, due) in rows {
            let kind = if kind == EntryKind::Key as i64 { EntryKind::Key } else { EntryKind::Resource };
            let only_confirms = row.attempts == 0 && row.confirm == Some(due);
            let due = if due > latest && !only_confirms { now } else { due.min(latest) };
            row.confirm = row.confirm.map(|at| at.min(latest));
            let entry = entry_of(kind, project, &name);
            // KV has the state of an entry that only confirms.
            let since = if only_confirms { due } else { self.since(row.revision, now) };
            self.queue.load(&entry, row, since, due);
            if !only_confirms {
                self.queue.doubt(&entry, self.doubt_until);
            }
        }
        Ok(())
    }

    /// Reads the next writes into the queue.
    fn read_writes<D: Database>(&mut self, database: &D, project: &str, now: Millis) -> Result<()> {
        let Some(after) = self.read_to else { return Ok(()) };
        let entries = LogReader::after(after).entries(database, READ)?;
        self.read_to = entries.last().filter(|_| entries.len() == READ).map(|entry| entry.revision);
        for LogEntry { revision, id, key, .. } in entries {
            let since = self.since(revision, now);
            let key = key.map(|key| (EntryKind::Key, key));
            for (kind, name) in key.into_iter().chain([(EntryKind::Resource, id)]) {
                let entry = entry_of(kind, project, &name);
                // A row may already have added an earlier write of the entry.
                if !self.queue.covers(&entry, revision) {
                    // `wants_more` ensured that there is room for a batch.
                    self.queue.enqueue(&entry, revision, since, Accept::All);
                }
                self.queue.doubt(&entry, self.doubt_until);
            }
        }
        Ok(())
    }
}

fn entry_of(kind: EntryKind, project: &str, name: &str) -> Rc<str> {
    kind.entry(project, name).into()
}

/// Returns what an entry is of, and the ID or key in it: a project key has no colon.
fn kind_and_name(entry: &str) -> (EntryKind, &str) {
    let is_key = entry.starts_with(EntryKind::Key.name());
    let kind = if is_key { EntryKind::Key } else { EntryKind::Resource };
    (kind, entry.splitn(3, ':').nth(2).unwrap_or_default())
}

/// Adds a row for a key that a write removed from a resource. If there is a row, a put of it may be in flight.
pub(crate) fn record_lost_key<D: Database>(
    database: &D,
    key: &str,
    revision: Millis,
    now: Millis,
) -> Result<()> {
    database.execute(
        "INSERT INTO outbox(kind, name, revision, due, attempts) VALUES(?1, ?2, ?3, ?4, 0) \
         ON CONFLICT(kind, name) DO UPDATE SET revision = ?3, due = ?4, attempts = 0, confirm = ?5",
        &binds![EntryKind::Key as i64, key, revision, now, now + CONFIRM_MS],
    )
}

pub(crate) fn store<D: Database>(database: &D, entry: &str, row: OutboxRow, due: Millis) -> Result<()> {
    let (kind, name) = kind_and_name(entry);
    database.execute(
        "INSERT INTO outbox(kind, name, revision, due, attempts, confirm) VALUES(?, ?, ?, ?, ?, ?) \
         ON CONFLICT(kind, name) DO UPDATE SET revision = excluded.revision, due = excluded.due, \
         attempts = excluded.attempts, confirm = coalesce(excluded.confirm, confirm)",
        &binds![kind as i64, name, row.revision, due, row.attempts, row.confirm],
    )
}

/// Adds a row for an entry that differs from the source of truth, unless it has one.
pub(crate) fn record_difference<D: Database>(
    database: &D,
    entry: &str,
    revision: Millis,
    now: Millis,
) -> Result<()> {
    let (kind, name) = kind_and_name(entry);
    database.execute(
        "INSERT OR IGNORE INTO outbox(kind, name, revision, due, attempts) VALUES(?, ?, ?, ?, 0)",
        &binds![kind as i64, name, revision, now],
    )
}

pub(crate) fn remove<D: Database>(database: &D, entry: &str) -> Result<()> {
    let (kind, name) = kind_and_name(entry);
    database.execute("DELETE FROM outbox WHERE kind = ? AND name = ?", &binds![kind as i64, name])
}

/// Returns the place before the first outbox row.
fn before_all_rows() -> (i64, String) {
    (-1, String::new())
}

/// Completes a put with what the source of truth has of its entry. A tombstone has the revision of the entry.
pub(super) fn complete<D: Database>(database: &D, begun: Begun) -> Result<Put> {
    let Begun { entry, revision, confirms } = begun;
    let (kind, name) = kind_and_name(&entry);
    if confirms {
        // If the object ends now, the put that confirms an uncertain one is uncertain too.
        let sql = "UPDATE outbox SET confirm = NULL WHERE kind = ? AND name = ?";
        database.execute(sql, &binds![kind as i64, name])?;
    }
    let (by, columns) = match kind {
        EntryKind::Resource => (By::Id(name), "revision, body, version, key, NULL"),
        EntryKind::Key => (By::Key(name), "revision, id, NULL, NULL, id"),
    };
    let (sql, binds) = by.select(columns);
    let found = database.first(&sql, &binds, |row| {
        let (revision, version, key, id) = (row.unsigned(0)?, row.unsigned(2), row.text(3), row.text(4));
        Some((row.text(1)?, Metadata { version, revision, key, id, deleted: false }))
    })?;
    let deleted = Metadata { version: None, revision, key: None, id: None, deleted: true };
    let (value, metadata) = found.unwrap_or_else(|| (String::new(), deleted));
    let ttl_seconds = metadata.deleted.then_some(TOMBSTONE_SECONDS);
    Ok(Put { entry, value, metadata, ttl_seconds })
}
