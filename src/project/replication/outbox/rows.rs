//! The tables behind the queue: the rows of `outbox`, and the writes above the watermark.

use std::rc::Rc;

use crate::contract::kv::EntryKind;
use crate::project::replication::queue::{Accept, Begun, CONFIRM_MS, OutboxRow, Queue};
use crate::project::store::database::{Bind, Database, StoreError, unexpected};
use crate::project::store::records::millis;
use crate::util::time::Millis;

/// How many rows are read at once if the queue does not contain everything.
const BATCH: usize = 256;

pub(crate) fn number(kind: EntryKind) -> i64 {
    match kind {
        EntryKind::Resource => 0,
        EntryKind::Key => 1,
    }
}

fn kind(number: i64) -> EntryKind {
    if number == 0 { EntryKind::Resource } else { EntryKind::Key }
}

pub(crate) fn entry(kind: EntryKind, project: &str, name: &str) -> Rc<str> {
    kind.entry(project, name).into()
}

/// Adds a row for a key that a write removed from a resource. If there is a row, a put of it may be in flight.
pub(crate) fn record_lost_key<D: Database>(
    database: &D,
    key: &str,
    revision: Millis,
    now: Millis,
) -> Result<(), StoreError> {
    database.execute(
        "INSERT INTO outbox(kind, name, revision, due, attempts) VALUES(?1, ?2, ?3, ?4, 0) \
         ON CONFLICT(kind, name) DO UPDATE SET revision = ?3, due = ?4, attempts = 0, confirm = ?5",
        &[
            Bind::Integer(number(EntryKind::Key)),
            Bind::Text(key),
            Bind::Integer(revision as i64),
            Bind::Integer(now as i64),
            Bind::Integer((now + CONFIRM_MS) as i64),
        ],
    )
}

pub(crate) fn store<D: Database>(
    database: &D,
    kind: EntryKind,
    name: &str,
    row: OutboxRow,
    due: Millis,
) -> Result<(), StoreError> {
    database.execute(
        "INSERT INTO outbox(kind, name, revision, due, attempts, confirm) VALUES(?, ?, ?, ?, ?, ?) \
         ON CONFLICT(kind, name) DO UPDATE SET revision = excluded.revision, due = excluded.due, \
         attempts = excluded.attempts, confirm = coalesce(excluded.confirm, confirm)",
        &[
            Bind::Integer(number(kind)),
            Bind::Text(name),
            Bind::Integer(row.revision as i64),
            Bind::Integer(due as i64),
            Bind::Integer(i64::from(row.attempts)),
            row.confirm.map_or(Bind::Null, |confirm| Bind::Integer(confirm as i64)),
        ],
    )
}

/// Adds a row for an entry that differs from the source of truth, unless it has one.
pub(crate) fn record_difference<D: Database>(
    database: &D,
    kind: EntryKind,
    name: &str,
    revision: Millis,
    now: Millis,
) -> Result<(), StoreError> {
    database.execute(
        "INSERT OR IGNORE INTO outbox(kind, name, revision, due, attempts) VALUES(?, ?, ?, ?, 0)",
        &[
            Bind::Integer(number(kind)),
            Bind::Text(name),
            Bind::Integer(revision as i64),
            Bind::Integer(now as i64),
        ],
    )
}

/// Records that the put that confirms an uncertain one begins: if the object ends now, this put is uncertain too.
pub(crate) fn begin_confirm<D: Database>(database: &D, begun: &Begun) -> Result<(), StoreError> {
    if !begun.confirms {
        return Ok(());
    }
    database.execute(
        "UPDATE outbox SET confirm = NULL WHERE kind = ? AND name = ?",
        &[Bind::Integer(number(begun.kind)), Bind::Text(name(&begun.entry))],
    )
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
) -> Result<Option<(i64, String)>, StoreError> {
    let sql = "SELECT kind, name, revision, due, attempts, confirm FROM outbox WHERE (kind, name) > (?, ?) \
               ORDER BY kind, name LIMIT ?";
    let latest = now + CONFIRM_MS;
    let (mut count, mut last) = (0, None);
    database.query(
        sql,
        &[Bind::Integer(after.0), Bind::Text(&after.1), Bind::Integer(BATCH as i64)],
        &mut |row| {
            let read =
                || Some((row.integer(0)?, row.text(1)?, millis(row, 2)?, millis(row, 3)?, row.integer(4)?));
            let (number, name, revision, due, attempts) = read().ok_or_else(|| unexpected(sql))?;
            let attempts = u32::try_from(attempts).map_err(|_| unexpected(sql))?;
            let kind = kind(number);
            let confirm = millis(row, 5);
            let only_confirms = attempts == 0 && confirm == Some(due);
            let due = if due > latest && !only_confirms { now } else { due.min(latest) };
            let row = OutboxRow { revision, attempts, confirm: confirm.map(|at| at.min(latest)) };
            let entry = entry(kind, project, &name);
            if queue.load(kind, &entry, row, due) {
                last = Some((number, name));
            }
            if !only_confirms {
                queue.doubt(&entry, until);
            }
            count += 1;
            Ok(())
        },
    )?;
    Ok(last.filter(|_| count == BATCH))
}

/// Reads writes above the revision into the queue. If there may be more, returns the revision up to which the queue has
/// all. Puts of these writes may be in flight until the given time.
pub(crate) fn read_writes<D: Database>(
    database: &D,
    queue: &mut Queue,
    project: &str,
    after: Millis,
    until: Millis,
) -> Result<Option<Millis>, StoreError> {
    let mut found: Vec<(Millis, EntryKind, Rc<str>)> = Vec::new();
    let mut end: Option<Millis> = None;
    for sql in [
        "SELECT revision, id, key FROM resource WHERE revision > ? ORDER BY revision LIMIT ?",
        "SELECT revision, id FROM tombstone WHERE revision > ? ORDER BY revision LIMIT ?",
    ] {
        let (mut count, mut last) = (0, after);
        database.query(sql, &[Bind::Integer(after as i64), Bind::Integer(BATCH as i64)], &mut |row| {
            let read = || Some((millis(row, 0)?, row.text(1)?));
            let (revision, id) = read().ok_or_else(|| unexpected(sql))?;
            let at = found.partition_point(|(other, ..)| *other < revision);
            found.insert(at, (revision, EntryKind::Resource, entry(EntryKind::Resource, project, &id)));
            if let Some(key) = row.text(2) {
                found.insert(at, (revision, EntryKind::Key, entry(EntryKind::Key, project, &key)));
            }
            (count, last) = (count + 1, revision);
            Ok(())
        })?;
        if count == BATCH {
            end = Some(end.map_or(last, |end| end.min(last)));
        }
    }
    for (revision, kind, entry) in found {
        if end.is_none_or(|end| revision <= end) {
            // A row may already have added an earlier write of the entry.
            if !queue.covers(&entry, revision) {
                // `wants_more` ensured that there is room for a batch.
                queue.enqueue(kind, &entry, revision, None, Accept::All);
            }
            queue.doubt(&entry, until);
        }
    }
    Ok(end)
}

/// Returns the ID or key in a KV key: a project key has no colon.
pub(crate) fn name(entry: &str) -> &str {
    entry.splitn(3, ':').nth(2).unwrap_or_default()
}
