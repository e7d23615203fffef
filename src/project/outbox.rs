//! What KV has yet to be told. A row stands for a key of KV, not for a write: the truth is read when the put is made,
//! so any number of writes to one resource coalesce to the newest.

use crate::contract::kv::{Kind, Metadata, TOMBSTONE_SECONDS};
use crate::contract::time::Millis;

use super::database::{Bind, Database, StoreError};
use super::records::{self, By, millis};

/// How long the alarm waits for the ordinary drain, which begins as soon as a write is answered.
const ALARM_MS: Millis = 5_000;
/// How long after an uncertain put the key is put once more: the put may still land, over a newer one.
const CONFIRM_MS: Millis = 60_000;
/// The longest pause between two tries.
const BACKOFF_MAX_MS: Millis = 60_000;
/// An entry of KV that is due to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The key in KV.
    pub entry: String,
    kind: Kind,
    name: String,
    revision: Millis,
    /// Until when another put of the entry may still land late.
    confirm: Option<Millis>,
}

impl Due {
    /// The revision of the write that made it due.
    #[must_use]
    pub fn revision(&self) -> Millis {
        self.revision
    }
}

/// A put that KV should get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// What it answers to.
    pub due: Due,
    /// The value: a record's body, the id that a key names, or nothing for a tombstone.
    pub value: String,
    /// The metadata.
    pub metadata: Metadata,
    /// After how many seconds the entry goes; `None`: never.
    pub ttl_seconds: Option<u32>,
}

fn number(kind: Kind) -> i64 {
    match kind {
        Kind::Resource => 0,
        Kind::Key => 1,
    }
}

/// Notes that the entry must be told of a write, and sees to it that the alarm rings if nobody else does it.
pub(super) fn note<D: Database>(
    database: &D,
    kind: Kind,
    name: &str,
    revision: Millis,
    now: Millis,
) -> Result<(), StoreError> {
    database.execute(
        "INSERT INTO outbox(kind, name, revision, due, attempts) VALUES(?, ?, ?, ?, 0) ON CONFLICT(kind, name) \
         DO UPDATE SET revision = excluded.revision, due = excluded.due, attempts = 0",
        &[
            Bind::Integer(number(kind)),
            Bind::Text(name),
            Bind::Integer(revision as i64),
            Bind::Integer(now as i64),
        ],
    )?;
    database.arm(now + ALARM_MS)
}

/// Notes that the entry must be told anew, unless it is going to be anyway.
pub(super) fn note_absent<D: Database>(
    database: &D,
    kind: Kind,
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

/// The entries that are due, the longest due first.
pub(super) fn due<D: Database>(
    database: &D,
    project: &str,
    now: Millis,
    limit: u32,
) -> Result<Vec<Due>, StoreError> {
    let mut due = Vec::new();
    database.query(
        "SELECT kind, name, revision, confirm FROM outbox WHERE due <= ? ORDER BY due LIMIT ?",
        &[Bind::Integer(now as i64), Bind::Integer(i64::from(limit))],
        &mut |row| {
            let fault = || StoreError("unexpected row of outbox".to_owned());
            let kind = match row.integer(0).ok_or_else(fault)? {
                0 => Kind::Resource,
                _ => Kind::Key,
            };
            let name = row.text(1).ok_or_else(fault)?;
            let revision = millis(row, 2).ok_or_else(fault)?;
            let confirm = millis(row, 3);
            due.push(Due { entry: kind.entry(project, &name), kind, name, revision, confirm });
            Ok(())
        },
    )?;
    Ok(due)
}

/// The truth about the entry, ready to be put.
pub(super) fn put<D: Database>(database: &D, due: Due) -> Result<Put, StoreError> {
    let by = match due.kind {
        Kind::Resource => By::Id(&due.name),
        Kind::Key => By::Key(&due.name),
    };
    let (value, metadata) = match (records::raw(database, by)?, due.kind) {
        (Some(raw), Kind::Resource) => {
            let metadata = Metadata {
                version: Some(raw.version),
                revision: raw.revision,
                key: raw.key,
                id: None,
                deleted: false,
            };
            (raw.body, metadata)
        }
        (Some(raw), Kind::Key) => {
            let metadata = Metadata {
                version: None,
                revision: raw.revision,
                key: None,
                id: Some(raw.id.clone()),
                deleted: false,
            };
            (raw.id, metadata)
        }
        (None, _) => (
            String::new(),
            Metadata { version: None, revision: due.revision, key: None, id: None, deleted: true },
        ),
    };
    let ttl_seconds = metadata.deleted.then_some(TOMBSTONE_SECONDS);
    Ok(Put { due, value, metadata, ttl_seconds })
}

/// Notes that a put succeeded: its row goes, unless a later write came or the key must be put once more.
pub(super) fn done<D: Database>(database: &D, put: &Put, now: Millis) -> Result<(), StoreError> {
    let (sql, again) = match put.due.confirm.filter(|confirm| *confirm > now) {
        None => (
            "DELETE FROM outbox WHERE coalesce(confirm, 0) <= ? AND kind = ? AND name = ? AND revision = ?",
            now,
        ),
        Some(confirm) => {
            ("UPDATE outbox SET due = ?, attempts = 0 WHERE kind = ? AND name = ? AND revision = ?", confirm)
        }
    };
    database.execute(
        sql,
        &[
            Bind::Integer(again as i64),
            Bind::Integer(number(put.due.kind)),
            Bind::Text(&put.due.name),
            Bind::Integer(put.due.revision as i64),
        ],
    )
}

/// Notes that a put failed, or that nobody knows: it is tried again, and once more after a minute.
pub(super) fn failed<D: Database>(database: &D, put: &Put, now: Millis) -> Result<(), StoreError> {
    database.execute(
        "UPDATE outbox SET attempts = attempts + 1, due = ? + min(?, 1000 << min(attempts, 10)), confirm = ? \
         WHERE kind = ? AND name = ?",
        &[
            Bind::Integer(now as i64),
            Bind::Integer(BACKOFF_MAX_MS as i64),
            Bind::Integer((now + CONFIRM_MS) as i64),
            Bind::Integer(number(put.due.kind)),
            Bind::Text(&put.due.name),
        ],
    )
}

/// When the next put is due; `None` where KV knows everything.
pub(super) fn next_due<D: Database>(database: &D) -> Result<Option<Millis>, StoreError> {
    database.first("SELECT due FROM outbox ORDER BY due LIMIT 1", &[], |row| millis(row, 0))
}
