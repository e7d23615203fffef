//! The tables behind the queue: the rows of `outbox`, and the writes above the watermark.

use std::rc::Rc;

use crate::contract::kv::EntryKind;
use crate::project::replication::queue::{Accept, Begun, CONFIRM_MS, OutboxRow, Queue};
use crate::project::store::database::{Database, Result, binds};
use crate::util::time::Millis;

/// How many rows are read at once if the queue does not contain everything.
const BATCH: usize = 256;

pub(crate) fn entry_of(kind: EntryKind, project: &str, name: &str) -> Rc<str> {
    kind.entry(project, name).into()
}

/// Returns what an entry is of, and the ID or key in it: a project key has no colon.
pub(crate) fn kind_and_name(entry: &str) -> (EntryKind, &str) {
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

/// Records that the put that confirms an uncertain one begins: if the object ends now, this put is uncertain too.
pub(crate) fn begin_confirm<D: Database>(database: &D, begun: &Begun) -> Result<()> {
    if !begun.confirms {
        return Ok(());
    }
    let (kind, name) = kind_and_name(&begun.entry);
    database
        .execute("UPDATE outbox SET confirm = NULL WHERE kind = ? AND name = ?", &binds![kind as i64, name])
}

pub(crate) fn remove<D: Database>(database: &D, entry: &str) -> Result<()> {
    let (kind, name) = kind_and_name(entry);
    database.execute("DELETE FROM outbox WHERE kind = ? AND name = ?", &binds![kind as i64, name])
}

/// Reads outbox rows into the queue. Returns the last row if there may be more. A put of a row may be in flight until
/// the given time, unless the row waits to confirm an earlier put. A row that is due in more than [`CONFIRM_MS`], the
/// longest pause, is from before the clock was set back.
pub(crate) fn read_rows<D: Database>(
    database: &D,
    queue: &mut Queue,
    project: &str,
    after: &(i64, String),
    until: Millis,
    now: Millis,
) -> Result<Option<(i64, String)>> {
    let sql = "SELECT kind, name, revision, due, attempts, confirm FROM outbox WHERE (kind, name) > (?, ?) \
               ORDER BY kind, name LIMIT ?";
    let latest = now + CONFIRM_MS;
    let binds = binds![after.0, &after.1, BATCH];
    let rows = database.rows(sql, &binds, |row| {
        let attempts = u32::try_from(row.integer(4)?).ok()?;
        let stored = OutboxRow { revision: row.unsigned(2)?, attempts, confirm: row.unsigned(5) };
        Some((row.integer(0)?, row.text(1)?, stored, row.unsigned(3)?))
    })?;
    let end = rows.last().filter(|_| rows.len() == BATCH).map(|(kind, name, ..)| (*kind, name.clone()));
    for (kind, name, mut row, due) in rows {
        let kind = if kind == EntryKind::Key as i64 { EntryKind::Key } else { EntryKind::Resource };
        let only_confirms = row.attempts == 0 && row.confirm == Some(due);
        let due = if due > latest && !only_confirms { now } else { due.min(latest) };
        row.confirm = row.confirm.map(|at| at.min(latest));
        let entry = entry_of(kind, project, &name);
        queue.load(&entry, row, due);
        if !only_confirms {
            queue.doubt(&entry, until);
        }
    }
    Ok(end)
}

/// Reads writes above the revision into the queue. If there may be more, returns the revision up to which the queue has
/// all. Puts of these writes may be in flight until the given time.
pub(crate) fn read_writes<D: Database>(
    database: &D,
    queue: &mut Queue,
    project: &str,
    after: Millis,
    until: Millis,
) -> Result<Option<Millis>> {
    let sql = "SELECT revision, id, key FROM resource WHERE revision > ?1 \
               UNION ALL SELECT revision, id, NULL FROM tombstone WHERE revision > ?1 ORDER BY revision LIMIT ?2";
    let binds = binds![after, BATCH];
    let rows = database.rows(sql, &binds, |row| Some((row.unsigned(0)?, row.text(1)?, row.text(2))))?;
    let end = rows.last().filter(|_| rows.len() == BATCH).map(|(revision, ..)| *revision);
    for (revision, id, key) in rows {
        let key = key.map(|key| (EntryKind::Key, key));
        for (kind, name) in key.into_iter().chain([(EntryKind::Resource, id)]) {
            let entry = entry_of(kind, project, &name);
            // A row may already have added an earlier write of the entry.
            if !queue.covers(&entry, revision) {
                // `wants_more` ensured that there is room for a batch.
                queue.enqueue(&entry, revision, None, Accept::All);
            }
            queue.doubt(&entry, until);
        }
    }
    Ok(end)
}
